"""Gibbs sampling: a masked language model, which cannot write, draws one word after another anew.

A place is covered, a token is drawn from what the model expects there, and the next place has its turn.
If all these conditional distributions belonged to one joint distribution, texts would in the long
run be drawn from it (Geman & Geman 1984). Those of a masked language model belong to none, so what
comes out is no text of the book, however long one waits.

References
----------
Geman & Geman 1984, "Stochastic Relaxation, Gibbs Distributions, and the Bayesian Restoration of Images".
Wang & Cho 2019, "BERT has a Mouth, and It Must Speak". https://arxiv.org/abs/1902.04094
Goyal, Dyer & Berg-Kirkpatrick 2022, "Exposing the Implicit Energy Networks behind Masked Language
Models via Metropolis-Hastings". https://arxiv.org/abs/2106.02736
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, require_positive
from lm_core.models.masked_language_model import MaskedLanguageModel, gap_probabilities


class GibbsStep(NamedTuple):
    """One draw."""

    sweep: int
    """From 1; in a sweep every free place is drawn once."""
    place: int
    """Where it was drawn."""
    before: int
    after: int
    """`before` and `after`: tokens there; `before` is ``[MASK]`` in the first sweep of a text
    that begins covered."""
    probability: float
    """Of the drawn token, at temperature 1."""
    tokens: tuple[int, ...]
    """The text after the draw."""


def gibbs_sampling(
    model: MaskedLanguageModel,
    tokens: Sequence[int],
    free: Sequence[int],
    *,
    temperature: float = 1.0,
    rng: torch.Generator,
) -> Iterator[GibbsStep]:
    """Draw the free places of a text one after another, for ever; each sweep has an order of its own.

    Raises SettingError if no place is free, or the temperature is not positive.

    Parameters
    ----------
    model : MaskedLanguageModel, in evaluation mode
    tokens : sequence of int, the text to begin with; ``[MASK]`` where nothing is known
    free : sequence of int, places that may change; the others stay
    temperature : float, above 0, below 1 the probable tokens are drawn more often
    """
    require_positive(temperature=temperature)
    if not free:
        raise SettingError("free must name at least one place, got none")
    text, sweep = torch.tensor([list(tokens)]), 0
    while True:
        sweep += 1
        for i in torch.randperm(len(free), generator=rng).tolist():
            place = free[i]
            before = int(text[0, place])
            text[0, place] = model.config.mask_id
            expected = gap_probabilities(model, text, torch.tensor([[place]]))[0, 0]
            drawn = _draw(expected, temperature, rng)
            text[0, place] = drawn
            known = tuple(text[0].tolist())
            yield GibbsStep(sweep, place, before, drawn, float(expected[drawn]), known)


def _draw(probabilities: Tensor, temperature: float, rng: torch.Generator) -> int:
    weights = (probabilities.log() / temperature).softmax(0)
    return int(torch.multinomial(weights, 1, generator=rng))
