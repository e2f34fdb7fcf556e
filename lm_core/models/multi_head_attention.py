"""Multi-head attention: the one layer of every transformer here, and the same one head by head.

`MultiHeadAttention` stores the query, key and value matrices of all heads side by side in one, as
torch does, and hands queries, keys and values to an attention function: torch's fused kernel by
default, `recording` where every stage is to be seen. `head_by_head` computes the same layer as one
would write it down, with a matrix for each head.

With ``d = D / H`` the matrices of H heads have ``3 x D x d x H = 3 x D x D`` numbers, whatever H is.

With grouped queries only G of the H heads have keys and values, and H / G heads share each of them, so
that a cache holds G / H of the numbers; G = 1 is multi-query attention.

With query-key normalisation each head's queries and keys are divided by their root mean square, and
multiplied by a learned gain for each of the d places. A query and a key then have a length of about
``sqrt(d)``, so that a scaled score is at most ``sqrt(d)`` times the largest product of two gains:
without it nothing bounds the scores, and a head ends up with all its weight on one key.

References
----------
Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need" (multi-query attention).
https://arxiv.org/abs/1911.02150
Ainslie et al. 2023, "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head
Checkpoints". https://arxiv.org/abs/2305.13245
Henry et al. 2020, "Query-Key Normalization for Transformers". https://arxiv.org/abs/2010.04245
OLMo et al. 2024, "2 OLMo 2 Furious" (RMSNorm of queries and keys). https://arxiv.org/abs/2501.00656
Yang et al. 2025, "Qwen3 Technical Report" (head by head). https://arxiv.org/abs/2505.09388
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.models.attention import (
    AttentionTrace,
    additive_mask,
    attend,
    fused_attention,
    unfused_attention,
)
from lm_core.models.positional_encoding.relative import rotate

KeysValues = tuple[Tensor, Tensor]
"""What a cache holds: keys and values of S tokens, each (B, S, G d), after any norm, before any rotation."""

_NORM_EPSILON = 1e-6  # as in OLMo 2 and Qwen 3


@dataclass(frozen=True)
class AttentionMask:
    """Which keys each query may attend to, and how their positions enter the scores.

    The T queries are the last of the S keys' positions.
    """

    visible: Tensor
    """bool Tensor, broadcasts to (B, H, T, S). True where the query may attend to the key."""
    dtype: torch.dtype
    """Torch.dtype. Of the queries: with another torch's fused kernel adds up something else on
    some processors, without a word."""
    bias: Tensor | None = None
    """Of shape (H, T, S). Added to the scaled scores."""
    rotation: tuple[Tensor, Tensor] | None = None
    """Pair of Tensor of shape (S, d / 2). Cosines and sines of rotary positions."""

    def rotate(self, queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries (..., T, d) and keys (..., S, d), rotated if positions are rotary."""
        if self.rotation is None:
            return queries, keys
        cosines, sines = (table[-queries.shape[-2] :] for table in self.rotation)
        return rotate(queries, (cosines, sines)), rotate(keys, self.rotation)

    @cached_property
    def additive(self) -> Tensor:
        """Mask and bias as one: what is added to the scaled scores."""
        return additive_mask(self.visible, self.bias, self.dtype)


AttentionFunction = Callable[[Tensor, Tensor, Tensor, AttentionMask], Tensor]
"""From queries (B, H, T, d), keys (B, H, S, d), values (B, H, S, d), mask to outputs (B, H, T, d)."""


def fastest_attention(queries: Tensor, keys: Tensor, values: Tensor, mask: AttentionMask) -> Tensor:
    """Compute the outputs alone, by the fastest way there is."""
    is_slow_when_fused = queries.dtype == torch.bfloat16 and queries.device.type == "cpu"
    attention = unfused_attention if is_slow_when_fused else fused_attention
    return attention(queries, keys, values, mask.additive)


def recording(
    traces: list[AttentionTrace], *, scale: float | None = None, temperature: float = 1.0
) -> AttentionFunction:
    """Return an attention function that appends every stage of what it computes to `traces`."""

    def attention(queries: Tensor, keys: Tensor, values: Tensor, mask: AttentionMask) -> Tensor:
        trace = attend(
            queries,
            keys,
            values,
            mask.visible,
            bias=mask.bias,
            scale=scale,
            temperature=temperature,
        )
        traces.append(trace)
        return trace.output

    return attention


