"""The directions in which points differ most.

References
----------
Pearson 1901, "On lines and planes of closest fit to systems of points in space".
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError


class Projection(NamedTuple):
    """Vectors (n, D) seen along their k main directions."""

    points: Tensor
    """Of shape (n, k)."""
    shares: Tensor
    """Of shape (k,). Of the vectors' variance that each direction holds, from 0 to 1."""
    mean: Tensor
    """Of shape (D,)."""
    directions: Tensor
    """Of shape (k, D). Of length 1, at right angles to each other."""

    def place(self, vectors: Tensor) -> Tensor:
        """Return where other vectors (..., D) lie in the same picture: (..., k)."""
        return (vectors - self.mean) @ self.directions.T


def principal_components(vectors: Tensor, k: int = 2) -> Projection:
    """Return the directions in which vectors (n, D) differ most, and their places along them.

    A direction may point either way; here its largest number is positive. Where there are fewer
    directions than `k`, the rest are zeros. Raises SettingError if there are fewer than two
    vectors, or `k` is not from 1 to D.
    """
    n, width = vectors.shape
    if n < 2 or not 1 <= k <= width:
        raise SettingError(
            f"there must be 2 vectors or more and 1 <= k <= {width}, got {n} and {k}"
        )
    mean = vectors.mean(0)
    centred = vectors - mean
    _, sizes, directions = torch.linalg.svd(centred, full_matrices=False)
    kept = torch.zeros(k, width, dtype=vectors.dtype)
    kept[: min(k, n)] = directions[:k]
    largest = kept.abs().argmax(1, keepdim=True)
    kept = kept * kept.gather(1, largest).sign()
    variance = sizes.square()
    shares = torch.zeros(k, dtype=vectors.dtype)
    shares[: min(k, n)] = variance[:k] / variance.sum().clamp_min(torch.finfo(vectors.dtype).tiny)
    return Projection(centred @ kept.T, shares, mean, kept)
