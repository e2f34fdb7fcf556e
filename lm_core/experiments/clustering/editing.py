"""Points moved and added by hand, and placed centres: written as text, so that a link carries them."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import PointsError

LONGEST = 10_000
MOST_EDITS = 500
FARTHEST = 1e12
"""Largest coordinate of a centre or a point: its squares must stay numbers."""


class PointEdit(NamedTuple):
    """A point of the plane moved to (x, y), or, where none is named, added there."""

    x: float
    y: float
    point: int | None = None


def with_edits(points: Tensor, edits: Iterable[PointEdit]) -> Tensor:
    """Return points (N, 2) with the edits done in their order; added ones come last.

    Raises PointsError if the points are not two-dimensional, or an edit is about one that there is
    not.
    """
    if points.dim() != 2 or points.shape[1] != 2:
        raise PointsError(f"edits are made in the plane, got points of shape {tuple(points.shape)}")
    rows = points.tolist()
    for edit in edits:
        if edit.point is None:
            rows.append([edit.x, edit.y])
        elif 0 <= edit.point < len(rows):
            rows[edit.point] = [edit.x, edit.y]
        else:
            raise PointsError(f"there is no point {edit.point} among {len(rows)}")
    return torch.tensor(rows, dtype=points.dtype)


def with_one_more(
    edits: Sequence[PointEdit], edit: PointEdit, points: Tensor
) -> tuple[PointEdit, ...]:
    """Return the edits of points (N, 2) and one more, at most one for each point.

    Its place is rounded to a thousandth of the points' extent, which no picture shows.
    """
    decimals = _decimals(points)
    edit = edit._replace(x=round(edit.x, decimals), y=round(edit.y, decimals))
    if edit.point is None:
        return (*edits, edit)
    if edit.point < len(points):
        return (*(other for other in edits if other.point != edit.point), edit)
    added = [i for i, other in enumerate(edits) if other.point is None]
    at = added[edit.point - len(points)]
    return (*edits[:at], edit._replace(point=None), *edits[at + 1 :])


def written_edits(edits: Iterable[PointEdit]) -> str:
    """Return edits as a text that `read_edits` reads: a point's number and place, or a new place.

    Examples
    --------
    >>> written_edits([PointEdit(0.5, 4.0, 11), PointEdit(9.0, -1.25)])
    '12 0.5 4; 9 -1.25'
    """
    return "; ".join(
        " ".join(([] if point is None else [str(point + 1)]) + [f"{x:.12g}", f"{y:.12g}"])
        for x, y, point in edits
    )


def read_edits(text: str, n_points: int) -> tuple[PointEdit, ...]:
    """Return the edits that a text lists: numbers by spaces, edits by semicolons.

    Three numbers move a point: its number, counted from 1, and its new place. Two add one there.
    Raises PointsError if an edit is not two or three numbers up to `FARTHEST`, or about a point
    that there is not.

    Parameters
    ----------
    text : str, at most `LONGEST` characters and `MOST_EDITS` edits; empty where nothing is changed
    n_points : int, how many points there are before the edits
    """
    lines = _lines(text, "changes")
    if len(lines) > MOST_EDITS:
        raise PointsError(f"at most {MOST_EDITS} points may be changed, got {len(lines):,}")
    for line in lines:
        if len(line) not in (2, 3):
            raise PointsError(
                "a moved point needs three numbers (its own, and two coordinates), a new one two;"
                f" got {len(line)}"
            )
    edits = []
    for row in _finite(lines, "changes"):
        *number, x, y = row
        if number and not (1 <= number[0] <= n_points and number[0].is_integer()):
            raise PointsError(f"there is no point {number[0]:g} to be moved among {n_points:,}")
        edits.append(PointEdit(x, y, int(number[0]) - 1 if number else None))
    return tuple(edits)


def written_centres(centres: Tensor, points: Tensor) -> str:
    """Return centres (K, D) among points (N, D) as a text that `read_centres` reads.

    Each number is rounded to a thousandth of the points' extent in its direction.

    Examples
    --------
    >>> points = torch.tensor([[0.0, 1900.0], [6.0, 2020.0]])
    >>> written_centres(torch.tensor([[1.0004, 2000.125], [-0.5, 1990.0]]), points)
    '1 2000.1; -0.5 1990'
    """
    decimals = [_decimals(column) for column in points.T[:, :, None]]
    return "; ".join(
        " ".join(f"{round(value, n):.12g}" for value, n in zip(row, decimals, strict=True))
        for row in centres.tolist()
    )


def read_centres(text: str, width: int) -> Tensor:
    """Return the centres, float64 (K, D), that a text lists: numbers by spaces, centres by semicolons.

    Raises PointsError if there is no centre, or one that is not `width` numbers up to `FARTHEST`.

    Parameters
    ----------
    text : str
        At most `LONGEST` characters. Line breaks count as semicolons, commas as spaces.
    width : int, D, how many numbers each centre must have
    """
    lines = _lines(text, "centres")
    if not lines:
        raise PointsError("write at least one centre, such as 1.5 2")
    for i, line in enumerate(lines):
        if len(line) != width:
            raise PointsError(f"each centre needs {width} numbers, centre {i + 1} has {len(line)}")
    return torch.tensor(_finite(lines, "centres"), dtype=torch.float64)


def _lines(text: str, what: str) -> list[list[str]]:
    if len(text) > LONGEST:
        raise PointsError(f"{what} may take at most {LONGEST:,} characters, got {len(text):,}")
    lines = [line.split() for line in text.replace("\n", ";").replace(",", " ").split(";")]
    return [line for line in lines if line]


def _finite(lines: list[list[str]], what: str) -> list[list[float]]:
    try:
        rows = [[float(cell) for cell in line] for line in lines]
    except ValueError as error:
        raise PointsError(f"{what} must be numbers, such as 1.5 2") from error
    if not all(abs(value) <= FARTHEST for row in rows for value in row):
        raise PointsError(f"{what} must be finite numbers, at most {FARTHEST:g} in size")
    return rows


def _decimals(points: Tensor) -> int:
    """Return how many decimals a thousandth of the points' extent needs."""
    extent = float((points.amax(0) - points.amin(0)).max())
    extent = extent or float(points.abs().max()) or 1.0
    return math.ceil(3 - math.log10(extent))
