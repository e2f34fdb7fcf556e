"""Writing with a tuned writer: after a visitor's own beginning, with all of its updates or a part."""

import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.experiments.preferences.prompts import vocabulary
from lm_core.experiments.preferences.settings import LENGTH
from lm_core.generation.rollouts import roll_out
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator

MOST_BEGINNING = 80
"""Characters of a beginning."""


def read_beginning(text: str) -> Tensor:
    """Return a beginning as int64 (1, T).

    Raises TextError if it is empty or too long, or holds characters that the writer does not know.
    """
    if not text.strip():
        raise TextError("the beginning is empty: write a few words, as in Pierre looked at")
    if len(text) > MOST_BEGINNING:
        raise TextError(
            f"the beginning may have at most {MOST_BEGINNING} characters, got {len(text)}"
        )
    known = vocabulary()
    normalised = known.normalise(text.strip())
    ids = known.encode(normalised)
    if not len(ids) or not ids.all():
        raise TextError("the beginning holds characters that the writer does not know: use letters")
    return torch.from_numpy(ids).long()[None]


def write_on(
    model: TransformerLanguageModel, beginning: Tensor, n_texts: int, seed: int
) -> list[str]:
    """Return `n_texts` continuations of a beginning (1, T)."""
    rollouts = roll_out(model, beginning.repeat(n_texts, 1), LENGTH, generator(seed))
    return [vocabulary().decode(row) for row in rollouts.written.tolist()]
