"""The n-grams of the names and of War and Peace, and every smoothing on held-out text."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from lm_core.experiments.n_grams.results import BOOK, KS, LONGEST, NAMES, NGramScore
from lm_core.models.ngram import estimate
from lm_core.models.ngram_counts import (
    CountTable,
    add_k,
    count_ngrams,
    evidence_of_text,
    fit_weights,
    interpolate,
    maximum_likelihood,
)
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.names import SYMBOLS, load_names, name_stream, split_names
from lm_core.text.training_text import load_book
from lm_core.training.evaluation import carried_losses

MADE_FROM = {
    "names": "shuffled with Python's random seed 42; 80 % counted, 10 % held out",
    "book": "alphabet source; the first 90 % counted, the rest but for the licence held out",
    "weights_fitted_on": "the last 10% of the counted part, before it was counted",
}
FITTED_ON = 0.9
"""The interpolation's weights are fitted on what follows this share of the training text."""

MINIMUM = {NAMES: (1, 1, 1, 1, 5, 5), BOOK: (1, 1, 1, 5, 10, 20)}
"""How often a context must have been seen to be shipped, by n: the corpora themselves are not shipped."""


class Part(NamedTuple):
    """A stretch of text: ids, and which of them are to be predicted."""

    ids: np.ndarray
    is_predicted: np.ndarray


class Divided(NamedTuple):
    """A text: what is counted, what of it the weights are fitted with, and what is reported."""

    vocabulary_size: int
    train: Part
    counted_for_weights: Part
    fitted_on: Part
    held_out: Part


def bigrams_of_all_names() -> float:
    """Return the loss of the plain bigram counts of all names on the same names, in nats per symbol."""
    names = Part(*name_stream(load_names(), 1))
    tables = [count_ngrams(*_arguments(names, len(SYMBOLS), n)) for n in (1, 2)]
    return _loss(maximum_likelihood(evidence_of_text(tables, names.ids, names.is_predicted)))


def divided_names() -> Divided:
    """Return the names in their parts; gaps are as long as the longest context."""
    split = split_names(load_names())
    n_counted = int(FITTED_ON * len(split.train))
    parts = (split.train, split.train[:n_counted], split.train[n_counted:], split.validation)
    return Divided(len(SYMBOLS), *(Part(*name_stream(part, LONGEST - 1)) for part in parts))


def divided_book() -> Divided:
    """Return the book in its parts, without the licence; a part's first symbols are context only."""
    book = load_book(SOURCE)
    n_counted = int(FITTED_ON * book.split)
    parts = (
        book.train,
        book.train[:n_counted],
        book.train[n_counted:],
        book.ids[book.split : book.licence_start],
    )
    return Divided(len(SOURCE), *(_whole(part) for part in parts))


def _whole(ids: np.ndarray) -> Part:
    return Part(ids, np.arange(len(ids)) >= LONGEST - 1)


def count(part: Part, divided: Divided) -> list[CountTable]:
    """Return the tables of a part, for n = 1, 2, ..."""
    size = divided.vocabulary_size
    return [count_ngrams(*_arguments(part, size, n)) for n in range(1, LONGEST + 1)]


def _arguments(part: Part, size: int, n: int) -> tuple[np.ndarray, int, int, np.ndarray]:
    return part.ids, size, n, part.is_predicted


def score_text(name: str, divided: Divided) -> Iterator[NGramScore]:
    """Yield the scores of n-grams on a text, by rising length."""
    size = divided.vocabulary_size
    tables = count(divided.train, divided)
    held_out, training, fitted = (
        evidence_of_text(counted, part.ids, part.is_predicted)
        for counted, part in (
            (tables, divided.held_out),
            (tables, divided.train),
            (count(divided.counted_for_weights, divided), divided.fitted_on),
        )
    )
    for n in range(1, LONGEST + 1):
        known = held_out.upto(n)
        weights, _ = fit_weights(fitted.upto(n), size)
        yield NGramScore(
            name,
            n,
            possible=size ** (n - 1),
            seen=len(tables[n - 1].contexts),
            unseen_share=_rounded((known.totals[-1] == 0).mean()),
            impossible_share=_rounded((known.counts[-1] == 0).mean()),
            training_loss=_loss(maximum_likelihood(training.upto(n))),
            add_k=tuple(_loss(add_k(known, k, size)) for k in KS),
            interpolation=_loss(interpolate(known, weights, size)),
            kneser_ney=_kneser_ney(name, divided, n),
            weights=tuple(map(_rounded, weights)),
        )


def _loss(probabilities: np.ndarray) -> float:
    return _rounded(-np.log(probabilities).mean())


def _rounded(value: float) -> float:
    return round(float(value), 5)


def _kneser_ney(name: str, divided: Divided, n: int) -> float:
    """Return the held-out loss of Kneser-Ney with n - 1 symbols of context."""
    ids = divided.train.ids
    if name == NAMES:
        # It counts every symbol, so of the gap no more is left than its context needs.
        names = split_names(load_names()).train
        ids, _ = name_stream(names, n - 1)
    model = estimate(ids, divided.vocabulary_size, n - 1)
    losses = carried_losses(model, torch.from_numpy(divided.held_out.ids))
    return _rounded(losses[divided.held_out.is_predicted[1:]].mean())