class MultiHeadAttention(nn.Module):
    """H heads of width d between tokens of width D, their outputs mixed by one more matrix.

    Raises SettingError if a size is not positive, or D cannot be shared out evenly among the heads, or
    the heads among those that have keys and values.

    Parameters
    ----------
    width, heads : int, D and H
    head_width : int, d; by default D / H
    key_value_heads : int, G, heads that have keys and values of their own; by default all
    query_key_norm : bool, whether the queries and keys of each head are normalised, before any rotation
    bias : bool, whether the projections and the output add one
    """

    def __init__(
        self,
        width: int,
        heads: int,
        head_width: int | None = None,
        *,
        key_value_heads: int | None = None,
        query_key_norm: bool = False,
        bias: bool = False,
    ) -> None:
        super().__init__()
        sizes = {"width": width, "heads": heads, "head_width": head_width}
        for name, size in {**sizes, "key_value_heads": key_value_heads}.items():
            if size is not None and size < 1:
                raise SettingError(f"{name} must be at least 1, got {size}")
        if head_width is None and width % heads:
            raise SettingError(
                f"width must be a multiple of heads, got {width} and {heads}: or say how wide a"
                " head is"
            )
        self.heads, self.key_value_heads = heads, key_value_heads or heads
        if heads % self.key_value_heads:
            raise SettingError(
                f"heads must be a multiple of key_value_heads, got {heads} and {key_value_heads}"
            )
        head_width = width // heads if head_width is None else head_width
        inner = heads * head_width
        rows = inner + 2 * self.key_value_heads * head_width
        self.projections = nn.Linear(width, rows, bias=bias)  # query, key, value
        self.output = nn.Linear(inner, width, bias=bias)
        self.query_norm = nn.RMSNorm(head_width, _NORM_EPSILON) if query_key_norm else None
        self.key_norm = nn.RMSNorm(head_width, _NORM_EPSILON) if query_key_norm else None

    def forward(
        self,
        x: Tensor,
        mask: AttentionMask,
        past: KeysValues | None = None,
        *,
        attention: AttentionFunction = fastest_attention,
    ) -> tuple[Tensor, KeysValues]:
        """Let each token attend to the tokens before it in the batch's text, and in the past.

        Parameters
        ----------
        x : Tensor of shape (B, T, D)
        mask : AttentionMask, of T queries and S keys; S = M + T after M tokens in the past
        past : pair of Tensor of shape (B, M, G d), cached keys and values
        attention : AttentionFunction, what is computed between the projections

        Returns
        -------
        output : Tensor of shape (B, T, D)
        keys_values : pair of Tensor of shape (B, S, G d), the past's and the new ones
        """
        queries, keys, values = linear(self.projections, x).split(self._rows(), -1)
        keys = normalise_heads(self.key_norm, keys)
        if past is not None:
            keys, values = torch.cat([past[0], keys], 1), torch.cat([past[1], values], 1)
        return self._attend(queries, (keys, values), mask, attention), (keys, values)

    def keys_values(self, memory: Tensor) -> KeysValues:
        """Return keys and values, each (B, S, G d), of another text (B, S, D), for `cross`."""
        rows = slice(self.output.in_features, None)
        keys, values = self._project(memory, rows).chunk(2, -1)
        return normalise_heads(self.key_norm, keys), values

    def cross(
        self,
        x: Tensor,
        keys_values: KeysValues,
        mask: AttentionMask,
        *,
        attention: AttentionFunction = fastest_attention,
    ) -> Tensor:
        """Let each token of x (B, T, D) attend to another text; return (B, T, D).

        Parameters
        ----------
        x : Tensor of shape (B, T, D)
        keys_values : pair of Tensor of shape (B, S, G d), the other text's, from `keys_values`
        mask : AttentionMask, of T queries and S keys
        """
        queries = self._project(x, slice(self.output.in_features))
        return self._attend(queries, keys_values, mask, attention)

    def _rows(self) -> list[int]:
        """Return how many rows of the projections are those of queries, of keys and of values."""
        inner = self.output.in_features
        shared = inner // self.heads * self.key_value_heads
        return [inner, shared, shared]

    def _project(self, x: Tensor, rows: slice) -> Tensor:
        """Apply some rows of the projections, in the arithmetic of x."""
        stored: Tensor | None = self.projections.bias
        bias = None if stored is None else stored[rows].to(x.dtype)
        return F.linear(x, self.projections.weight[rows].to(x.dtype), bias)

    def _attend(
        self,
        queries: Tensor,
        keys_values: KeysValues,
        mask: AttentionMask,
        attention: AttentionFunction,
    ) -> Tensor:
        queries = normalise_heads(self.query_norm, queries)
        q = split_heads(queries, self.heads)
        k, v = (split_heads(tensor, self.key_value_heads) for tensor in keys_values)
        q, k = mask.rotate(q, k)
        group = self.heads // self.key_value_heads
        outputs = attention(q, share_heads(k, group), share_heads(v, group), mask)
        return linear(self.output, join_heads(outputs))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights from `rng`, with a standard deviation of 1 / sqrt(3 inputs)."""
        for layer in (self.projections, self.output):
            layer.weight.normal_(0.0, (3.0 * layer.in_features) ** -0.5, generator=rng)
            if layer.bias is not None:
                layer.bias.zero_()


class HeadWeights(NamedTuple):
    """The matrices of one head: ``Q = X query``, ``K = X key``, ``V = X value``, each (D, d)."""

    query: Tensor
    key: Tensor
    value: Tensor


def head_weights(layer: MultiHeadAttention) -> tuple[HeadWeights, ...]:
    """Return the matrices of each head: views into the layer's one.

    `nn.Linear` stores (outputs, inputs), so that ``projections.weight`` has 3 H d rows: those of the
    queries of head 0, head 1, ..., then of the keys, then of the values. With grouped queries there are
    G keys and values, and heads that share them get the same matrices.
    """
    by_head = _rows_of_heads(layer, layer.projections.weight)
    return tuple(HeadWeights(*(part.T for part in parts)) for parts in by_head)


def head_by_head(layer: MultiHeadAttention, x: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute a layer as one would write it down: head after head, then side by side, then mixed.

    Parameters
    ----------
    x : Tensor of shape (..., T, D)
    mask : bool Tensor, optional
        Broadcasts to (..., T, T). True where the query may attend to the key.
    """
    outputs = []
    for head, bias in zip(head_weights(layer), _head_biases(layer), strict=True):
        queries = normalise_heads(layer.query_norm, x @ head.query + bias[0])
        keys = normalise_heads(layer.key_norm, x @ head.key + bias[1])
        outputs.append(attend(queries, keys, x @ head.value + bias[2], mask).output)
    return linear(layer.output, torch.cat(outputs, -1))


