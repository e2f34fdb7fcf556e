"""Collapse on purpose: a component that begins on one point, and what a floor does about it."""

import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import Mixture
from lm_core.clustering.points import require_points
from lm_core.errors import SettingError


def start_on_a_point(points: Tensor, index: int, deviation: float) -> Mixture:
    """Return two components: one fitted to all points, one round and narrow on one of them.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    index : int
        Of the point.
    deviation : float
        Standard deviation of the narrow one, above 0.

    Raises
    ------
    SettingError
        If there is no such point or the deviation is not positive.
    """
    require_points(points, 2)
    n, width = points.shape
    if not 0 <= index < n:
        raise SettingError(f"index must be from 0 to {n - 1}, got {index}")
    if not deviation > 0.0:
        raise SettingError(f"deviation must be positive, got {deviation}")
    mean = points.mean(0)
    whole = (points - mean).T @ (points - mean) / n
    narrow = deviation**2 * torch.eye(width, dtype=points.dtype, device=points.device)
    weights = torch.tensor([1.0 - 1.0 / n, 1.0 / n], dtype=points.dtype, device=points.device)
    return Mixture(weights, torch.stack([mean, points[index]]), torch.stack([whole, narrow]))


def deviations(mixture: Mixture) -> Tensor:
    """Return each component's smallest standard deviation in any direction, (K,)."""
    return torch.linalg.eigvalsh(mixture.covariances)[:, 0].clamp(min=0.0).sqrt()
