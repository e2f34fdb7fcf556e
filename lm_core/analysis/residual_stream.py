"""The residual stream: every stage between the tokens of a text and the logits of the next one, by name.

`trace` reads a text as `TransformerLanguageModel.read` does, one stage after the other, and keeps the value
of each. A stage's value can be changed on the way, and everything after it follows from the changed one: so
an activation of one text is carried into another (activation patching), and a part is left out.

A norm before each sublayer makes the stream a sum: what the tokens and their positions are, and what each
head and each feed-forward network adds. Therefore

    logit = sum over the parts c of  g * (c - mean(c)) / sd(x) . W[token]  + constants,

with the last norm's gain g and its standard deviation sd(x) of the whole stream x: the sum is exact, and each
part's share of it holds for this one sd(x), which all parts together make.

References
----------
Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits" (the stream as a sum; direct paths).
https://transformer-circuits.pub/2021/framework/index.html
nostalgebraist 2020, "interpreting GPT: the logit lens".
https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens
Dong, Cordonnier & Loukas 2021, "Attention is Not All You Need: Pure Attention Loses Rank Doubly Exponentially
with Depth" (without residual paths all positions become alike). https://arxiv.org/abs/2103.03404
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.attention import attend
from lm_core.models.multi_head_attention import AttentionMask, KeysValues, linear
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import Block, norm
from lm_core.models.transformer_config import TransformerLanguageModelConfig


class Stage(NamedTuple):
    """One step of the way through a model."""

    name: str
    """One of the names below."""
    layer: int | None = None
    """Of its block, from 0; None before the first block and after the last."""


TOKENS, POSITIONS, EMBEDDED = Stage("tokens"), Stage("positions"), Stage("embedded")
"""A token's vector, the code of its position, and their sum, (T, D): there are codes where positions are added."""
OUTPUT_NORM, LOGITS = Stage("output_norm"), Stage("logits")
"""The stream after the last norm, (T, D), and what it predicts, (T, V)."""

ATTENTION_NORM, HEADS, ATTENTION, AFTER_ATTENTION = (
    "attention_norm",
    "heads",
    "attention",
    "after_attention",
)
"""Of a block: its input normalised (T, D), what each head mixes (T, H, d), what all of them add (T, D), the sum."""
FEED_FORWARD_NORM, WIDENED, ACTIVATED, NARROWED, AFTER_FEED_FORWARD = (
    "feed_forward_norm",
    "widened",
    "activated",
    "narrowed",
    "after_feed_forward",
)
"""Of a block: the stream normalised (T, D), widened and activated (T, 4 D), narrowed (T, D), the sum."""

PARTS = ("attention", "feed_forward", "residual", "norm", "positions")
"""What can be left out of a block. Without ``residual`` a sublayer's output takes the place of its input."""


class Removed(NamedTuple):
    """A part that is left out."""

    part: str
    """One of `PARTS`."""
    layer: int | None = None
    """Of which block; None for all of them, and for what lies outside them: the added positions, the last norm."""


Change = Callable[[Stage, Tensor], Tensor]
"""Given a stage and its value, returns the value that the model goes on with, of the same shape."""


@dataclass(frozen=True)
class Trace:
    """What a model computes of T tokens, or of B texts of T tokens each, stage by stage."""

    tokens: Tensor
    """int64, of shape (T,) or (B, T)."""
    values: dict[Stage, Tensor]
    """In the order in which they are computed, each with the leading axes of `tokens`."""
    weights: tuple[Tensor, ...]
    """Of each layer, the attention weights of its heads, (..., H, T, T)."""

    def __getitem__(self, stage: Stage) -> Tensor:
        """Return the value of a stage."""
        return self.values[stage]

    @property
    def logits(self) -> Tensor:
        """Of shape (..., T, V). Row t predicts the token after token t."""
        return self.values[LOGITS]

    @property
    def losses(self) -> Tensor:
        """Nats of each token but the first, (..., T - 1)."""
        flat = (
            self.logits[..., :-1, :].transpose(-1, -2)
            if self.tokens.dim() == 2
            else self.logits[:-1]
        )
        return F.cross_entropy(flat, self.tokens[..., 1:], reduction="none")


