"""Scaled dot-product attention: scores, masks, and the weighted mean of the values.

    attention(Q, K, V) = softmax(Q K^T / sqrt(d) + bias) V        Vaswani et al. 2017, eq. (1)

`attend` computes each stage and returns them all. `fused_attention` returns the output alone, from
torch's kernel, which never holds the weights. They agree to rounding, which a test holds.

A mask is boolean and broadcasts to the scores, (..., queries, keys): True where the query may attend
to the key, as in `F.scaled_dot_product_attention`. (`nn.MultiheadAttention` has the opposite sense.)
A query that may attend to nothing has no softmax. Here its weights and its output are **zero**.

References
----------
Vaswani et al. 2017, "Attention Is All You Need". https://arxiv.org/abs/1706.03762
Bahdanau, Cho & Bengio 2015, "Neural Machine Translation by Jointly Learning to Align and
Translate" (additive scores). https://arxiv.org/abs/1409.0473
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError

# Scores ---------------------------------------------------------------------------------------


def dot_product_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Return ``q . k`` of every pair, (..., T, S), of queries (..., T, d) and keys (..., S, d).

    Raises ShapeError if queries and keys have different widths.
    """
    if queries.shape[-1] != keys.shape[-1]:
        raise ShapeError(
            "queries and keys must have one width for a dot product, got"
            f" {queries.shape[-1]} and {keys.shape[-1]}: project them, or use additive scores"
        )
    return queries @ keys.transpose(-1, -2)


class AdditiveScores(nn.Module):
    """``v . tanh(q W_q + k W_k)``: a small network compares query and key, which may differ in width."""

    def __init__(self, query_width: int, key_width: int, hidden_width: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.empty(query_width, hidden_width))
        self.key = nn.Parameter(torch.empty(key_width, hidden_width))
        self.direction = nn.Parameter(torch.empty(hidden_width))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the scores (..., T, S) of queries (..., T, d_q) and keys (..., S, d_k)."""
        return self.compare(queries @ self.query, keys @ self.key)

    def compare(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the scores (..., T, S) of queries (..., T, h) and keys (..., S, h) projected before."""
        summed = queries.unsqueeze(-2) + keys.unsqueeze(-3)
        return torch.tanh(summed) @ self.direction  # (..., T, S, h) x (h) -> (..., T, S)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights so that the sums before tanh have about the inputs' variance."""
        for weight in (self.query, self.key):
            weight.normal_(0.0, weight.shape[0] ** -0.5, generator=rng)
        self.direction.normal_(0.0, len(self.direction) ** -0.5, generator=rng)


# Masks ----------------------------------------------------------------------------------------


def distances(n_queries: int, n_keys: int, *, device: torch.device | str = "cpu") -> Tensor:
    """Return how far each key lies behind each query, int64 (n_queries, n_keys); negative is ahead.

    The queries are the last positions of the keys.
    """
    keys = torch.arange(n_keys, device=device)
    return keys[n_keys - n_queries :, None] - keys


