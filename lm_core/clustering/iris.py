"""The 150 iris flowers that Fisher made famous: four lengths each, three species.

The table is scikit-learn's edition. The measurements are in the public domain.

References
----------
Anderson 1935, "The irises of the Gaspé peninsula".
Fisher 1936, "The use of multiple measurements in taxonomic problems".
"""

import csv
from importlib import resources
from typing import NamedTuple

import torch
from torch import Tensor


class Iris(NamedTuple):
    """The flowers.

    Attributes
    ----------
    points : float64 Tensor of shape (150, 4)
        In centimetres.
    labels : int64 Tensor of shape (150,)
        The species, as an index into `species`.
    features : tuple of str
        What each column is.
    species : tuple of str
    """

    points: Tensor
    labels: Tensor
    features: tuple[str, ...]
    species: tuple[str, ...]


def iris() -> Iris:
    """Read the table that comes with the package."""
    table = resources.files("lm_core.clustering") / "iris.csv"
    with table.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    species = tuple(dict.fromkeys(row[-1] for row in rows))
    return Iris(
        torch.tensor([[float(cell) for cell in row[:-1]] for row in rows], dtype=torch.float64),
        torch.tensor([species.index(row[-1]) for row in rows]),
        tuple(header[:-1]),
        species,
    )
