"""How many parameters heads cost, counted in real layers, and whether both ways to compute agree."""

from typing import NamedTuple

import torch

from lm_core.models.multi_head_attention import (
    AttentionMask,
    MultiHeadAttention,
    head_by_head,
    head_weights,
)


class HeadCount(NamedTuple):
    """One layer of attention."""

    heads: int
    head_width: int
    """`heads` and `head_width`: H and d."""
    in_heads: int
    """Numbers in the query, key and value matrices of all heads, counted head by head."""
    in_projections: int
    """The same in the layer's one matrix, in which they lie side by side."""
    in_output: int
    """Numbers in the matrix that mixes the heads."""
    difference: float
    """Largest difference between the outputs of the layer and of `head_by_head`, for the same
    random input."""


@torch.inference_mode()
def count_heads(
    width: int, heads: int, rng: torch.Generator, *, head_width: int | None = None, length: int = 10
) -> HeadCount:
    """Build a layer, count what it holds, and run it in both ways on the same input.

    Raises SettingError if D cannot be shared out evenly and no head width is given.

    Parameters
    ----------
    width, heads : int, D and H
    rng : torch.Generator, draws weights and input
    head_width : int, d; by default D / H
    length : int, tokens of the input
    """
    layer = MultiHeadAttention(width, heads, head_width)
    layer.initialise(rng)
    x = torch.randn(1, length, width, generator=rng)
    output, _ = layer(x, AttentionMask(torch.ones(1, 1, dtype=torch.bool), x.dtype))
    matrices = head_weights(layer)
    return HeadCount(
        heads,
        matrices[0].query.shape[1],
        sum(matrix.numel() for head in matrices for matrix in head),
        layer.projections.weight.numel(),
        layer.output.weight.numel(),
        float((output - head_by_head(layer, x)).abs().max()),
    )