def stages(config: TransformerLanguageModelConfig) -> tuple[Stage, ...]:
    """Return all stages of a model, in the order in which they are computed."""
    attention: tuple[str, ...] = (HEADS, ATTENTION, AFTER_ATTENTION)
    network: tuple[str, ...] = (WIDENED, ACTIVATED, NARROWED, AFTER_FEED_FORWARD)
    if config.norm == "pre":
        attention, network = (ATTENTION_NORM, *attention), (FEED_FORWARD_NORM, *network)
    elif config.norm == "post":
        attention, network = (*attention, ATTENTION_NORM), (*network, FEED_FORWARD_NORM)
    first = (TOKENS, POSITIONS, EMBEDDED) if config.has_blocks else (TOKENS, EMBEDDED)
    blocks = (Stage(n, layer) for layer in range(config.layers) for n in (*attention, *network))
    return (*first, *blocks, *((OUTPUT_NORM,) if config.norm == "pre" else ()), LOGITS)


def streams(config: TransformerLanguageModelConfig) -> tuple[Stage, ...]:
    """Return the stages at which the value is the residual stream itself, the first one first."""
    is_post = config.norm == "post"
    names = (
        (ATTENTION_NORM, FEED_FORWARD_NORM) if is_post else (AFTER_ATTENTION, AFTER_FEED_FORWARD)
    )
    return EMBEDDED, *(Stage(name, layer) for layer in range(config.layers) for name in names)


@torch.inference_mode()
def trace(
    model: TransformerLanguageModel,
    tokens: Tensor,
    *,
    change: Change | None = None,
    without: Collection[Removed] = (),
) -> Trace:
    """Read texts from an empty memory, and return the value of every stage.

    Raises TextError if a text is empty or longer than the context, SettingError if a part or layer
    is not one of the model's, and ShapeError if tokens or a changed value have another shape.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,) or (B, T), at least 1 and at most the model's context C
    change : callable, optional
        Called with each stage and its value in turn; the model goes on with what it returns, and that is
        what the trace holds.
    without : collection of Removed, parts that are left out
    """
    return _Walk(model, tokens, change, without).read()


