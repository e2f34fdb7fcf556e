"""Attention heads: one, several with weights of their own, and all of them in one product.

The same layer in two forms. `MultiHeadAttention` keeps a query, key and value matrix for each head,
as one would write it down; `FusedMultiHeadAttention` keeps all of them side by side in one matrix, as
`nn.MultiheadAttention` does, so that the heads become one more axis. `fused_from_heads` turns the
first into the second, and `heads_of_torch` recovers the heads from torch's own layer.

With ``d = D / H`` the matrices of H heads have ``3 x D x d x H = 3 x D x D`` numbers, whatever H is.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.models.attention import AttentionTrace, attend, fused_attention


class HeadWeights(NamedTuple):
    """What one head multiplies with: ``Q = X query + query_bias``, and so on.

    Attributes
    ----------
    query, key, value : Tensor of shape (D, d), (D_context, d), (D_context, v)
    query_bias, key_bias, value_bias : Tensor of shape (d,), (d,), (v,)
    """

    query: Tensor
    key: Tensor
    value: Tensor
    query_bias: Tensor
    key_bias: Tensor
    value_bias: Tensor


class AttentionHead(nn.Module):
    """A single head: three matrices and the attention between them.

    Parameters
    ----------
    width : int
        D, of the vectors that ask.
    key_width, value_width : int
        d and v.
    context_width : int, optional
        Of the vectors that are looked at, if they are others (cross-attention); by default D.
    """

    def __init__(
        self, width: int, key_width: int, value_width: int, context_width: int | None = None
    ) -> None:
        super().__init__()
        _require_sizes(width=width, key_width=key_width, value_width=value_width)
        context_width = width if context_width is None else context_width
        self.query = nn.Parameter(torch.empty(width, key_width))
        self.key = nn.Parameter(torch.empty(context_width, key_width))
        self.value = nn.Parameter(torch.empty(context_width, value_width))

    def forward(
        self, x: Tensor, context: Tensor | None = None, allowed: Tensor | None = None
    ) -> AttentionTrace:
        """Let x (..., T, D) look at context (..., S, D_context), or at itself; keep every stage."""
        context = x if context is None else context
        return attend(x @ self.query, context @ self.key, context @ self.value, allowed)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights from `rng`, with a standard deviation of 1 / sqrt(inputs)."""
        for weight in (self.query, self.key, self.value):
            weight.normal_(0.0, weight.shape[0] ** -0.5, generator=rng)


class MultiHeadAttention(nn.Module):
    """Several heads, each with its own matrices; their outputs side by side, mixed by one more.

    Parameters
    ----------
    width, heads : int
        D and H.
    key_width, value_width : int, optional
        Of each head; by default D / H.
    context_width : int, optional
        As for an `AttentionHead`.

    Raises
    ------
    SettingError
        If a size is not positive, or D cannot be shared out evenly among the heads.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        key_width: int | None = None,
        value_width: int | None = None,
        context_width: int | None = None,
    ) -> None:
        super().__init__()
        key_width, value_width = _widths(width, heads, key_width, value_width)
        self.heads = nn.ModuleList(
            AttentionHead(width, key_width, value_width, context_width) for _ in range(heads)
        )
        self.output = nn.Parameter(torch.empty(heads * value_width, width))

    def forward(
        self, x: Tensor, context: Tensor | None = None, allowed: Tensor | None = None
    ) -> Tensor:
        """Return (..., T, D), for x of shape (..., T, D)."""
        outputs = [trace.output for trace in self.trace(x, context, allowed)]
        return torch.cat(outputs, -1) @ self.output

    def trace(
        self, x: Tensor, context: Tensor | None = None, allowed: Tensor | None = None
    ) -> tuple[AttentionTrace, ...]:
        """Return every stage of every head."""
        return tuple(head(x, context, allowed) for head in self.heads)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw all weights from `rng`."""
        for head in self.heads:
            head.initialise(rng)
        self.output.normal_(0.0, self.output.shape[0] ** -0.5, generator=rng)


