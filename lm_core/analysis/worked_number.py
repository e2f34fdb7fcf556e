"""One number of a stage of a transformer, worked out by hand from the numbers of the stages before it."""

from typing import NamedTuple, cast

import torch
from torch import Tensor

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import Stage, Trace
from lm_core.errors import SettingError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import Block, Norm

LOOKED_UP, SUM, NORM, GELU = "looked up", "sum", "norm", "GELU"
"""Read from a table; a sum of products; ``g * (x - mean) / sd + b``; the activation of one number."""


class Term(NamedTuple):
    """One summand."""

    source: int
    """Where its first factor stands: a unit, a head, or a token of the text; -1 for a bias, -2 for all others."""
    factors: tuple[float, ...]
    """Their product is the summand."""


class Worked(NamedTuple):
    """A number and what it is made of."""

    unit: int
    """Its place in the stage's vector; of heads, laid side by side."""
    value: float
    kind: str
    terms: tuple[Term, ...]
    """Of a sum, the largest first. Of a norm the factors x, mean, standard deviation, gain and bias; of GELU
    what it is applied to."""


@torch.inference_mode()
def worked_number(
    model: TransformerLanguageModel, found: Trace, stage: Stage, position: int, most: int = 3
) -> Worked:
    """Work out the largest number of a stage at a position.

    Raises SettingError if the model has other parts than layer norms, GELU, and keys of each head's own.

    Parameters
    ----------
    model : TransformerLanguageModel, with a norm before each sublayer
    found : Trace, of one text, with every part in its place
    most : int, summands that are written out; the others are one
    """
    config = model.config
    if (
        config.normalisation == "rms_norm"
        or config.activation == "swiglu"
        or config.key_value_heads
    ):
        raise SettingError(
            "a number is worked out with layer norms, GELU and keys of each head's own, got"
            f" {config.normalisation}, {config.activation} and key_value_heads"
            f" {config.key_value_heads}: choose a model without these"
        )
    vector = found[stage][position].flatten()
    unit = int(vector.abs().argmax() if stage.name != "logits" else vector.argmax())
    kind, terms = _terms(model, found, stage, position, unit)
    return Worked(
        unit, float(vector[unit]), kind, _shortened(terms, most) if kind == SUM else terms
    )


def _terms(
    model: TransformerLanguageModel, found: Trace, stage: Stage, at: int, unit: int
) -> tuple[str, tuple[Term, ...]]:
    name, layer = stage
    if stage in (stream.TOKENS, stream.POSITIONS):
        return LOOKED_UP, ()
    if stage == stream.EMBEDDED:
        parts = [s for s in (stream.TOKENS, stream.POSITIONS) if s in found.values]
        return SUM, tuple(Term(unit, (float(found[s][at, unit]),)) for s in parts)
    if stage == stream.OUTPUT_NORM:
        return NORM, _norm(model.output_norm, found[stream.streams(model.config)[-1]][at], unit)
    if stage == stream.LOGITS:
        return SUM, _products(model.output, found[stream.OUTPUT_NORM][at], unit)
    assert layer is not None
    block = cast(Block, model.blocks[layer])
    before = stream.EMBEDDED if layer == 0 else Stage(stream.AFTER_FEED_FORWARD, layer - 1)
    between = Stage(stream.AFTER_ATTENTION, layer)
    own = {
        stream.ATTENTION_NORM: lambda: _norm(block.attention_norm, found[before][at], unit),
        stream.FEED_FORWARD_NORM: lambda: _norm(block.feed_forward_norm, found[between][at], unit),
        stream.HEADS: lambda: _mix(block, found, layer, at, unit),
        stream.ATTENTION: lambda: _heads(block, found[Stage(stream.HEADS, layer)][at], unit),
        stream.WIDENED: lambda: _products(
            block.widened, found[Stage(stream.FEED_FORWARD_NORM, layer)][at], unit
        ),
        stream.NARROWED: lambda: _products(
            block.narrowed, found[Stage(stream.ACTIVATED, layer)][at], unit
        ),
        stream.ACTIVATED: lambda: (
            Term(unit, (float(found[Stage(stream.WIDENED, layer)][at, unit]),)),
        ),
        stream.AFTER_ATTENTION: lambda: _added(
            found, before, Stage(stream.ATTENTION, layer), at, unit
        ),
        stream.AFTER_FEED_FORWARD: lambda: _added(
            found, between, Stage(stream.NARROWED, layer), at, unit
        ),
    }
    norms = (stream.ATTENTION_NORM, stream.FEED_FORWARD_NORM)
    kind = NORM if name in norms else GELU if name == stream.ACTIVATED else SUM
    return kind, own[name]()


def _norm(layer: Norm | None, x: Tensor, unit: int) -> tuple[Term, ...]:
    assert isinstance(layer, torch.nn.LayerNorm)
    spread = float((x.var(unbiased=False) + layer.eps).sqrt())
    numbers = (
        float(x[unit]),
        float(x.mean()),
        spread,
        float(layer.weight[unit]),
        float(layer.bias[unit]),
    )
    return (Term(unit, numbers),)


def _products(layer: torch.nn.Linear, x: Tensor, unit: int) -> tuple[Term, ...]:
    pairs = zip(x.tolist(), layer.weight[unit].tolist(), strict=True)
    terms = [Term(i, pair) for i, pair in enumerate(pairs)]
    return *terms, *(() if layer.bias is None else (Term(-1, (float(layer.bias[unit]),)),))


def _added(found: Trace, x: Stage, y: Stage, at: int, unit: int) -> tuple[Term, ...]:
    return tuple(Term(unit, (float(found[stage][at, unit]),)) for stage in (x, y))


def _heads(block: Block, heads: Tensor, unit: int) -> tuple[Term, ...]:
    """Return what each head adds to a unit."""
    output = block.attention.output
    shares = (heads * output.weight[unit].unflatten(-1, heads.shape)).sum(-1)
    terms = [Term(head, (share,)) for head, share in enumerate(shares.tolist())]
    return *terms, *(() if output.bias is None else (Term(-1, (float(output.bias[unit]),)),))


def _mix(block: Block, found: Trace, layer: int, at: int, unit: int) -> tuple[Term, ...]:
    """Return what a unit of a head mixes: each token's value, times the head's weight on it."""
    read, heads = found[Stage(stream.ATTENTION_NORM, layer)], found[Stage(stream.HEADS, layer)]
    projections, width = block.attention.projections, heads.shape[-2] * heads.shape[-1]
    values = read @ projections.weight[2 * width + unit]
    if projections.bias is not None:
        values = values + projections.bias[2 * width + unit]
    weights = found.weights[layer][unit // heads.shape[-1], at]
    pairs = zip(weights.tolist(), values.tolist(), strict=True)
    return tuple(Term(token, pair) for token, pair in enumerate(pairs))


def product(term: Term) -> float:
    """Return what a summand is."""
    result = 1.0
    for factor in term.factors:
        result *= factor
    return result


def _shortened(terms: tuple[Term, ...], most: int) -> tuple[Term, ...]:
    if len(terms) <= most + 1:
        return terms
    ranked = sorted(terms, key=lambda term: -abs(product(term)))
    return *ranked[:most], Term(-2, (sum(map(product, ranked[most:])),))
