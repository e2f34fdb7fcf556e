"""Everything that a transformer computes on the way from a sentence to its predictions, for display.

The same blocks as in training, with `attend` between the tokens instead of the fused kernel, so that
every stage of every head is kept; and with switches: heads and layers knocked out, the scale, the
temperature and the mask.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.attention import AttentionTrace, attend
from lm_core.models.multi_head_attention import joined_heads, split_heads
from lm_core.models.transformer import TransformerLanguageModel

Head = tuple[int, int]
"""Layer and head, both from 0."""


@dataclass(frozen=True)
class Intervention:
    """What is done to a model while it reads; by default nothing.

    Attributes
    ----------
    heads : frozenset of (layer, head)
        Knocked out: their output is zero.
    layers : frozenset of int
        Knocked out: the residual stream passes them by.
    is_scaled : bool
        Whether scores are divided by the square root of the head's width.
    temperature : float, above 0
        Of all attention: above 1 evener, below 1 sharper.
    is_causal : bool or None
        Whether the mask is on; None leaves it as the model was trained.
    """

    heads: frozenset[Head] = frozenset()
    layers: frozenset[int] = frozenset()
    is_scaled: bool = True
    temperature: float = 1.0
    is_causal: bool | None = None


@dataclass(frozen=True)
class LayerTrace:
    """One block at work on T tokens.

    Attributes
    ----------
    attention : AttentionTrace
        Of all H heads: tensors of shape (H, T, ...). Queries and keys are as they are compared,
        after any rotation; the weights of a knocked-out head are those it would have had.
    before, between, after : Tensor of shape (T, D)
        The residual stream: given to the block, after attention, after the network.
    """

    attention: AttentionTrace
    before: Tensor
    between: Tensor
    after: Tensor


@dataclass(frozen=True)
class TransformerTrace:
    """All layers, and what is predicted in the end.

    Attributes
    ----------
    tokens : int64 Tensor of shape (T,)
    layers : tuple of LayerTrace
        A knocked-out layer has its trace as well; its `after` is its `before`.
    logits : Tensor of shape (T, V)
        Row t predicts the token after ``tokens[t]``.
    """

    tokens: Tensor
    layers: tuple[LayerTrace, ...]
    logits: Tensor

    @property
    def weights(self) -> Tensor:
        """Attention weights of all heads, (layers, H, T, T): queries down, keys across."""
        return torch.stack([layer.attention.weights for layer in self.layers])

    @property
    def losses(self) -> Tensor:
        """Nats of each token but the first, (T - 1,)."""
        return F.cross_entropy(self.logits[:-1], self.tokens[1:], reduction="none")


@torch.inference_mode()
def trace(
    model: TransformerLanguageModel, tokens: Tensor, intervention: Intervention | None = None
) -> TransformerTrace:
    """Read a sentence from a blank memory and keep every stage of every head.

    Parameters
    ----------
    model : TransformerLanguageModel
    tokens : int64 Tensor of shape (T,)
        At least 1 and at most the model's context C.
    intervention : Intervention, optional

    Raises
    ------
    TextError
        If the sentence is empty or longer than the context.
    SettingError
        If a head or layer is not one of the model's, or the temperature not positive.
    """
    wanted = intervention or Intervention()
    _require(model, tokens, wanted)
    config, dtype = model.config, model.embedding.weight.dtype
    sight = model.sight(0, len(tokens), dtype)
    if wanted.is_causal is not None:
        sight = replace(
            sight,
            allowed=sight.allowed.tril() if wanted.is_causal else torch.ones_like(sight.allowed),
        )
    x = model.embed(tokens[None], 0, dtype)
    layers: list[LayerTrace] = []
    for i, block in enumerate(model.blocks):
        kept: list[AttentionTrace] = []
        shares = x.new_tensor([(i, head) not in wanted.heads for head in range(config.heads)])

        def look(
            queries: Tensor,
            keys: Tensor,
            values: Tensor,
            kept: list[AttentionTrace] = kept,
            shares: Tensor = shares,
        ) -> Tensor:
            queries, keys, values = (split_heads(t, config.heads) for t in (queries, keys, values))
            stages = attend(
                *sight.turned(queries, keys),
                values,
                sight.allowed,
                bias=sight.bias,
                scale=None if wanted.is_scaled else 1.0,
                temperature=wanted.temperature,
            )
            kept.append(stages)
            return joined_heads(stages.output * shares[:, None, None])

        between = block.attention(x, look, _unchanged)
        after = block.feed_forward(between, _unchanged)
        if i in wanted.layers:
            between = after = x
        stages = AttentionTrace(*(tensor[0] for tensor in kept[0]))
        layers.append(LayerTrace(stages, x[0], between[0], after[0]))
        x = after
    return TransformerTrace(tokens, tuple(layers), model.predict(x)[0])


def entropies(weights: Tensor) -> Tensor:
    """Return how widely each query looks, in bits: (..., T) of weights (..., T, S).

    0 for one key alone, ``log2(n)`` for n keys alike.
    """
    return torch.special.entr(weights).sum(-1) / math.log(2.0)


def peaks(weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return each query's largest weight and the key that has it, both (..., T)."""
    return tuple(weights.max(-1))


def without_sink(weights: Tensor, *, renormalised: bool = True) -> Tensor:
    """Return the weights with the first token's taken away, and the rest brought back to a sum of one.

    Heads with nothing to say lean on the first token. A query that looked at nothing else keeps a
    row of zeros.

    Parameters
    ----------
    weights : Tensor of shape (..., T, S)
    renormalised : bool
        False leaves the other weights as they are.
    """
    others = weights.clone()
    others[..., 0] = 0.0
    if not renormalised:
        return others
    return others / others.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)


def softmax_slopes(weights: Tensor) -> Tensor:
    """Return how strongly a softmax still answers to its scores: the norm of its Jacobian, (..., T).

    The Jacobian of a row w is ``diag(w) - w w^T``. A row that has all but settled on one key hardly
    moves any more, and lets next to no gradient through: the reason for dividing by sqrt(d).
    """
    squares = (weights**2).sum(-1)
    cubes = (weights**3).sum(-1)
    return (squares - 2.0 * cubes + squares**2).clamp_min(0.0).sqrt()


def _unchanged(x: Tensor) -> Tensor:
    return x


def _require(model: TransformerLanguageModel, tokens: Tensor, wanted: Intervention) -> None:
    config = model.config
    if tokens.dim() != 1:
        raise ShapeError(f"tokens must have shape (T,), got {tuple(tokens.shape)}")
    if not 1 <= len(tokens) <= config.context:
        raise TextError(
            f"the sentence must have 1 to {config.context} tokens, it has {len(tokens)}"
        )
    _require_known(wanted.layers, range(config.layers), "layers")
    _require_known([i for i, _ in wanted.heads], range(config.layers), "layers of heads")
    _require_known([head for _, head in wanted.heads], range(config.heads), "heads")


def _require_known(given: Collection[int], known: range, name: str) -> None:
    if strangers := sorted(set(given) - set(known)):
        raise SettingError(f"{name} must lie in [0, {len(known) - 1}], got {strangers}")