def _head_biases(layer: MultiHeadAttention) -> list[tuple[Tensor, ...]]:
    """Return what each head adds to its queries, keys and values, each (d,); zeros without a bias."""
    stored: Tensor | None = layer.projections.bias
    bias = layer.projections.weight.new_zeros(layer.projections.out_features)
    return _rows_of_heads(layer, bias if stored is None else stored)


def _rows_of_heads(layer: MultiHeadAttention, rows: Tensor) -> list[tuple[Tensor, ...]]:
    """Return of each head the rows of its queries, of its keys and of its values, each (d, ...)."""
    width = layer.output.in_features // layer.heads
    found = rows.unflatten(0, (-1, width))  # (H + 2 G, d, ...)
    n_shared, group = layer.key_value_heads, layer.heads // layer.key_value_heads
    return [
        (
            found[head],
            found[layer.heads + head // group],
            found[layer.heads + n_shared + head // group],
        )
        for head in range(layer.heads)
    ]


def projection_parameters(width: int, heads: int, head_width: int | None = None) -> int:
    """Return how many numbers the query, key and value matrices of all heads hold: 3 x D x d x H."""
    return 3 * width * (width // heads if head_width is None else head_width) * heads


def normalise_heads(norm: nn.RMSNorm | None, x: Tensor) -> Tensor:
    """Bring each head's vectors in x (..., H d) to one length, times a gain; unchanged without a norm."""
    if norm is None:
        return x
    heads = x.unflatten(-1, (-1, *norm.normalized_shape))
    return F.rms_norm(heads, norm.normalized_shape, norm.weight.to(x.dtype), norm.eps).flatten(-2)


def split_heads(tensor: Tensor, heads: int) -> Tensor:
    """Make the heads an axis: (B, T, H d) becomes (B, H, T, d)."""
    return tensor.unflatten(-1, (heads, -1)).transpose(-2, -3)


def share_heads(tensor: Tensor, group: int) -> Tensor:
    """Give each of a group of heads in a row the same keys or values: (B, G, S, d) becomes (B, H, S, d)."""
    return tensor if group == 1 else tensor.repeat_interleave(group, 1)


def join_heads(tensor: Tensor) -> Tensor:
    """Lay the heads side by side again: (B, H, T, d) becomes (B, T, H d)."""
    return tensor.transpose(-2, -3).flatten(-2)


def linear(layer: nn.Linear, x: Tensor) -> Tensor:
    """Apply a layer in the arithmetic of its input, whatever that of its weights is."""
    bias = None if layer.bias is None else layer.bias.to(x.dtype)
    return F.linear(x, layer.weight.to(x.dtype), bias)
