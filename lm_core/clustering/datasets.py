"""Data sets to cluster: drawn from known distributions, and the iris flowers.

The 150 irises (four lengths each, three species) are scikit-learn's edition; the measurements are in
the public domain.

References
----------
Anderson 1935, "The irises of the Gaspé peninsula".
Fisher 1936, "The use of multiple measurements in taxonomic problems".
"""

import csv
import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind, Mixture, sample
from lm_core.errors import PointsError

_CENTRES = [[5.0, 1.0], [1.0, 4.0]]  # of the blog series' two-dimensional examples


@dataclass(frozen=True, eq=False)
class DataSet:
    """Points, and what is known of where they come from."""

    points: Tensor
    """Of shape (N, D)."""
    labels: Tensor | None = None
    """int64, of shape (N,). The true group of each point, where there are groups."""
    mixture: Mixture | None = None
    """What the points were drawn from, where it is a mixture."""


def spherical_mixture(weights: list[float], means: list[list[float]], sds: list[float]) -> Mixture:
    """Return the mixture of round components with these standard deviations, in float64."""
    unit = torch.eye(len(means[0]), dtype=torch.float64)
    spreads = torch.tensor(sds, dtype=torch.float64)
    return Mixture(
        torch.tensor(weights, dtype=torch.float64),
        torch.tensor(means, dtype=torch.float64),
        spreads.square()[:, None, None] * unit,
        CovarianceKind.SPHERICAL,
    )


def two_blobs() -> Mixture:
    """Return the blog series' good case: two equal groups, standard deviation 0.6."""
    return spherical_mixture([0.5, 0.5], _CENTRES, [0.6, 0.6])


def unbalanced_blobs() -> Mixture:
    """Return the blog series' bad case for k-means: 95 : 5, standard deviations 0.8 and 0.5."""
    return spherical_mixture([0.95, 0.05], _CENTRES, [0.8, 0.5])


def stretched_blobs() -> Mixture:
    """Return the blog series' bad case for both methods: 95 : 5, the large group long and thin."""
    spreads = torch.tensor([[1.5, 0.1], [0.8, 0.8]], dtype=torch.float64)
    weights = torch.tensor([0.95, 0.05], dtype=torch.float64)
    return Mixture(weights, torch.tensor(_CENTRES, dtype=torch.float64), spreads.diag_embed())


def on_a_line() -> Mixture:
    """Return the blog series' one-dimensional mixture: means 2 and -3, both of variance 0.5."""
    return spherical_mixture([0.7, 0.3], [[2.0], [-3.0]], [math.sqrt(0.5)] * 2)


def unequal_sizes() -> Mixture:
    """Return one large, wide group between two small, tight ones."""
    return spherical_mixture(
        [0.8, 0.1, 0.1], [[0.0, 0.0], [4.0, 2.0], [4.0, -2.0]], [1.5, 0.3, 0.3]
    )


def moons(n: int, rng: Generator, noise: float = 0.08) -> DataSet:
    """Draw n points from two half circles of radius 1, one hooked into the other."""
    labels, angles = _halves(n, rng), math.pi * _uniform(n, rng)
    sign = 1.0 - 2.0 * labels
    points = torch.stack([labels + sign * angles.cos(), 0.5 * labels + sign * angles.sin()], 1)
    return DataSet(points + noise * _normal(points, rng), labels)


def rings(n: int, rng: Generator, noise: float = 0.08) -> DataSet:
    """Draw n points from two circles around one centre, of radius 1 and 2."""
    labels, angles = _halves(n, rng), 2.0 * math.pi * _uniform(n, rng)
    points = (1.0 + labels)[:, None] * torch.stack([angles.cos(), angles.sin()], 1)
    return DataSet(points + noise * _normal(points, rng), labels)


def no_structure(n: int, rng: Generator) -> DataSet:
    """Draw n points evenly from the square with corners (-1, -1) and (1, 1): no groups at all."""
    return DataSet(torch.stack([_uniform(n, rng), _uniform(n, rng)], 1) * 2.0 - 1.0)


def draw(mixture: Mixture, n: int, rng: Generator) -> DataSet:
    """Draw n points from a mixture, with their true components."""
    if n < 1:
        raise PointsError(f"at least one point must be drawn, got {n}")
    return DataSet(*sample(mixture, n, rng), mixture)


def _of(mixture: Callable[[], Mixture]) -> Callable[[int, Generator], DataSet]:
    return lambda n, rng: draw(mixture(), n, rng)


DATA_SETS: dict[str, Callable[[int, Generator], DataSet]] = {
    "two blobs": _of(two_blobs),
    "95 : 5": _of(unbalanced_blobs),
    "95 : 5, stretched": _of(stretched_blobs),
    "on a line": _of(on_a_line),
    "unequal sizes": _of(unequal_sizes),
    "moons": moons,
    "rings": rings,
    "no structure": no_structure,
}


class Iris(NamedTuple):
    """The flowers."""

    points: Tensor
    """float64, of shape (150, 4). In centimetres."""
    labels: Tensor
    """int64, of shape (150,). The species, as an index into `species`."""
    features: tuple[str, ...]
    """What each column is."""
    species: tuple[str, ...]


_IRIS_SHA256 = "30821fb97cfd3335f67711058ee448fe1784557c374c82e52645e78563bafdb1"


def iris() -> Iris:
    """Read the table that comes with the package; raises PointsError if it is missing or was altered."""
    try:
        table = (resources.files("lm_core.clustering") / "iris.csv").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PointsError(f"no readable lm_core/clustering/iris.csv: {error}") from error
    if hashlib.sha256(table.encode()).hexdigest() != _IRIS_SHA256:
        raise PointsError("lm_core/clustering/iris.csv was altered or cut off: get it again")
    header, *rows = csv.reader(table.splitlines())
    species = tuple(dict.fromkeys(row[-1] for row in rows))
    return Iris(
        torch.tensor([[float(cell) for cell in row[:-1]] for row in rows], dtype=torch.float64),
        torch.tensor([species.index(row[-1]) for row in rows]),
        tuple(header[:-1]),
        species,
    )


def _uniform(n: int, rng: Generator) -> Tensor:
    if n < 1:
        raise PointsError(f"at least one point must be drawn, got {n}")
    return torch.rand(n, generator=rng, dtype=torch.float64, device=rng.device)


def _halves(n: int, rng: Generator) -> Tensor:
    return (_uniform(n, rng) < 0.5).to(torch.int64)


def _normal(like: Tensor, rng: Generator) -> Tensor:
    return torch.randn(like.shape, generator=rng, dtype=like.dtype, device=rng.device)
