"""What a hand changes: points moved and added, centres written down."""

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import PointsError

LONGEST = 10_000
FARTHEST = 1e12
"""Largest coordinate of a centre: its squares must stay numbers."""


class PointEdit(NamedTuple):
    """A point of the plane moved, or, without an index, added."""

    x: float
    y: float
    index: int | None = None


def with_edits(points: Tensor, edits: Iterable[PointEdit]) -> Tensor:
    """Return points (N, 2) with the edits done in their order; added ones come last.

    Raises
    ------
    PointsError
        If the points are not two-dimensional, or an edit is about one that there is not.
    """
    if points.dim() != 2 or points.shape[1] != 2:
        raise PointsError(f"edits are made in the plane, got points of shape {tuple(points.shape)}")
    rows = points.tolist()
    for edit in edits:
        if edit.index is None:
            rows.append([edit.x, edit.y])
        elif 0 <= edit.index < len(rows):
            rows[edit.index] = [edit.x, edit.y]
        else:
            raise PointsError(f"there is no point {edit.index} among {len(rows)}")
    return torch.tensor(rows, dtype=points.dtype)


def written_centres(centres: Tensor) -> str:
    """Return centres (K, D) as a text that `read_centres` reads, to four digits.

    Examples
    --------
    >>> written_centres(torch.tensor([[1.0, 2.00004], [-0.5, 3.0]]))
    '1 2; -0.5 3'
    """
    return "; ".join(" ".join(f"{value:.4g}" for value in row) for row in centres.tolist())


def read_centres(text: str, width: int) -> Tensor:
    """Return the centres, float64 (K, D), that a text lists: numbers by spaces, centres by semicolons.

    Parameters
    ----------
    text : str
        At most `LONGEST` characters. Line breaks count as semicolons, commas as spaces.
    width : int
        D, how many numbers each centre must have.

    Raises
    ------
    PointsError
        If there is no centre, or one that is not `width` numbers up to `FARTHEST`.
    """
    if len(text) > LONGEST:
        raise PointsError(f"centres may take at most {LONGEST:,} characters, got {len(text):,}")
    lines = [line.split() for line in text.replace("\n", ";").replace(",", " ").split(";")]
    lines = [line for line in lines if line]
    if not lines:
        raise PointsError("write at least one centre, such as 1.5 2")
    for i, line in enumerate(lines):
        if len(line) != width:
            raise PointsError(f"each centre needs {width} numbers, centre {i + 1} has {len(line)}")
    try:
        rows = [[float(cell) for cell in line] for line in lines]
    except ValueError as error:
        raise PointsError(f"centres must be numbers: {error}") from error
    centres = torch.tensor(rows, dtype=torch.float64)
    if not (centres.abs() <= FARTHEST).all():
        raise PointsError(f"centres must be finite numbers, at most {FARTHEST:g} in size")
    return centres
