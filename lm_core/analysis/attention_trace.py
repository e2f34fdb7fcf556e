"""Tracing: everything that a transformer computes on the way from a sentence to its predictions.

The model reads as it always does (`TransformerLanguageModel.read`); what is changed is the attention
function of its blocks, from the fused kernel to one that records every stage of every head. An
intervention ablates heads and layers, or changes the scale, the temperature and the mask.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.attention import AttentionTrace
from lm_core.models.multi_head_attention import AttentionMask, KeysValues, recording
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import BlockOutput

Head = tuple[int, int]
"""Layer and head, both from 0."""


@dataclass(frozen=True)
class Intervention:
    """What is done to a model while it reads; by default nothing."""

    heads: frozenset[Head] = frozenset()
    """Frozenset of (layer, head). Ablated: their output is zero."""
    layers: frozenset[int] = frozenset()
    """Ablated: the residual stream passes them by."""
    is_scaled: bool = True
    """Whether scores are divided by the square root of the head's width."""
    temperature: float = 1.0
    """Above 0. Of all attention: above 1 evener, below 1 sharper."""
    is_causal: bool | None = None
    """Whether the mask is on; None leaves it as the model was trained."""


@dataclass(frozen=True)
class LayerTrace:
    """One block at work on T tokens."""

    attention: AttentionTrace
    """Of all H heads: tensors of shape (H, T, ...). Queries and keys are as they are compared,
    after any norm and rotation; the weights of an ablated head are those it would have had."""
    before: Tensor
    after_attention: Tensor
    after: Tensor
    """`before`, `after_attention` and `after`: of shape (T, D). The residual stream: given to
    the block, after attention, after the feed-forward network."""


@dataclass(frozen=True)
class TransformerTrace:
    """All layers, and what is predicted in the end."""

    tokens: Tensor
    """int64, of shape (T,)."""
    layers: tuple[LayerTrace, ...]
    """An ablated layer has its trace as well; its `after` is its `before`."""
    logits: Tensor
    """Of shape (T, V). Row t predicts the token after ``tokens[t]``."""

    @property
    def weights(self) -> Tensor:
        """Attention weights of all heads, (layers, H, T, T): queries down, keys across."""
        return torch.stack([layer.attention.weights for layer in self.layers])

    @property
    def losses(self) -> Tensor:
        """Nats of each token but the first, (T - 1,)."""
        return F.cross_entropy(self.logits[:-1], self.tokens[1:], reduction="none")


@torch.inference_mode()
def trace_attention(
    model: TransformerLanguageModel, tokens: Tensor, intervention: Intervention | None = None
) -> TransformerTrace:
    """Read a sentence from an empty memory and return every stage of every head.

    Raises TextError if the sentence is empty or longer than the context, and SettingError if a head
    or layer is not one of the model's, or the temperature not positive.

    `tokens`: int64 Tensor of shape (T,), at least 1 and at most the model's context C.
    """
    wanted = intervention or Intervention()
    _require(model, tokens, wanted)
    stages: list[AttentionTrace] = []
    record = recording(
        stages, scale=None if wanted.is_scaled else 1.0, temperature=wanted.temperature
    )
    layers: list[LayerTrace] = []

    def run_block(
        layer: int, x: Tensor, mask: AttentionMask, past: KeysValues | None
    ) -> BlockOutput:
        shares = x.new_tensor(
            [(layer, head) not in wanted.heads for head in range(model.config.heads)]
        )

        def attention(q: Tensor, k: Tensor, v: Tensor, mask: AttentionMask) -> Tensor:
            return record(q, k, v, mask) * shares[:, None, None]

        output = model.blocks[layer](x, _changed(mask, wanted), past, attention=attention)
        if layer in wanted.layers:
            output = output._replace(after_attention=x, after_feed_forward=x)
        of_the_text = AttentionTrace(*(tensor[0] for tensor in stages[layer]))
        after_attention, after = output.after_attention[0], output.after_feed_forward[0]
        layers.append(LayerTrace(of_the_text, x[0], after_attention, after))
        return output

    logits, _ = model.read(tokens[None], model.initial_state(1), run_block=run_block)
    return TransformerTrace(tokens, tuple(layers), logits[0])


def entropies(weights: Tensor) -> Tensor:
    """Return the entropy of each query's weights, in bits: (..., T) of weights (..., T, S).

    0 for one key alone, ``log2(n)`` for n keys alike.
    """
    return torch.special.entr(weights).sum(-1) / math.log(2.0)


def peaks(weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return each query's largest weight and the key that has it, both (..., T)."""
    largest = weights.max(-1)
    return largest.values, largest.indices


def without_sink(weights: Tensor, *, renormalised: bool = True) -> Tensor:
    """Return the weights with the first token's set to zero, and the rest brought back to a sum of one.

    Heads that find nothing put their weight on the first token, the attention sink. A query that
    attends to nothing else has a row of zeros.

    Parameters
    ----------
    weights : Tensor of shape (..., T, S)
    renormalised : bool, False leaves the other weights as they are
    """
    others = weights.clone()
    others[..., 0] = 0.0
    if not renormalised:
        return others
    return others / others.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)


def softmax_slopes(weights: Tensor) -> Tensor:
    """Return how strongly a softmax responds to its scores: the norm of its Jacobian, (..., T).

    The Jacobian of a row w is ``diag(w) - w w^T``. A row with nearly all weight on one key hardly
    changes with its scores, and passes almost no gradient: the reason for dividing by sqrt(d).
    """
    squares = (weights**2).sum(-1)
    cubes = (weights**3).sum(-1)
    return (squares - 2.0 * cubes + squares**2).clamp_min(0.0).sqrt()


def parts_of_mix(attention: AttentionTrace) -> Tensor:
    """Return how much each key adds to a query's output: the length of weight times value, as a share.

    The result: Tensor of shape (..., T, S), rows sum to one; one without any weight is zero.
    """
    lengths = attention.weights * attention.values.norm(dim=-1).unsqueeze(-2)
    return lengths / lengths.sum(-1, keepdim=True).clamp_min(torch.finfo(lengths.dtype).tiny)


def _changed(mask: AttentionMask, wanted: Intervention) -> AttentionMask:
    """Return the mask switched on or off, where that is wanted."""
    if wanted.is_causal is None:
        return mask
    visible = mask.visible.tril() if wanted.is_causal else torch.ones_like(mask.visible)
    return replace(mask, visible=visible)


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
