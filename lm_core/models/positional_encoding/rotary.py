"""Rotary positions: query and key are turned by their position, so that only the distance counts.

Coordinates j and j + d/2 are one pair, turned by ``position * base^(-2j/d)``. (The paper pairs
neighbours; the order of coordinates means nothing to a learned projection.) The dot product of two
turned vectors hangs on the difference of their positions alone.

References
----------
Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.
https://arxiv.org/abs/2104.09864
"""

from functools import lru_cache

import torch
from torch import Tensor

from lm_core.models.positional_encoding.absolute import BASE, wave_frequencies


@lru_cache(maxsize=16)
@torch.inference_mode(False)  # what is kept must serve a training too, whoever asks first
def rotary_tables(
    n_positions: int,
    width: int,
    base: float = BASE,
    *,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str = "cpu",
) -> tuple[Tensor, Tensor]:
    """Return cosines and sines of positions 0, 1, ..., each (n_positions, width / 2). Not to be written to."""
    frequencies = wave_frequencies(width, base, device=device)
    angles = torch.arange(n_positions, dtype=torch.float64, device=device)[:, None] * frequencies
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(vectors: Tensor, tables: tuple[Tensor, Tensor]) -> Tensor:
    """Turn each vector by its position.

    Parameters
    ----------
    vectors : Tensor of shape (..., T, d)
    tables : pair of Tensor of shape (T, d / 2)
        Rows of `rotary_tables`, one for each of the T positions.
    """
    cosines, sines = tables
    first, second = vectors.chunk(2, -1)
    turned = first * cosines - second * sines, first * sines + second * cosines
    return torch.cat(turned, -1)
