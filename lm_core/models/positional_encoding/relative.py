"""Relative positions: how far away a key is counts, not where it is.

Rotary positions rotate query and key by their positions, so that their dot product depends on the
difference of these alone: coordinates j and j + d/2 are one pair, rotated by
``position * base^(-2j/d)``. (The paper pairs neighbours; the order of coordinates means nothing to a
learned projection.) T5's buckets and ALiBi add a bias to the scores.

References
----------
Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.
https://arxiv.org/abs/2104.09864
Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer" (buckets). https://arxiv.org/abs/1910.10683
Press, Smith & Lewis 2022, "Train Short, Test Long: Attention with Linear Biases Enables Input
Length Extrapolation" (ALiBi). https://arxiv.org/abs/2108.12409
"""

import math
from functools import lru_cache

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.positional_encoding.absolute import BASE, wave_frequencies


@lru_cache(maxsize=16)
@torch.inference_mode(False)  # what is cached must serve training too, whoever calls first
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
    """Rotate each vector by its position.

    Parameters
    ----------
    vectors : Tensor of shape (..., T, d)
    tables : pair of Tensor of shape (T, d / 2), rows of `rotary_tables`, one for each of the T positions
    """
    cosines, sines = tables
    first, second = vectors.chunk(2, -1)
    rotated = first * cosines - second * sines, first * sines + second * cosines
    return torch.cat(rotated, -1)


def t5_buckets(
    offsets: Tensor,
    n_buckets: int = 32,
    max_distance: int = 128,
    *,
    bidirectional: bool = True,
    cap: int | None = None,
) -> Tensor:
    """Sort distances into buckets: near ones each into their own, far ones into ever wider ones.

    Raises SettingError if buckets or distance are too few.

    The result: int64 Tensor of the same shape, in [0, n_buckets).

    Parameters
    ----------
    offsets : int64 Tensor of any shape, position of the key minus position of the query
    n_buckets : int, even if bidirectional; at least 2 for each direction
    max_distance : int
        All that is at least so far lies in its direction's last bucket. More than half of a
        direction's buckets, which are the ones of a single distance.
    bidirectional : bool
        Whether keys ahead have buckets of their own (the second half); if not, they share bucket 0.
    cap : int, last bucket of a direction; only for showing what another one does

    Notes
    -----
    The cap is the last bucket of a **direction**. Capped at the last bucket of all before the
    direction is added, ``cap=n_buckets - 1``, as published in the blog series, keys ahead beyond
    the maximum get numbers that no bucket has, and keys behind those of the keys ahead.
    """
    per_direction = n_buckets // 2 if bidirectional else n_buckets
    if per_direction < 2 or (bidirectional and n_buckets % 2):
        raise SettingError(
            f"n_buckets must give each direction the same number, at least 2, got {n_buckets}"
        )
    n_single = per_direction // 2
    if max_distance <= n_single:
        raise SettingError(f"max_distance must be above {n_single}, got {max_distance}")
    cap = per_direction - 1 if cap is None else cap
    start = (offsets > 0) * per_direction if bidirectional else torch.zeros_like(offsets)
    distance = offsets.abs() if bidirectional else (-offsets).clamp_min(0)
    share = (distance.clamp_min(1) / n_single).log() / math.log(max_distance / n_single)
    wide = n_single + (share * (per_direction - n_single)).long()
    return start + torch.where(distance < n_single, distance, wide.clamp_max(cap))


def alibi_slopes(heads: int) -> Tensor:
    """Return how steeply each head's attention falls with the distance, float32 (heads,).

    ``2^(-8 h / H)`` for h = 1 ... H if H is a power of two; otherwise the slopes of the next smaller
    power, and as many as are missing from between them.

    Examples
    --------
    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    if heads < 1:
        raise SettingError(f"heads must be at least 1, got {heads}")
    power = 2 ** (heads.bit_length() - 1)
    slopes = 2.0 ** (-8.0 * torch.arange(1, power + 1) / power)
    between = 2.0 ** (-4.0 * torch.arange(1, 2 * power, 2) / power)
    return torch.cat([slopes, between[: heads - power]])


def alibi_bias(distances: Tensor, heads: int) -> Tensor:
    """Return what is added to the scores, float32 (heads, ...): ``-slope * distance``.

    Parameters
    ----------
    distances : int64 Tensor
        Position of the query minus that of the key; a key ahead counts by how far it is ahead.
    """
    slopes = alibi_slopes(heads).to(distances.device)
    return -slopes.view(-1, *[1] * distances.dim()) * distances.abs()
