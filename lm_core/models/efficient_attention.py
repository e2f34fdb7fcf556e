"""Attention that does without the square of all pairs: exactly, nearby only, or nearly.

All are causal and take queries, keys and values (..., T, d), (..., T, d), (..., T, v).

References
----------
Beltagy, Peters & Cohan 2020, "Longformer: The Long-Document Transformer" (local window).
https://arxiv.org/abs/2004.05150
Choromanski et al. 2020, "Rethinking Attention with Performers", sections 2.3 and 2.4 (positive
orthogonal random features). https://arxiv.org/abs/2009.14794
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import fused_attention


def local_attention(queries: Tensor, keys: Tensor, values: Tensor, window: int) -> Tensor:
    """Let each token attend to the last `window` ones, itself included: exact, and linear in T.

    The text is cut into pieces of `window`; a piece's queries find all they may attend to in their own
    piece and the one before.

    `window`: int, at least 1. The result: Tensor of shape (..., T, v).
    """
    _require_lengths(queries, keys, values)
    if window < 1:
        raise SettingError(f"window must be at least 1, got {window}")
    length = queries.shape[-2]
    missing = -length % window
    queries, keys, values = (
        F.pad(t, (0, 0, 0, missing)).unflatten(-2, (-1, window)) for t in (queries, keys, values)
    )  # (..., pieces, window, d)
    steps = torch.arange(2 * window, device=queries.device)
    behind = steps[window:, None] - steps  # (window, 2 window)
    mask = (behind >= 0) & (behind < window)
    is_first = torch.arange(queries.shape[-3], device=queries.device) == 0
    mask = mask & ~(is_first[:, None, None] & (steps < window))
    mixed = fused_attention(queries, _with_previous(keys), _with_previous(values), mask)
    return mixed.flatten(-3, -2)[..., :length, :]


def draw_features(width: int, n_features: int, rng: torch.Generator) -> Tensor:
    """Draw the directions of `kernel_attention`: orthogonal in groups of `width`, (n_features, width).

    Each is as long as a Gaussian vector would be, so that its products with unit vectors are as
    those of one; being orthogonal, together they err less.
    """
    if n_features < 1:
        raise SettingError(f"n_features must be at least 1, got {n_features}")
    groups = []
    for _ in range(-(-n_features // width)):
        directions, triangle = torch.linalg.qr(torch.randn(width, width, generator=rng))
        # QR settles on signs of its own, which would favour half of the space.
        groups.append((directions * triangle.diagonal().sign()).T)
    lengths = torch.randn(n_features, width, generator=rng).norm(dim=-1, keepdim=True)
    return torch.cat(groups)[:n_features] * lengths


def kernel_attention(
    queries: Tensor, keys: Tensor, values: Tensor, features: Tensor, chunk: int = 64
) -> Tensor:
    """Approximate softmax attention by a product of features, linear in T.

    ``exp(q . k) = E[phi(q) . phi(k)]`` with ``phi(x) = exp(w . x - |x|^2 / 2)`` for Gaussian w, so
    that the sum over keys can be taken before the query is known. Here it runs along the text, a
    chunk at a time.

    The result: Tensor of shape (..., T, v).

    Parameters
    ----------
    features : Tensor of shape (m, d)
        From `draw_features`; the error falls as one over the root of m, and grows with the length
        of queries and keys.
    chunk : int, tokens compared with each other directly; changes time and memory, not the result
    """
    _require_lengths(queries, keys, values)
    scale = queries.shape[-1] ** -0.25  # on both sides: together 1 / sqrt(d)
    log_queries = _log_features(queries * scale, features)
    log_keys = _log_features(keys * scale, features)
    # What all keys or all features of a query share cancels, and keeps exp within its range.
    query_features = (log_queries - log_queries.amax(-1, keepdim=True)).exp()
    key_features = (log_keys - log_keys.amax((-1, -2), keepdim=True)).exp()
    values = torch.cat([values, torch.ones_like(values[..., :1])], -1)  # the last sums the weights
    total = key_features.new_zeros(
        *key_features.shape[:-2], key_features.shape[-1], values.shape[-1]
    )  # (..., m, v + 1)
    parts = []
    for q, k, v in zip(
        *(t.split(chunk, -2) for t in (query_features, key_features, values)), strict=True
    ):
        parts.append(q @ total + (q @ k.mT).tril() @ v)
        total = total + k.mT @ v
    mixed = torch.cat(parts, -2)
    return mixed[..., :-1] / mixed[..., -1:]


def _log_features(x: Tensor, features: Tensor) -> Tensor:
    return x @ features.T - (x**2).sum(-1, keepdim=True) / 2.0  # (..., T, m)


def _with_previous(pieces: Tensor) -> Tensor:
    """Put the piece before in front of each: (..., n, w, d) becomes (..., n, 2 w, d)."""
    before = F.pad(pieces, (0, 0, 0, 0, 1, 0))[..., :-1, :, :]
    return torch.cat([before, pieces], -2)


def _require_lengths(queries: Tensor, keys: Tensor, values: Tensor) -> None:
    lengths = [tensor.shape[-2] for tensor in (queries, keys, values)]
    if len(set(lengths)) > 1:
        raise ShapeError(f"queries, keys and values must be equally many, got {lengths}")
