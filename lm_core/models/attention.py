"""Scaled dot-product attention: with everything to see, and as fast as torch can.

    attention(Q, K, V) = softmax(Q K^T / sqrt(d) + bias) V        Vaswani et al. 2017, eq. (1)

`attend` computes each stage and keeps it, for display. `fused_attention` returns the output alone,
from torch's kernel, which never holds the weights. They agree to rounding, which a test holds.

A query that may look at nothing has no softmax. Here its weights and its output are **zero**.

References
----------
Vaswani et al. 2017, "Attention Is All You Need". https://arxiv.org/abs/1706.03762
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention_scores import dot_product_scores


class AttentionTrace(NamedTuple):
    """Every stage of one attention, in the order in which they are computed.

    T queries look at S keys; leading axes (batch, head) are the same in all.

    Attributes
    ----------
    queries, keys, values : Tensor of shape (..., T, d), (..., S, d), (..., S, v)
    scores : Tensor of shape (..., T, S)
        ``q . k``.
    scaled_scores : Tensor of shape (..., T, S)
        Times the scale, divided by the temperature, plus the bias, if there is one.
    masked_scores : Tensor of shape (..., T, S)
        Minus infinity where a query may not look.
    weights : Tensor of shape (..., T, S)
        Rows sum to one; a row that may look at nothing is zero.
    output : Tensor of shape (..., T, v)
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    scores: Tensor
    scaled_scores: Tensor
    masked_scores: Tensor
    weights: Tensor
    output: Tensor


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    allowed: Tensor | None = None,
    *,
    bias: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
) -> AttentionTrace:
    """Mix the values, each query by its own weights, and keep every stage.

    Parameters
    ----------
    queries, keys, values : Tensor of shape (..., T, d), (..., S, d), (..., S, v)
    allowed : bool Tensor, optional
        Broadcasts to (..., T, S). True means may look.
    bias : Tensor, optional
        Added to the scaled scores; broadcasts to (..., T, S).
    scale : float, optional
        What the scores are multiplied with: by default 1 / sqrt(d); 1 for none.
    temperature : float, above 0
        Above 1 evens the weights out, below 1 sharpens them; works on the scaled scores.

    Raises
    ------
    SettingError
        If the temperature is not positive.
    ShapeError
        If widths or lengths do not fit.
    """
    if not temperature > 0.0:
        raise SettingError(f"temperature must be positive, got {temperature}")
    _require_shapes(queries, keys, values, allowed)
    scores = dot_product_scores(queries, keys)
    scaled = scores * ((queries.shape[-1] ** -0.5 if scale is None else scale) / temperature)
    scaled = scaled if bias is None else scaled + bias
    masked = scaled if allowed is None else scaled.masked_fill(~allowed, float("-inf"))
    weights = softmax_of_allowed(masked)
    return AttentionTrace(queries, keys, values, scores, scaled, masked, weights, weights @ values)


def softmax_of_allowed(masked_scores: Tensor) -> Tensor:
    """Return the softmax over the last axis; a row of nothing but minus infinity becomes zero."""
    # Such a row is NaN after the softmax, and nothing else is.
    weights = masked_scores.softmax(-1)
    nothing = (masked_scores == float("-inf")).all(-1, keepdim=True)
    return weights.masked_fill(nothing, 0.0)


def fused_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    allowed: Tensor | None = None,
    *,
    bias: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return `attend`'s output alone, (..., T, v), from torch's fused kernel.

    Parameters are `attend`'s; torch wants at least one leading axis for its fast kernels.
    """
    _require_shapes(queries, keys, values, allowed)
    mask = allowed
    if bias is not None:
        mask = bias if allowed is None else bias.masked_fill(~allowed, float("-inf"))
        mask = mask.to(queries.dtype)
    # A row that may look at nothing comes back as zero from torch, too.
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, scale=scale)


def _require_shapes(queries: Tensor, keys: Tensor, values: Tensor, allowed: Tensor | None) -> None:
    if keys.shape[-2] != values.shape[-2]:
        raise ShapeError(
            f"each key needs a value, got {keys.shape[-2]} keys and {values.shape[-2]} values"
        )
    wanted = (queries.shape[-2], keys.shape[-2])
    if allowed is None:
        return
    if allowed.dtype != torch.bool:
        raise ShapeError(f"allowed must be boolean, True for may look, got {allowed.dtype}")
    if any(n not in (1, m) for n, m in zip(allowed.shape[-2:], wanted, strict=True)):
        raise ShapeError(
            f"allowed must broadcast to (..., {wanted[0]}, {wanted[1]}), got {tuple(allowed.shape)}"
        )
