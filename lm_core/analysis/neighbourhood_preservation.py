"""Neighbourhood preservation: which of the true neighbours are near in a picture."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError


class NeighbourhoodPreservation(NamedTuple):
    """What became of each point's neighbours."""

    true: Tensor
    shown: Tensor
    """`true` and `shown`: int Tensors of shape (n, k). The nearest others, nearest first, as
    they are and in the picture."""
    preserved: Tensor
    """bool, of shape (n, k). Which of the true neighbours are among those of the picture."""

    @property
    def share(self) -> float:
        """Mean share of the true neighbours that the picture preserves, over all points."""
        return float(self.preserved.float().mean())


def neighbourhood_preservation(
    vectors: Tensor, points: Tensor, k: int = 10
) -> NeighbourhoodPreservation:
    """Compare the nearest others of n vectors with those of their places in a picture.

    Parameters
    ----------
    vectors : Tensor of shape (n, D), of length 1: nearest is of the largest cosine
    points : Tensor of shape (n, d), in the picture, nearest is of the smallest distance
    k : int
        From 1 to n - 1. By chance, k / (n - 1) of the neighbours are preserved.

    References
    ----------
    Venna & Kaski 2001, "Neighborhood preservation in nonlinear projection methods".
    """
    n = len(vectors)
    if len(points) != n:
        raise ShapeError(f"there must be a point for each vector, got {len(points)} for {n}")
    if not 1 <= k < n:
        raise SettingError(f"k must be from 1 to {n - 1}, the other points, got {k}")
    true = _nearest(-(vectors @ vectors.T), k)
    shown = _nearest(torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist"), k)
    preserved = (true.unsqueeze(2) == shown.unsqueeze(1)).any(2)
    return NeighbourhoodPreservation(true, shown, preserved)


def _nearest(distances: Tensor, k: int) -> Tensor:
    return distances.fill_diagonal_(torch.inf).topk(k, largest=False).indices