class FusedMultiHeadAttention(nn.Module):
    """`MultiHeadAttention` with one product for all heads, and torch's fused kernel between them.

    Parameters
    ----------
    width, heads, key_width, value_width, context_width
        As for `MultiHeadAttention`.
    bias : bool
        Whether each projection adds a learned vector, as `nn.MultiheadAttention` does by default.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        key_width: int | None = None,
        value_width: int | None = None,
        context_width: int | None = None,
        *,
        bias: bool = False,
    ) -> None:
        super().__init__()
        key_width, value_width = _widths(width, heads, key_width, value_width)
        context_width = width if context_width is None else context_width
        self.n_heads = heads
        self.query = nn.Linear(width, heads * key_width, bias)
        self.key = nn.Linear(context_width, heads * key_width, bias)
        self.value = nn.Linear(context_width, heads * value_width, bias)
        self.output = nn.Linear(heads * value_width, width, bias)

    def forward(
        self, x: Tensor, context: Tensor | None = None, allowed: Tensor | None = None
    ) -> Tensor:
        """Return (B, T, D) for x (B, T, D); allowed broadcasts to (B, T, S)."""
        mixed = fused_attention(*self._projected(x, context), _over_heads(allowed))
        return self.output(joined_heads(mixed))

    def trace(
        self, x: Tensor, context: Tensor | None = None, allowed: Tensor | None = None
    ) -> AttentionTrace:
        """Return every stage of every head: tensors of shape (B, H, ...)."""
        return attend(*self._projected(x, context), _over_heads(allowed))

    def _projected(self, x: Tensor, context: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        context = x if context is None else context
        projected = self.query(x), self.key(context), self.value(context)
        return tuple(split_heads(tensor, self.n_heads) for tensor in projected)


def split_heads(tensor: Tensor, heads: int) -> Tensor:
    """Make the heads an axis: (B, T, H d) becomes (B, H, T, d)."""
    return tensor.unflatten(-1, (heads, -1)).transpose(-2, -3)


def joined_heads(tensor: Tensor) -> Tensor:
    """Lay the heads side by side again: (B, H, T, d) becomes (B, T, H d)."""
    return tensor.transpose(-2, -3).flatten(-2)


@torch.no_grad()
def fused_from_heads(layer: MultiHeadAttention) -> FusedMultiHeadAttention:
    """Return the same layer with the matrices of all heads side by side."""
    first = layer.heads[0]
    (width, key_width), (context_width, value_width) = first.query.shape, first.value.shape
    fused = FusedMultiHeadAttention(
        width, len(layer.heads), key_width, value_width, context_width
    ).to(first.query)
    for name in ("query", "key", "value"):
        side_by_side = torch.cat([getattr(head, name) for head in layer.heads], 1)  # (D, H d)
        getattr(fused, name).weight.copy_(side_by_side.T)  # nn.Linear keeps (outputs, inputs)
    fused.output.weight.copy_(layer.output.T)
    return fused


@torch.no_grad()
def heads_of_torch(layer: nn.MultiheadAttention) -> tuple[HeadWeights, ...]:
    """Recover the matrices of each head from torch's layer, which keeps all in one parameter.

    ``in_proj_weight`` has 3 D rows: those of the queries of head 0, head 1, ..., then of the keys,
    then of the values. A head's matrix is its rows, turned over.

    Raises
    ------
    SettingError
        If the layer was made with other key or value inputs: then it keeps three parameters.
    """
    if layer.in_proj_weight is None:
        raise SettingError("kdim and vdim of the layer must be its embed_dim")
    size = layer.embed_dim // layer.num_heads
    weights = layer.in_proj_weight.unflatten(0, (3, layer.num_heads, size))  # (3, H, d, D)
    bias = layer.in_proj_bias
    biases = (
        weights.new_zeros(3, layer.num_heads, size)
        if bias is None
        else bias.unflatten(0, (3, layer.num_heads, size))
    )
    return tuple(
        HeadWeights(*(matrix.T.clone() for matrix in weights[:, head]), *biases[:, head].clone())
        for head in range(layer.num_heads)
    )


def projection_parameters(width: int, heads: int, head_width: int | None = None) -> int:
    """Return how many numbers the query, key and value matrices of all heads hold: 3 x D x d x H."""
    return 3 * width * (width // heads if head_width is None else head_width) * heads


def _over_heads(allowed: Tensor | None) -> Tensor | None:
    """Give a mask (T, S) or (B, T, S) an axis for the heads, for which it is the same."""
    return allowed if allowed is None or allowed.dim() == 2 else allowed.unsqueeze(-3)


def _widths(
    width: int, heads: int, key_width: int | None, value_width: int | None
) -> tuple[int, int]:
    _require_sizes(width=width, heads=heads)
    if width % heads and None in (key_width, value_width):
        raise SettingError(
            f"width must be a multiple of heads, got {width} and {heads}: or say how wide a head is"
        )
    key_width = width // heads if key_width is None else key_width
    value_width = width // heads if value_width is None else value_width
    _require_sizes(key_width=key_width, value_width=value_width)
    return key_width, value_width


def _require_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise SettingError(f"{name} must be at least 1, got {size}")
