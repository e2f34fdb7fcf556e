"""Beam search: look for a probable text as a whole instead of for a probable next token.

It is no sampling: the same prompt gives the same texts. On prose it shows why the most probable
text is not the best one: it goes round in circles. Translations have an end, at which a search may
stop: `lm_core.generation.translation_search`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import require_at_least_1
from lm_core.generation.decoder import ModelDecoder
from lm_core.generation.prompts import checked_prompt
from lm_core.models.language_model import LanguageModel, State, select_rows
from lm_core.models.placement import device_of

Advance = Callable[[Tensor, State], tuple[Tensor, State]]
"""Reads the next token of each text, int64 (N,); returns what may follow it, as float64 logarithms (N, V),
and the state."""


@dataclass(frozen=True)
class Beam:
    """One continuation and the natural logarithm of its probability under the model."""

    tokens: tuple[int, ...]
    log_probability: float


class Begun(NamedTuple):
    """B texts from which a search goes on."""

    log_probabilities: Tensor
    """float64, of shape (B, V). Of what may follow."""
    state: State
    totals: Tensor
    """float64, of shape (B,). Log-probabilities of what the texts have after their prompts."""
    prefix: Sequence[int] = ()
    """What that is, the same in all."""


class BeamStep(NamedTuple):
    """One step of a search of B texts, W beams each: the best candidates, best first.

    There are W of them, and 2 W where a token ends a text, so that W are left that do not end.
    """

    parents: Tensor
    """int64, of shape (B, C). Which of the W beams of the step before each candidate goes on
    from."""
    tokens: Tensor
    """int64, of shape (B, C)."""
    totals: Tensor
    """float64, of shape (B, C). Log-probabilities of the whole hypotheses; minus infinity for
    one that cannot be."""
    is_finished: Tensor
    """bool, of shape (B, C). Candidates that leave the search as finished hypotheses."""
    beams: Tensor
    """int64, of shape (B, W). Places of the candidates that become the next beams."""
    texts: Tensor
    """int64, of shape (B, W, t). The beams before this step."""


@torch.inference_mode()
def beam_search(
    model: LanguageModel, prompt_ids: Sequence[int] | np.ndarray, width: int, length: int
) -> list[Beam]:
    """Find probable continuations: after each token keep the `width` best beginnings.

    Width 1 is greedy writing; with a width of at least V ** (length - 1) nothing is ever lost and
    the first beam is the most probable text there is. In between there is no promise, not even
    that a wider search does better than a narrow one. All texts are equally long and have no end
    mark, so there is nothing that a length penalty could change. Raises TextError if the prompt is
    empty or holds an id that the model does not know, and SettingError if `width` or `length` is
    less than 1.

    Parameters
    ----------
    prompt_ids : ints in [0, V), at least one
    width, length : int, at least 1, beginnings kept, and tokens to write

    Returns
    -------
    list of Beam
        The most probable first; at most `width`, fewer only where there are fewer texts of a
        probability above 0.
    """
    require_at_least_1(width=width, length=length)
    device = device_of(model)

    def advance(tokens: Tensor, state: State) -> tuple[Tensor, State]:
        logits, state = model(tokens[:, None].to(device), state)
        return logits[:, 0].cpu().log_softmax(-1, dtype=torch.float64), state

    logits, state = ModelDecoder(model).read(np.array(checked_prompt(prompt_ids, model)))
    first = logits[None].log_softmax(-1, dtype=torch.float64)
    begun = Begun(first, state, torch.zeros(1, dtype=torch.float64))
    *_, last = beam_steps(advance, begun, width=width, longest=length)
    totals = [total for total in last.totals[0].tolist() if total > -torch.inf]
    return [Beam(tuple(candidate_tokens(last, 0, i)), total) for i, total in enumerate(totals)]


@torch.inference_mode()
def beam_steps(
    advance: Advance, begun: Begun, *, width: int, longest: int, end: int | None = None
) -> Iterator[BeamStep]:
    """Yield the steps of a search, until texts of `longest` tokens or until whoever consumes them has enough.

    Of the candidates among the first W, those that are the token `end` are finished; the W best that
    are not are the next beams. Of equals the one whose text comes first by id comes first.
    """
    n_texts, n_tokens = begun.log_probabilities.shape
    # All W beams begin as the same one, and only the first of them counts.
    everyone = torch.arange(n_texts).repeat_interleave(width)
    log_probabilities = begun.log_probabilities[everyone]
    state = select_rows(begun.state, everyone)
    totals = begun.totals[:, None].repeat(1, width)
    totals[:, 1:] = -torch.inf
    texts = torch.tensor([*begun.prefix], dtype=torch.int64).expand(n_texts, width, -1)
    first_row = width * torch.arange(n_texts)[:, None]
    n_candidates = width if end is None else 2 * width
    for step in range(len(begun.prefix), longest):
        candidates = (totals[..., None] + log_probabilities.view(n_texts, width, -1)).flatten(1)
        found, places = _largest(candidates, min(n_candidates, candidates.shape[1]))
        parents, tokens = places // n_tokens, places % n_tokens
        is_end = tokens == (-1 if end is None else end)
        is_finished = is_end & (torch.arange(is_end.shape[1]) < width) & (found > -torch.inf)
        beams = is_end.to(torch.int8).argsort(dim=-1, stable=True)[:, :width]
        yield BeamStep(parents, tokens, found, is_finished, beams, texts)
        if step == longest - 1:
            return
        kept, last = parents.gather(1, beams), tokens.gather(1, beams)
        totals = found.gather(1, beams).masked_fill(is_end.gather(1, beams), -torch.inf)
        texts = torch.cat(
            [texts.gather(1, kept[..., None].expand(-1, -1, texts.shape[-1])), last[..., None]], -1
        )
        rows = (first_row + kept).flatten()
        log_probabilities, state = advance(last.flatten(), select_rows(state, rows))


def candidate_tokens(step: BeamStep, text: int, place: int) -> list[int]:
    """Return the tokens of one of a step's candidates."""
    before = step.texts[text, step.parents[text, place]].tolist()
    return [*before, int(step.tokens[text, place])]


def _largest(numbers: Tensor, n: int) -> tuple[Tensor, Tensor]:
    """Return the n largest numbers of each row, falling, and their places; of equals the first."""
    values, places = numbers.topk(n)
    n_as_large = (numbers >= values[:, -1:]).sum(1)
    if (n_as_large > n).any() or (values[:, 1:] == values[:, :-1]).any():
        values, places = numbers.sort(dim=1, descending=True, stable=True)
    return values[:, :n], places[:, :n]
