"""What a model is surprised by: texts of several kinds, and its score on each."""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from lm_core.analysis.surprisal import (
    rank_limits,
    readable_text,
    score_text,
    shuffled_characters,
    shuffled_words,
)
from lm_core.experiments.surprisal import results
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import write_text
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.library import HELD_OUT_NOVELS, held_out_of
from lm_core.text.training_text import load_body

KEPT = 700
"""Characters of what a model has written that are shipped."""
_UNSEEN_FROM = 0.91
"""Share of the printed book after which no model has learned: some count the licence into its nine tenths."""

_TEMPERATURES = {results.OWN_COOL: 0.5, results.OWN: 1.0}


def texts_by_kind(n_characters: int, n_texts: int) -> dict[str, list[str]]:
    """Return the texts of each kind that all models read, in raw characters.

    Raises CorpusUnavailableError if the book or a novel is not on this machine.

    `n_characters`, `n_texts`: int, of each text, and of each kind; there are six novels at most.
    """
    body = load_body()
    book = _spread(body[math.ceil(_UNSEEN_FROM * len(body)) :], n_characters, n_texts)
    return {
        results.BOOK: book,
        results.NOVELS: [held_out_of(name)[:n_characters] for name in HELD_OUT_NOVELS[:n_texts]],
        results.WORDS: [shuffled_words(text, seed) for seed, text in enumerate(book)],
        results.CHARACTERS: [shuffled_characters(text, seed) for seed, text in enumerate(book)],
    }


def own_texts(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    n_characters: int,
    n_texts: int,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> dict[str, list[str]]:
    """Return the texts of each kind that a model writes itself; for the parameters see `write_text`."""
    return {
        kind: [
            write_text(
                model,
                vocabulary,
                SamplingSettings(temperature),
                seed,
                n_characters=n_characters,
                model_turn=model_turn,
            )
            for seed in range(n_texts)
        ]
        for kind, temperature in _TEMPERATURES.items()
    }


def score_kind(
    name: str,
    kind: str,
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    texts: Sequence[str],
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> results.KindScore:
    """Score a model, known by its name, on texts of one kind, of which it reads what its vocabulary holds.

    Raises TextError if the vocabulary holds nothing of a text.
    """
    scored = [
        score_text(model, readable_text(text, vocabulary), vocabulary, model_turn=model_turn)
        for text in texts
    ]
    bits = np.array([text.bits_per_character for text in scored])
    shares = np.mean([text.rank_shares(rank_limits(vocabulary)) for text in scored], axis=0)
    return results.KindScore(
        name,
        kind,
        round(float(bits.mean()), 4),
        round(float(bits.std(ddof=1) / math.sqrt(len(bits))), 4) if len(bits) > 1 else math.nan,
        tuple(round(float(share), 4) for share in shares),
        sum(text.n_characters for text in scored),
    )


def _spread(text: str, n_characters: int, n_texts: int) -> list[str]:
    """Return stretches of a text that lie evenly apart."""
    starts = np.linspace(0, len(text) - n_characters, n_texts).astype(int)
    return [text[start : start + n_characters] for start in starts.tolist()]
