"""How many parameters heads cost, counted in real layers, and whether their two forms agree."""

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import nn

from lm_core.models.multi_head_attention import MultiHeadAttention, fused_from_heads


class HeadCount(NamedTuple):
    """One layer of attention, in both forms.

    Attributes
    ----------
    heads, head_width : int
        H and d.
    in_heads : int
        Numbers in the query, key and value matrices of all heads, each head with its own.
    in_fused : int
        The same in the fused form, where all heads share three matrices.
    in_output : int
        Numbers in the matrix that mixes the heads.
    difference : float
        Largest difference between the two forms' outputs for the same random input.
    """

    heads: int
    head_width: int
    in_heads: int
    in_fused: int
    in_output: int
    difference: float


@torch.inference_mode()
def count_heads(
    width: int, heads: int, rng: torch.Generator, *, head_width: int | None = None, length: int = 10
) -> HeadCount:
    """Build a layer in both forms, count what it holds, and run both on the same input.

    Parameters
    ----------
    width, heads : int
        D and H.
    rng : torch.Generator
        Draws weights and input.
    head_width : int, optional
        d; by default D / H.
    length : int
        Tokens of the input.

    Raises
    ------
    SettingError
        If D cannot be shared out evenly and no head width is given.
    """
    layer = MultiHeadAttention(width, heads, head_width, head_width)
    layer.initialise(rng)
    fused = fused_from_heads(layer)
    x = torch.randn(1, length, width, generator=rng)
    return HeadCount(
        heads,
        layer.heads[0].query.shape[1],
        _numbers(layer.heads.parameters()),
        sum(_numbers(part.parameters()) for part in (fused.query, fused.key, fused.value)),
        layer.output.numel(),
        float((layer(x) - fused(x)).abs().max()),
    )


def _numbers(parameters: Iterable[nn.Parameter]) -> int:
    return sum(parameter.numel() for parameter in parameters)
