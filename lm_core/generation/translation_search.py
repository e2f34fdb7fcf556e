"""Greedy decoding and beam search for encoder-decoders, many sentences at a time.

A hypothesis ends with the end token. Longer ones are less probable, so that finished hypotheses of
different lengths are compared by their log-probability divided by a power of their length:

    score = log P(y | x) / |y| ** length_penalty,    |y| with the end        Wu et al. 2016, simplified

References
----------
Sutskever, Vinyals & Le 2014, "Sequence to Sequence Learning with Neural Networks" (beam search).
https://arxiv.org/abs/1409.3215
Wu et al. 2016, "Google's Neural Machine Translation System", section 7. https://arxiv.org/abs/1609.08144
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, require_at_least_1
from lm_core.generation.beam_search import BeamStep, Begun, candidate_tokens
from lm_core.generation.beam_search import beam_steps as steps_of_search
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.models.language_model import State
from lm_core.text.translation_vocabulary import END, PAD, START

MOST_BEAMS = 20
NEVER_WRITTEN = (PAD, START)


class Hypothesis(NamedTuple):
    """A translation that a search has found."""

    tokens: tuple[int, ...]
    """Without the start; the end is the last one, if it was reached."""
    log_probability: float
    """Natural logarithm, of the prefix that was given, if any, too."""
    score: float
    """By which hypotheses are compared."""

    @property
    def is_finished(self) -> bool:
        """Whether it came to its end."""
        return self.tokens[-1:] == (END,)


@torch.inference_mode()
def greedy_search(
    model: EncoderDecoder,
    state: State,
    *,
    longest: int,
    prefix: Sequence[int] = (),
    kept_heads: Tensor | None = None,
) -> list[Hypothesis]:
    """Write, for each encoded sentence, the most probable token after each one.

    Parameters
    ----------
    state : State, from ``model.encode``, of B sentences
    longest : int, most tokens of a translation, prefix and end included
    prefix : sequence of int, tokens that all translations begin with
    kept_heads : Tensor, see `EncoderDecoder.decode`
    """
    require_at_least_1(longest=longest)
    log_probabilities, state, totals, _ = _after_prefix(model, state, prefix, kept_heads)
    rows = [torch.tensor([token]).expand(len(totals)) for token in prefix]
    is_open = torch.ones(len(totals), dtype=torch.bool)
    for step in range(len(prefix), longest):
        gained, tokens = log_probabilities.max(-1)
        totals += gained.masked_fill(~is_open, 0.0)
        rows.append(tokens.masked_fill(~is_open, PAD))
        is_open = is_open & (tokens != END)
        if not is_open.any() or step == longest - 1:
            break
        log_probabilities, state = _next(model, rows[-1], state, kept_heads)
    written = torch.stack(rows, 1).tolist()
    return [
        _hypothesis([t for t in tokens if t != PAD], total, 1.0)
        for tokens, total in zip(written, totals.tolist(), strict=True)
    ]


def beam_search(
    model: EncoderDecoder,
    state: State,
    *,
    width: int,
    longest: int,
    length_penalty: float = 1.0,
    prefix: Sequence[int] = (),
    kept_heads: Tensor | None = None,
) -> list[list[Hypothesis]]:
    """Find, for each encoded sentence, up to `width` hypotheses, the best score first.

    A sentence's search ends with its `width`-th finished hypothesis. Those that are still open when
    `longest` is reached fill up what is missing. Parameters are `beam_steps`' and `greedy_search`'s.
    """
    found: list[list[Hypothesis]] = [[] for _ in range(len(state[0]))]
    still_open: list[list[Hypothesis]] = [[] for _ in found]
    for step in beam_steps(
        model, state, width=width, longest=longest, prefix=prefix, kept_heads=kept_heads
    ):
        for sentence, place in step.is_finished.nonzero().tolist():
            if len(found[sentence]) < width:
                tokens = candidate_tokens(step, sentence, place)
                total = float(step.totals[sentence, place])
                found[sentence].append(_hypothesis(tokens, total, length_penalty))
        for sentence in range(len(found)):
            if len(found[sentence]) < width:
                still_open[sentence] = [
                    _hypothesis(candidate_tokens(step, sentence, place), total, length_penalty)
                    for place in step.beams[sentence].tolist()
                    if (total := float(step.totals[sentence, place])) > -torch.inf
                ]
        if all(len(hypotheses) >= width for hypotheses in found):
            break
    for finished, rest in zip(found, still_open, strict=True):
        finished.sort(key=lambda hypothesis: -hypothesis.score)
        finished += sorted(rest, key=lambda h: -h.score)[: max(0, width - len(finished))]
    return found


@torch.inference_mode()
def beam_steps(
    model: EncoderDecoder,
    state: State,
    *,
    width: int,
    longest: int,
    prefix: Sequence[int] = (),
    kept_heads: Tensor | None = None,
) -> Iterator[BeamStep]:
    """Yield the steps of a beam search, of B sentences, as `lm_core.generation.beam_search.beam_steps` does.

    Raises SettingError if `width` or `longest` is out of its range.
    """
    require_at_least_1(longest=longest)
    if not 1 <= width <= MOST_BEAMS:
        raise SettingError(f"width must lie in 1..{MOST_BEAMS}, got {width}")
    begun = _after_prefix(model, state, prefix, kept_heads)
    advance = partial(_next, model, kept_heads=kept_heads)
    return steps_of_search(advance, begun, width=width, longest=longest, end=END)


def _hypothesis(tokens: Sequence[int], total: float, length_penalty: float) -> Hypothesis:
    return Hypothesis(tuple(tokens), total, total / len(tokens) ** length_penalty)


def _after_prefix(
    model: EncoderDecoder, state: State, prefix: Sequence[int], kept_heads: Tensor | None
) -> Begun:
    """Read start and prefix."""
    read = torch.tensor([START, *prefix], device=state[0].device).expand(len(state[0]), -1)
    output = model.decode(read, state, kept_heads=kept_heads)
    log_probabilities = log_probabilities_of(output.logits)
    of_prefix = log_probabilities[:, :-1].gather(-1, read[:, 1:, None].cpu())
    return Begun(log_probabilities[:, -1], output.state, of_prefix.sum((1, 2)), prefix)


def _next(
    model: EncoderDecoder, tokens: Tensor, state: State, kept_heads: Tensor | None = None
) -> tuple[Tensor, State]:
    output = model.decode(tokens[:, None].to(state[0].device), state, kept_heads=kept_heads)
    return log_probabilities_of(output.logits[:, 0]), output.state


def log_probabilities_of(logits: Tensor) -> Tensor:
    """Return float64 logarithms on the processor, (..., V); what is never written has minus infinity."""
    logits = logits.clone()
    logits[..., NEVER_WRITTEN] = -torch.inf
    return logits.log_softmax(-1).double().cpu()
