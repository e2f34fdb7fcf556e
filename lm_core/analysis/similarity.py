"""What lies near what: cosine, neighbours, the odd one out."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError


class Neighbour(NamedTuple):
    """A word near another.

    Attributes
    ----------
    id : int
    cosine : float in [-1, 1]
    """

    id: int
    cosine: float


def unit_vectors(vectors: Tensor) -> Tensor:
    """Return vectors (..., D) brought to length 1; a vector of zeros stays one."""
    length = vectors.norm(dim=-1, keepdim=True)
    return vectors / length.clamp_min(torch.finfo(vectors.dtype).tiny)


def nearest(
    vectors: Tensor, wanted: Tensor, n: int, *, without: Sequence[int] = ()
) -> list[Neighbour]:
    """Return the `n` words whose vectors have the largest cosine with the one wanted.

    Parameters
    ----------
    vectors : Tensor of shape (V, D)
        Of length 1.
    wanted : Tensor of shape (D,)
        Any length but 0.
    n : int
        At least 1; fewer are returned where there are fewer words.
    without : sequence of int
        Words that are passed over.

    Raises
    ------
    ShapeError
        If the vectors do not have the width of the one wanted.
    """
    if vectors.dim() != 2 or wanted.shape != vectors.shape[1:]:
        raise ShapeError(
            f"vectors must be (V, D) and the one wanted (D,), got {tuple(vectors.shape)} and"
            f" {tuple(wanted.shape)}"
        )
    return highest(vectors @ unit_vectors(wanted), n, without=without)


def highest(cosines: Tensor, n: int, *, without: Sequence[int] = ()) -> list[Neighbour]:
    """Return the `n` words of the largest cosines (V,), some passed over, the largest first."""
    cosines = cosines.clone()
    cosines[list(without)] = -torch.inf
    best = cosines.topk(max(0, min(n, len(cosines) - len(set(without)))))
    return [Neighbour(int(i), float(c)) for i, c in zip(best.indices, best.values, strict=True)]


def odd_one_out(vectors: Tensor, words: Sequence[int]) -> tuple[int, Tensor]:
    """Return which of some words fits the others least, and how well each fits.

    Parameters
    ----------
    vectors : Tensor of shape (V, D)
        Of length 1.
    words : sequence of int
        At least 3 ids.

    Returns
    -------
    int, Tensor of shape (len(words),)
        A place in `words`; the mean cosine of each word with the others.

    Raises
    ------
    SettingError
        If there are fewer than three.
    """
    if len(words) < 3:
        raise SettingError(f"words must be at least 3, got {len(words)}")
    chosen = vectors[list(words)]
    cosines = chosen @ chosen.T
    fits = (cosines.sum(1) - cosines.diagonal()) / (len(words) - 1)
    return int(fits.argmin()), fits
