"""Two directions of a many-dimensional space, to draw points, centres and covariances in."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.analysis.principal_components import principal_components
from lm_core.clustering.points import require_points
from lm_core.errors import SettingError


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane through `origin`, spanned by two directions of length 1 at right angles."""

    origin: Tensor
    """Of shape (D,)."""
    axes: Tensor
    """Of shape (D, 2)."""
    shares: tuple[float, float]
    """Of the points' variance, that along each axis."""

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing beside the plane: the points are two-dimensional."""
        return self.axes.shape[0] == 2

    def project(self, points: Tensor) -> Tensor:
        """Return the coordinates (N, 2) of points (N, D)."""
        return (points - self.origin) @ self.axes

    def project_covariances(self, covariances: Tensor) -> Tensor:
        """Return the covariances (K, 2, 2) that covariances (K, D, D) have in the plane."""
        return self.axes.T @ covariances @ self.axes

    def lift(self, step: Tensor) -> Tensor:
        """Return the step (D,) in space that looks like `step` (2,) in the plane."""
        return self.axes @ step


def coordinate_plane(points: Tensor, across: int, up: int) -> Plane:
    """Return the plane of two of the columns, with the zeros of both as its origin.

    Raises SettingError if the columns are the same, or not among those of the points.
    """
    require_points(points)
    width = points.shape[1]
    if across == up or not (0 <= across < width and 0 <= up < width):
        raise SettingError(
            f"a plane needs two different columns of 0 to {width - 1}, got {across} and {up}"
        )
    unit = torch.eye(width, dtype=points.dtype, device=points.device)
    return _plane(points, torch.zeros_like(points[0]), unit[:, [across, up]])


def principal_plane(points: Tensor) -> Plane:
    """Return the plane through the mean in which the points vary most (PCA).

    The larger part of each axis points to the positive side, so that the picture does not flip.
    Raises SettingError if the points have fewer than two dimensions.
    """
    require_points(points)
    if points.shape[1] < 2:
        raise SettingError("a plane needs points of at least two dimensions, got one")
    found = principal_components(points, 2)
    return _plane(points, found.mean, found.directions.T)


def _plane(points: Tensor, origin: Tensor, axes: Tensor) -> Plane:
    centred = points - points.mean(0)
    whole = float(centred.square().sum())
    along = (centred @ axes).square().sum(0).tolist()
    first, second = (part / whole if whole else 0.0 for part in along)
    return Plane(origin, axes, (first, second))
