"""What every clustering asks of its points, how they are scaled and cut into blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.errors import PointsError, ShapeError

_BLOCK_ELEMENTS = 1 << 18  # numbers in the table that a block of points leads to: two megabytes


def require_points(points: Tensor, clusters: int = 1) -> None:
    """Refuse points that cannot be put into `clusters` clusters.

    Raises ShapeError if the points are no table of real numbers with a row for each point, and
    PointsError if a number is missing (NaN) or infinite, or there are fewer points than clusters.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    clusters : int, how many clusters are wanted
    """
    _require_table(points)
    if clusters < 1:
        raise PointsError(f"at least one cluster is needed, got {clusters}")
    if points.shape[0] < clusters:
        raise PointsError(
            f"{clusters} clusters need at least {clusters} points, got {points.shape[0]}; "
            "take fewer clusters or more points"
        )
    # One pass without a temporary; only where it fails, look for the culprit.
    if not torch.linalg.vector_norm(points).isfinite():
        _refuse_boundless(points)


def require_centres(points: Tensor, centres: Tensor, name: str = "centres") -> None:
    """Refuse centres that do not lie, finite, in the space of the points.

    Raises ShapeError if the centres are not of shape (K, D), or of another type than the points,
    and PointsError if a centre is not finite.
    """
    _require_table(points)
    if centres.dim() != 2 or centres.shape[1] != points.shape[1]:
        raise ShapeError(
            f"{name} must have the shape (K, {points.shape[1]}), got {tuple(centres.shape)}"
        )
    if centres.dtype != points.dtype:
        raise ShapeError(f"{name} must be {points.dtype} like the points, got {centres.dtype}")
    if not torch.isfinite(centres).all():
        raise PointsError(f"{name} must be finite, got {centres.tolist()}")


@dataclass(frozen=True, eq=False)
class Start:
    """Points and the centres from which they are clustered, checked once: what takes it need not check.

    Raises ShapeError or PointsError if the points cannot be clustered or the centres do not lie
    among them.
    """

    points: Tensor
    """Of shape (N, D)."""
    centres: Tensor
    """Of shape (K, D)."""

    def __post_init__(self) -> None:
        require_centres(self.points, self.centres)
        require_points(self.points, len(self.centres))


def _require_table(points: Tensor) -> None:
    if points.dim() != 2 or points.shape[1] < 1:
        raise ShapeError(
            f"points must have the shape (N, D) with D at least 1, got {tuple(points.shape)}"
        )
    if not points.is_floating_point():
        raise ShapeError(f"points must be floating-point numbers, got {points.dtype}")


def _refuse_boundless(points: Tensor) -> None:
    limit = torch.finfo(points.dtype).max ** 0.5 / points.numel()
    usable = (points.abs() < limit).all(1)
    if not usable.all():
        first = int((~usable).nonzero()[0])
        raise PointsError(
            f"every coordinate must be a finite number below {limit:.0e}, but point {first} is "
            f"{points[first].tolist()}; leave out such rows or scale them"
        )


def standardised(points: Tensor) -> Tensor:
    """Return points (N, D) with mean 0 and standard deviation 1 in each column.

    A column in which all are equal becomes 0.
    """
    require_points(points)
    centred = points - points.mean(0)
    spread = centred.square().mean(0).sqrt()
    return centred / torch.where(spread > 1e-12 * points.abs().amax(0), spread, torch.inf)


def distances_from_medians(points: Tensor) -> tuple[Tensor, Tensor]:
    """Return how far each number of points (N, D) is from its column's median, in the column's usual distance.

    Half of a column lies within its usual distance, the *median absolute deviation*; unlike the standard
    deviation it hardly depends on the far points themselves. Where it is 0, nothing is far.

    Returns
    -------
    ratios : Tensor of shape (N, D)
    usual : Tensor of shape (D,)
    """
    require_points(points)
    apart = (points - points.median(0).values).abs()
    usual = apart.median(0).values
    return apart / torch.where(usual > 0, usual, torch.inf), usual


def blocks(points: Tensor, width: int) -> Iterator[slice]:
    """Yield slices of the N points so small that `width` numbers for each of them fit the cache."""
    size = max(512, min(32768, _BLOCK_ELEMENTS // width))
    for first in range(0, points.shape[0], size):
        yield slice(first, min(first + size, points.shape[0]))