class _Walk:
    """One reading: what is changed in it, what has been seen so far, and what is remembered for the next one."""

    def __init__(
        self,
        model: TransformerLanguageModel,
        tokens: Tensor,
        change: Change | None,
        without: Collection[Removed],
        remembered: Sequence[KeysValues] = (),
    ) -> None:
        _require(model, tokens, without)
        self.model, self.config, self.tokens = model, model.config, tokens
        self.change, self.without = change, frozenset(without)
        self.values: dict[Stage, Tensor] = {}
        self.weights: list[Tensor] = []
        self.remembered, self.keys_values = remembered, list[KeysValues]()
        self.n_remembered = remembered[0][0].shape[1] if remembered else 0

    def lacks(self, part: str, layer: int | None = None) -> bool:
        return not self.without.isdisjoint({Removed(part, layer), Removed(part)})

    def see(self, name: str, layer: int | None, value: Tensor) -> Tensor:
        """Note the value of a stage, changed if that is wanted, and return it; a batch of one has no axis."""
        stage, is_one = Stage(name, layer), self.tokens.dim() == 1
        seen = value[0] if is_one else value
        if self.change is not None:
            changed = self.change(stage, seen)
            if changed.shape != seen.shape:
                raise ShapeError(
                    f"the value of {stage} must keep its shape {tuple(seen.shape)}, got"
                    f" {tuple(changed.shape)}"
                )
            seen = changed
        self.values[stage] = seen
        return seen[None] if is_one else seen

    def read(self) -> Trace:
        tokens = self.tokens[None] if self.tokens.dim() == 1 else self.tokens
        x = self._embed(tokens)
        mask = self.model.attention_mask(self.n_remembered, tokens.shape[1], x.dtype)
        for layer, block in enumerate(self.model.blocks):
            x = self._block(layer, cast(Block, block), x, mask)
        last = None if self.lacks("norm") else self.model.output_norm
        if self.model.output_norm is not None:
            x = self.see(OUTPUT_NORM.name, None, norm(last, x))
        self.see(LOGITS.name, None, self.model.output(x))
        return Trace(self.tokens, self.values, tuple(self.weights))

    def _embed(self, tokens: Tensor) -> Tensor:
        weight = self.model.embedding.weight
        x = F.embedding(tokens, weight)
        if not self.config.has_blocks:
            x = self.see(TOKENS.name, None, x)
            return self.see(EMBEDDED.name, None, x)
        codes = (
            self.model.codes.weight if self.config.position == "learned" else self.model.fixed_codes
        )
        until = self.n_remembered + tokens.shape[1]
        code = cast(Tensor, codes)[self.n_remembered : until].to(x.dtype).expand_as(x)
        code = torch.zeros_like(code) if self.lacks("positions") else code
        x = self.see(TOKENS.name, None, x)
        return self.see(EMBEDDED.name, None, x + self.see(POSITIONS.name, None, code))

    def _block(self, layer: int, block: Block, x: Tensor, mask: AttentionMask) -> Tensor:
        if self.lacks("positions", layer):
            mask = replace(mask, bias=None, rotation=None)
        y = self._normalised(ATTENTION_NORM, layer, x, "pre")
        y = self._attention(layer, block, y, mask)
        x = self._add(layer, AFTER_ATTENTION, x, y)
        x = self._normalised(ATTENTION_NORM, layer, x, "post")
        y = self._normalised(FEED_FORWARD_NORM, layer, x, "pre")
        y = self._feed_forward(layer, block, y)
        x = self._add(layer, AFTER_FEED_FORWARD, x, y)
        return self._normalised(FEED_FORWARD_NORM, layer, x, "post")

    def _normalised(self, name: str, layer: int, x: Tensor, where: str) -> Tensor:
        """Return the stream after a norm, if the model has one at this place."""
        if self.config.norm != where:
            return x
        own = getattr(self.model.blocks[layer], name)
        return self.see(name, layer, norm(None if self.lacks("norm", layer) else own, x))

    def _attention(self, layer: int, block: Block, x: Tensor, mask: AttentionMask) -> Tensor:
        def attention(q: Tensor, k: Tensor, v: Tensor, mask: AttentionMask) -> Tensor:
            found = attend(q, k, v, mask.visible, bias=mask.bias)
            self.weights.append(found.weights[0] if self.tokens.dim() == 1 else found.weights)
            return self.see(HEADS, layer, found.output.transpose(-2, -3)).transpose(-2, -3)

        past = self.remembered[layer] if self.remembered else None
        y, keys_values = block.attention(x, mask, past, attention=attention)
        self.keys_values.append(keys_values)
        y = torch.zeros_like(y) if self.lacks("attention", layer) else y
        return self.see(ATTENTION, layer, y)

    def _feed_forward(self, layer: int, block: Block, x: Tensor) -> Tensor:
        hidden = self.see(WIDENED, layer, linear(block.widened, x))
        hidden = self.see(ACTIVATED, layer, block.activate(hidden))
        y = linear(block.narrowed, hidden)
        y = torch.zeros_like(y) if self.lacks("feed_forward", layer) else y
        return self.see(NARROWED, layer, y)

    def _add(self, layer: int, name: str, x: Tensor, y: Tensor) -> Tensor:
        has_residual = self.config.residual and not self.lacks("residual", layer)
        return self.see(name, layer, x + y if has_residual else y)


@torch.inference_mode()
def continuation(
    model: TransformerLanguageModel, tokens: Tensor, without: Collection[Removed]
) -> Iterator[int]:
    """Write the likeliest tokens after a text (T,), one after the other, with parts left out.

    It ends when the model's context is full.
    """
    walk = _Walk(model, tokens, None, without)
    for _ in range(len(tokens), model.config.context + 1):
        likeliest = walk.read().logits[-1].argmax(-1, keepdim=True)
        yield int(likeliest)
        walk = _Walk(model, likeliest, None, without, walk.keys_values)


# What it would say now ------------------------------------------------------------------------


@torch.inference_mode()
def logit_lens(model: TransformerLanguageModel, found: Trace, position: int) -> Tensor:
    """Return the logits that the stream would give after each of `streams`, (S, V), if the model ended there.

    The last row is the model's own prediction, computed by the same last norm and output layer.

    Parameters
    ----------
    found : Trace, of one text
    position : int, of the token after which is predicted
    """
    return model.predict(torch.stack([found[stage][position] for stage in streams(model.config)]))


class Contribution(NamedTuple):
    """What one part of a model adds to a logit."""

    stage: Stage
    """`TOKENS`, `POSITIONS`, `HEADS` or `ATTENTION` (its bias) or `NARROWED` of a layer, or `LOGITS`: the biases
    of the last norm and of the output, which are the same for every text."""
    head: int | None
    """From 0, where the part is a head."""
    value: float


