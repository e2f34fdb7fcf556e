"""Scores of models on the last tenth of the book, one after another, and how far each is from the first.

A: 64-character windows; B: running memory; B': as B, without the licence.

The book is one text to models of the vocabulary `SOURCE` and its subwords, and another to those of
`FULL`, which has quotes and paragraphs, and no licence: only models of one text are compared.
"""

import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from lm_core.errors import SettingError
from lm_core.experiments.war_and_peace.ngrams import train_ngrams
from lm_core.experiments.war_and_peace.results import (
    COUNTED,
    MIXTURE,
    NOVEL_ONLY,
    TRAINED,
    Difference,
    Loss,
    ModelRow,
)
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.training_text import Book, load_book
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.evaluation import (
    BLOCK,
    Score,
    carried_losses,
    cold_window_losses,
    mixed_losses,
    per_character,
    score,
)
from lm_core.training.model_vocabulary import vocabulary_of

FULL_NGRAM = "ngram-9"
"""Names the n-gram with all its counts: too large to ship, counted on the spot."""


class BookScores:
    """Scores models by name, in an order: each is compared with the first that reads the same text.

    `stride`: int, between cold windows.
    """

    def __init__(self, stride: int) -> None:
        self.book, self._stride = load_book(SOURCE), stride
        self._units: dict[str, tuple[str, str]] = {}
        self._carried: dict[str, dict[str, np.ndarray]] = defaultdict(dict)

    def of_model(self, name: str) -> ModelRow:
        """Score a shipped model, a folder's, or the n-gram that is counted on the spot."""
        model, row, read = _load(name, self.book)
        self._units[name] = row.text, read.vocabulary.unit
        comparable = self._carried[row.text]
        scores, comparable[name] = _score(model, read, name, self._stride)
        difference = _difference(comparable[name], comparable)
        return replace(row, losses=_as_losses(scores), difference=difference)

    def of_mixture(self, first: str, second: str, weight: str) -> ModelRow:
        """Score ``weight`` of the first with the rest of the second, both scored before."""
        _require_same_unit(first, second, self._units)
        comparable = self._carried[SOURCE.name]
        losses = mixed_losses(comparable[first], comparable[second], float(weight))
        scores = _carried_scores(losses, len(self.book.ids) - self.book.licence_start)
        return ModelRow(
            f"{weight} {first} + {second}",
            MIXTURE,
            SOURCE.name,
            _as_losses(scores),
            difference=_difference(losses, comparable),
        )


def _require_same_unit(first: str, second: str, units: dict[str, tuple[str, str]]) -> None:
    """Refuse a mixture with a model of longer tokens: its loss of one character is not known."""
    if {units[first], units[second]} != {(SOURCE.name, "character")}:
        raise SettingError(
            f"{first} and {second} do not both predict characters of the vocabulary"
            f" {SOURCE.name!r}, so their probabilities cannot be mixed: name two models of them"
        )


def _score(
    model: LanguageModel, book: Book, name: str, stride: int
) -> tuple[dict[str, Score], np.ndarray]:
    """Return a model's scores by protocol, and its carried losses character by character."""
    validation = torch.from_numpy(book.validation)
    losses = carried_losses(model, validation, on_progress=_progress(name, "B"))
    losses = per_character(losses, book.vocabulary.lengths[book.validation[1:]])
    n_licence = int(book.vocabulary.lengths[book.ids[book.licence_start :]].sum())
    scores = _carried_scores(losses, n_licence)
    if book.vocabulary.unit != "character":
        return scores, losses  # a window of 64 characters would begin and end within a token
    cold = cold_window_losses(model, validation, stride=stride, on_progress=_progress(name, "A"))
    # The windows that begin within one block count as one observation, as in B.
    return {"A": score(cold.mean(1), block=max(1, BLOCK // stride)), **scores}, losses


def _carried_scores(losses: np.ndarray, n_licence: int) -> dict[str, Score]:
    """Return B and B' of carried losses, whose last `n_licence` are those of the licence."""
    return {"B": score(losses), NOVEL_ONLY: score(losses[: len(losses) - n_licence])}


def _difference(losses: np.ndarray, carried: dict[str, np.ndarray]) -> Difference | None:
    """Return how much worse than the first model these losses are; None of the first itself.

    The two differ far less from block to block than either does alone, so this figure is known more exactly.
    """
    reference = next(iter(carried))
    if losses is carried[reference]:
        return None
    # A first token of several characters is not scored.
    n = min(len(losses), len(carried[reference]))
    paired = score(losses[-n:] - carried[reference][-n:])
    return Difference(reference, paired.nats, paired.standard_error)


def _load(name: str, book: Book) -> tuple[LanguageModel, ModelRow, Book]:
    """Return a model by shipped name, folder, or counted on the spot; its row without losses; its text."""
    if name == FULL_NGRAM:
        title = "n-gram, 9 characters, all counts"
        row = ModelRow(name, COUNTED, SOURCE.name, {}, title=title, characters_seen=len(book.train))
        return train_ngrams(book.train, len(SOURCE)).full.eval(), row, book
    model, meta = load_checkpoint(folder_of(name))
    vocabulary = vocabulary_of(meta)
    row = ModelRow(
        name,
        TRAINED if meta.steps else COUNTED,
        _text_of(meta.name, vocabulary),
        {},
        meta.title,
        meta.parameter_count,
        meta.characters_seen,
        meta.seconds,
    )
    return model, row, book if vocabulary == book.vocabulary else load_book(vocabulary)


def _text_of(name: str, vocabulary: CharacterVocabulary) -> str:
    """Return which text the book is to a model: the name of the characters that it reads."""
    characters = characters_of(vocabulary)
    if characters is None:
        raise SettingError(
            f"{name} reads the vocabulary {vocabulary.name!r}, in which the book is another text:"
            " only models of the book's own vocabularies can be scored"
        )
    return characters.name


def _as_losses(scores: dict[str, Score]) -> dict[str, Loss]:
    return {protocol: Loss(s.nats, s.standard_error) for protocol, s in scores.items()}


def _progress(name: str, protocol: str) -> Callable[[float], None]:
    """Return a reporter that keeps one line of a terminal up to date, and is silent elsewhere."""

    def report(share: float) -> None:
        if sys.stderr.isatty():
            end = "\r" if share < 1.0 else "\r" + " " * 60 + "\r"
            sys.stderr.write(f"{name}: {protocol} {share:4.0%}{end}")

    return report
