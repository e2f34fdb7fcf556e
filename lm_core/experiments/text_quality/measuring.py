"""Passages by models and by the book, and the means of what is measured of them."""

import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import torch
from torch import Tensor

from lm_core.analysis.text_quality import text_quality, words
from lm_core.experiments.text_quality.published import SAMPLES
from lm_core.experiments.text_quality.results import (
    BOOK,
    COPIED,
    MEASURES,
    PUBLISHED,
    Mean,
    WriterQuality,
)
from lm_core.generation.batch_generation import generate_tokens
from lm_core.generation.memorisation import BookIndex
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.language_model import LanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL, CharacterVocabulary
from lm_core.text.library import load_library
from lm_core.text.training_text import TrainingText
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

_NO_TURNS = nullcontext()
SHORTEST_COPY = 40
"""Characters from which on a passage that the book has, too, is a copy of it."""


def all_writers(
    book: TrainingText, names: Sequence[str], temperatures: Sequence[float], size: tuple[int, int]
) -> Iterator[WriterQuality]:
    """Measure the held-out part of the book, and each model at each temperature, one at a time.

    Parameters
    ----------
    book : TrainingText, in the characters `FULL`
    names : sequence of str, shipped names, or folders of checkpoints
    size : tuple of int, passages of each, and characters of a passage
    """
    known, read = known_words(), BookIndex.build(book.train)
    held_out = FULL.decode(book.validation.tolist())
    yield WriterQuality(BOOK, None, measured(book_passages(held_out, *size), known, read))
    yield WriterQuality(PUBLISHED, None, measured(SAMPLES, known))
    for name in names:
        model, meta = load_checkpoint(folder_of(name))
        vocabulary = vocabulary_of(meta)
        # A text without quotes and paragraphs is another text: copies of the book are not found in it.
        index = read if characters_of(vocabulary) is FULL else None
        for temperature in temperatures:
            passages = passages_of(
                model, vocabulary, temperature, n_passages=size[0], n_characters=size[1]
            )
            yield WriterQuality(meta.name, temperature, measured(passages, known, index))


def passages_of(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    temperature: float,
    *,
    n_passages: int,
    n_characters: int,
    seed: int = 1,
    turn: AbstractContextManager[object] = _NO_TURNS,
) -> list[str]:
    """Let a model continue one prompt in many ways, each to so many characters.

    Each of its tokens is written within `turn`, which others may have in between.
    """
    prompt = vocabulary.encode(default_prompt(vocabulary))
    settings = SamplingSettings(temperature=temperature)
    # A token has one character at least, so that there are enough.
    tokens = generate_tokens(model, prompt, settings, n_passages, n_characters, generator(seed))
    rows: list[Tensor] = []
    written = np.zeros(n_passages)
    while written.min() < n_characters:
        with turn:
            rows.append(next(tokens))
        written += vocabulary.lengths[rows[-1].numpy()]
    ids = torch.stack(rows, 1).tolist()
    return [vocabulary.decode(passage)[:n_characters] for passage in ids]


def book_passages(text: str, n_passages: int, n_characters: int) -> list[str]:
    """Return passages of a text, spread over it evenly."""
    starts = np.linspace(0, len(text) - n_characters, n_passages).astype(int)
    return [text[start : start + n_characters] for start in starts]


def known_words() -> frozenset[str]:
    """Return every word of the library, War and Peace but for its last tenth among it.

    Raises CorpusUnavailableError if a book is not on this machine.
    """
    return frozenset(words(FULL.decode(load_library(FULL).train.tolist())))


def measured(
    passages: Sequence[str], known: Collection[str], book: BookIndex | None = None
) -> dict[str, Mean]:
    """Return the mean of each measure over the passages in which it can be taken.

    Parameters
    ----------
    known : collection of str, see `text_quality`
    book : BookIndex, of a book in the characters `FULL`; without it copies are not looked for
    """
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    for passage in passages:
        for name, value in text_quality(passage, known)._asdict().items():
            if value is not None:
                values[name].append(value)
        if book is not None:
            values[COPIED].append(_copied(passage, book))
    return {name: _mean(found) for name, found in values.items() if found}


def _copied(passage: str, book: BookIndex) -> float:
    """Return the share of characters in passages of `SHORTEST_COPY` and more that the book holds."""
    spans = book.memorised_spans(FULL.encode(passage), SHORTEST_COPY)
    return sum(span.length for span in spans) / len(passage)


def _mean(values: Sequence[float]) -> Mean:
    n = len(values)
    error = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Mean(round(float(np.mean(values)), 4), round(error, 4), n)
