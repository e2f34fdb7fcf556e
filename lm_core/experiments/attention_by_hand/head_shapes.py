"""Splitting vectors into heads: `view` and `transpose` keep tokens apart, `reshape` alone mixes them up."""

from enum import StrEnum

import torch
from torch import Tensor

from lm_core.errors import ShapeError


class Split(StrEnum):
    """How (T, D) numbers become (H, T, D / H)."""

    TRANSPOSE = "transpose"
    """`view(T, H, d).transpose(0, 1)`: each head gets some units of every token."""
    RESHAPE = "reshape"
    """`reshape(H, T, d)`: the numbers as they lie in memory, which has the same shape and is wrong."""


def split_into_heads(x: Tensor, heads: int, split: Split) -> Tensor:
    """Return numbers (T, D) as heads (H, T, D / H); raises ShapeError if the heads do not divide D."""
    n_tokens, width = x.shape
    if width % heads:
        raise ShapeError(f"the heads must divide the width {width}, got {heads} heads")
    if split is Split.RESHAPE:
        return x.reshape(heads, n_tokens, width // heads)
    return x.view(n_tokens, heads, width // heads).transpose(0, 1)


def share_of_own_token(n_tokens: int, width: int, heads: int, split: Split) -> float:
    """Return the share of the numbers that stand in their own token's row."""
    rows = torch.arange(n_tokens)
    tokens = split_into_heads(rows[:, None].expand(-1, width).contiguous(), heads, split)
    return float((tokens == rows[:, None]).double().mean())


def printed_output(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Return ``softmax(Q K^T) V^T``, as a line of a lecture has it, (T, T), where torch can compute it.

    Raises ShapeError, with torch's reason, where the number of tokens is not the width.
    """
    weights = torch.softmax(queries @ keys.T, -1)
    try:
        return weights @ values.T
    except RuntimeError as error:
        raise ShapeError(f"softmax(Q Kᵀ) Vᵀ needs as many tokens as units: {error}") from error
