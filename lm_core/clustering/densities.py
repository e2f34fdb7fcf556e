"""A one-dimensional mixture as curves over the line."""

import math

import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import Mixture
from lm_core.errors import ShapeError


def weighted_densities(mixture: Mixture, x: Tensor, stretch: float = 1.0) -> Tensor:
    """Return weight times density of each component along the line, (K, len(x)).

    Parameters
    ----------
    mixture : Mixture of one-dimensional components
    x : Tensor of shape (M,)
    stretch : float
        Multiplies every standard deviation: whoever takes a variance v below 1 for a deviation
        draws with ``sqrt(v)`` of the true one.

    Raises
    ------
    ShapeError
        If the mixture is not one-dimensional.
    """
    if mixture.means.shape[1] != 1:
        raise ShapeError(f"one dimension is needed, the mixture has {mixture.means.shape[1]}")
    deviations = stretch * mixture.covariances[:, 0, 0].sqrt()
    away = (x[None, :] - mixture.means) / deviations[:, None]
    heights = mixture.weights / (deviations * math.sqrt(2.0 * math.pi))
    return heights[:, None] * torch.exp(-0.5 * away.square())