@torch.inference_mode()
def contributions(
    model: TransformerLanguageModel,
    found: Trace,
    position: int,
    token: int,
    against: int | None = None,
) -> tuple[Contribution, ...]:
    """Return what each part adds to the logit of a token (direct attribution); their sum is the logit.

    Raises SettingError if the model's stream is not a sum of its parts.

    Parameters
    ----------
    model : TransformerLanguageModel, with residual paths and no norm after them: else the stream is no sum
    found : Trace, of one text, with every part in its place
    position : int, of the token after which is predicted
    against : int, a second token: then it is the lead of the first, its logit minus the second's
    """
    config = model.config
    if config.norm == "post" or not config.residual:
        raise SettingError(
            "direct attribution needs residual paths without a norm on them, got norm"
            f" {config.norm!r} and residual {config.residual}: the parts do not add up there"
        )
    if config.normalisation != "layer_norm":
        raise SettingError(f"direct attribution needs layer norms, got {config.normalisation!r}")
    direction, constant = model.output.weight[token], _bias_of(model.output, token)
    if against is not None:
        direction = direction - model.output.weight[against]
        constant = constant - _bias_of(model.output, against)
    parts = _parts(model, found, position)
    stacked = torch.stack([vector for _, _, vector in parts])
    last, x = model.output_norm, found[streams(config)[-1]][position]
    if isinstance(last, torch.nn.LayerNorm):
        spread = (x.var(unbiased=False) + last.eps).sqrt()
        stacked = (stacked - stacked.mean(-1, keepdim=True)) / spread * last.weight
        constant = constant + last.bias @ direction
    values = (stacked @ direction).tolist()
    listed = [
        Contribution(stage, head, v) for (stage, head, _), v in zip(parts, values, strict=True)
    ]
    return *listed, Contribution(LOGITS, None, float(constant))


def _parts(
    model: TransformerLanguageModel, found: Trace, position: int
) -> list[tuple[Stage, int | None, Tensor]]:
    """Return the vectors (D,) whose sum is the stream at a position, each with its stage and head."""
    parts: list[tuple[Stage, int | None, Tensor]] = [
        (stage, None, found[stage][position])
        for stage in (TOKENS, POSITIONS)
        if stage in found.values
    ]
    for layer, block in enumerate(model.blocks):
        output = cast(Block, block).attention.output
        by_head = output.weight.unflatten(-1, (model.config.heads, -1))  # (D, H, d)
        stage = Stage(HEADS, layer)
        added = torch.einsum("hd,whd->hw", found[stage][position], by_head)
        parts += [(stage, head, vector) for head, vector in enumerate(added)]
        if output.bias is not None:
            parts.append((Stage(ATTENTION, layer), None, output.bias))
        stage = Stage(NARROWED, layer)
        parts.append((stage, None, found[stage][position]))
    return parts


def _bias_of(output: torch.nn.Linear, token: int) -> Tensor:
    return output.weight.new_zeros(()) if output.bias is None else output.bias[token]


def mean_cosine(x: Tensor) -> float:
    """Return the mean cosine between the vectors of different positions, of x (T, D): 1 where all are parallel.

    Raises ShapeError if there are fewer than two positions.
    """
    n = x.shape[0]
    if n < 2:
        raise ShapeError(f"a cosine between positions needs at least 2 of them, got {n}")
    directions = F.normalize(x, dim=-1)
    return float((directions.sum(0).square().sum() - directions.square().sum()) / (n * (n - 1)))


def _require(model: TransformerLanguageModel, tokens: Tensor, without: Collection[Removed]) -> None:
    config = model.config
    if tokens.dim() not in (1, 2):
        raise ShapeError(f"tokens must have shape (T,) or (B, T), got {tuple(tokens.shape)}")
    if not 1 <= tokens.shape[-1] <= config.context:
        raise TextError(
            f"the text must have 1 to {config.context} tokens, it has {tokens.shape[-1]}"
        )
    for part, layer in without:
        if part not in PARTS:
            raise SettingError(f"a part must be one of {PARTS}, got {part!r}")
        if layer is not None and layer not in range(config.layers):
            raise SettingError(f"a layer must lie in [0, {config.layers - 1}], got {layer}")