def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    *,
    window: int | None = None,
    device: torch.device | str = "cpu",
) -> Tensor:
    """Let each position attend to itself and to what came before it.

    Raises SettingError if there are fewer keys than queries, no query, or no window.

    The result: bool Tensor of shape (n_queries, n_keys).

    Parameters
    ----------
    n_queries : int, at least 1
    n_keys : int, optional
        At least `n_queries`: the queries are the **last** positions of the keys, as when a text is
        read on from a cache. By default there are as many keys as queries.
    window : int, positions that each may attend to, itself included, at least 1; by default all

    Examples
    --------
    >>> causal_mask(2, 3).int().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    n_keys = n_queries if n_keys is None else n_keys
    if not 1 <= n_queries <= n_keys:
        raise SettingError(
            f"n_queries must lie between 1 and n_keys, got {n_queries} queries and {n_keys} keys"
        )
    if window is not None and window < 1:
        raise SettingError(f"window must be at least 1, got {window}")
    distance = distances(n_queries, n_keys, device=device)
    mask = distance >= 0
    return mask if window is None else mask & (distance < window)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """Mask what only fills up a shorter text, for every query alike.

    Raises ShapeError if the lengths are no vector, and SettingError if a length lies outside its
    range.

    `lengths`: int Tensor of shape (B,), tokens of each text that are its own, from 0 to `n_keys`.
    The result: bool Tensor of shape (B, 1, n_keys).
    """
    if lengths.dim() != 1:
        raise ShapeError(f"lengths must have shape (B,), got {tuple(lengths.shape)}")
    if len(lengths) and (int(lengths.min()) < 0 or int(lengths.max()) > n_keys):
        raise SettingError(f"lengths must lie in [0, {n_keys}], got {lengths.tolist()}")
    return torch.arange(n_keys, device=lengths.device) < lengths[:, None, None]


def additive_mask(mask: Tensor, bias: Tensor | None, dtype: torch.dtype) -> Tensor:
    """Return mask and bias as one, to be added to scaled scores: minus infinity where masked."""
    added = torch.zeros((), device=mask.device) if bias is None else bias
    return added.to(dtype).masked_fill(~mask, float("-inf"))


# Attention ------------------------------------------------------------------------------------


class AttentionTrace(NamedTuple):
    """Every stage of one attention, in the order in which they are computed.

    T queries attend to S keys; leading axes (batch, head) are the same in all.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    """`queries`, `keys` and `values`: of shape (..., T, d), (..., S, d), (..., S, v)."""
    scores: Tensor
    """Of shape (..., T, S). ``q . k``."""
    scaled_scores: Tensor
    """Of shape (..., T, S). Times the scale, divided by the temperature, plus the bias, if there
    is one."""
    masked_scores: Tensor
    """Of shape (..., T, S). Minus infinity where masked."""
    weights: Tensor
    """Of shape (..., T, S). Rows sum to one; a row that is masked throughout is zero."""
    output: Tensor
    """Of shape (..., T, v)."""


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None = None,
    *,
    bias: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
) -> AttentionTrace:
    """Mix the values, each query by its own weights, and return every stage.

    Raises SettingError if the temperature is not positive, and ShapeError if widths or lengths do
    not fit.

    Parameters
    ----------
    queries, keys, values : Tensor of shape (..., T, d), (..., S, d), (..., S, v)
    mask : bool Tensor, optional
        Broadcasts to (..., T, S). True where the query may attend to the key.
    bias : Tensor, added to the scaled scores; broadcasts to (..., T, S)
    scale : float, what the scores are multiplied with: by default 1 / sqrt(d); 1 for none
    temperature : float, above 0
        Above 1 evens the weights out, below 1 sharpens them; works on the scaled scores.
    """
    if not temperature > 0.0:
        raise SettingError(f"temperature must be positive, got {temperature}")
    _require_shapes(queries, keys, values, mask)
    scores = dot_product_scores(queries, keys)
    scaled = scores * ((queries.shape[-1] ** -0.5 if scale is None else scale) / temperature)
    scaled = scaled if bias is None else scaled + bias
    masked = scaled if mask is None else scaled.masked_fill(~mask, float("-inf"))
    weights = masked_softmax(masked)
    return AttentionTrace(queries, keys, values, scores, scaled, masked, weights, weights @ values)


def masked_softmax(masked_scores: Tensor) -> Tensor:
    """Return the softmax over the last axis; a row of nothing but minus infinity becomes zero."""
    # Such a row is NaN after the softmax, and nothing else is.
    weights = masked_scores.softmax(-1)
    nothing = (masked_scores == float("-inf")).all(-1, keepdim=True)
    return weights.masked_fill(nothing, 0.0)


def fused_attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Return `attend`'s output alone, (..., T, v), from torch's fused kernel.

    Parameters
    ----------
    queries, keys, values : Tensor of shape (..., T, d), (..., S, d), (..., S, v)
        Torch wants at least one leading axis for its fast kernels.
    mask : bool or float Tensor, as for `attend`, or an `additive_mask`, which masks and adds a bias
    """
    # A row that is masked throughout comes back as zero from torch, too.
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


def unfused_attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Return what `fused_attention` returns, (B, H, T, v), from three plain products.

    On processors, torch's fused kernel is slow in bfloat16 when it goes backwards: for windows of
    64 to 256 tokens, the whole square of weights takes a third to a fifth of the time. No row may
    be masked throughout.

    Parameters
    ----------
    queries, keys, values : Tensor of shape (B, H, T, d), (B, H, S, d), (B, H, S, v)
    mask : float Tensor, an `additive_mask`
    """
    batch, heads, n_queries, width = queries.shape
    mask = mask.expand(batch, heads, n_queries, keys.shape[2]).flatten(0, 1)  # (B H, T, S)
    queries, keys, values = (tensor.flatten(0, 1) for tensor in (queries, keys, values))
    scores = torch.baddbmm(mask, queries, keys.mT, alpha=width**-0.5)
    return (scores.softmax(-1) @ values).unflatten(0, (batch, heads))


def _require_shapes(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> None:
    if keys.shape[-2] != values.shape[-2]:
        raise ShapeError(
            f"each key needs a value, got {keys.shape[-2]} keys and {values.shape[-2]} values"
        )
    wanted = (queries.shape[-2], keys.shape[-2])
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise ShapeError(f"mask must be boolean, True for may attend, got {mask.dtype}")
    if any(n not in (1, m) for n, m in zip(mask.shape[-2:], wanted, strict=True)):
        raise ShapeError(
            f"mask must broadcast to (..., {wanted[0]}, {wanted[1]}), got {tuple(mask.shape)}"
        )
