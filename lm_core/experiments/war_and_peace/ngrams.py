"""The n-gram models of the book: the baseline, and the small table that is shipped.

The full table is as large as the book's own collocations, so it is counted where the book is (a
second or two) and never shipped.
"""

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lm_core.models.ngram import KneserNey, estimate
from lm_core.models.ngram_pruning import prune
from lm_core.models.registry import config_to_dict
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint

FULL_CONTEXT = 9
"""Characters of context of the baseline: as many as fit into a 64-bit key."""

SHIPPED_CONTEXT = 6
"""Characters of context of the shipped table: held-out text chose 6 over 5 and 7 at 3 MB."""

SHIPPED_GAIN = 2.0
"""Nats that an n-gram must save on the training text to be shipped: a table of 3 MB."""


class BookNgrams(NamedTuple):
    """The two tables of one text."""

    full: KneserNey
    shipped: KneserNey


def train_ngrams(ids: np.ndarray, vocabulary_size: int) -> BookNgrams:
    """Count a text into the full baseline and the table small enough to be shipped.

    The shipped one is counted anew and not cut out of the full one, whose shorter contexts count
    neighbours instead of occurrences and would predict badly as the longest. Raises SettingError or
    TextError as `estimate` does.

    Parameters
    ----------
    ids : int ndarray of shape (N,), the training part of the book
    vocabulary_size : int, V, at most 78
    """
    full = estimate(ids, vocabulary_size, FULL_CONTEXT)
    shipped = prune(estimate(ids, vocabulary_size, SHIPPED_CONTEXT), ids, SHIPPED_GAIN)
    return BookNgrams(full, shipped)


def save_shipped_ngram(book: Book, folder: Path) -> Path:
    """Count the training part of the book and save the small table as the checkpoint ``book-ngram``.

    Raises CheckpointError if the folder cannot be written.
    """
    started = time.process_time()
    model = train_ngrams(book.train, len(SOURCE)).shipped
    meta = ngram_meta(
        model, book, name="book-ngram", seconds=round(time.process_time() - started, 1)
    )
    return save_checkpoint(folder, model, meta)


def ngram_meta(model: KneserNey, book: Book, *, name: str, seconds: float) -> CheckpointMeta:
    """Return the provenance of a table that was counted from the book's training part."""
    return CheckpointMeta(
        name=name,
        title=f"n-gram, {model.config.context_size} characters",
        config=config_to_dict(model.config),
        vocabulary=SOURCE.name,
        corpus=WAR_AND_PEACE.name,
        corpus_sha256=book.sha256,
        seed=0,
        steps=0,
        characters_seen=len(book.train),
        seconds=seconds,
        device="cpu",
        parameter_count=sum(model.config.entries),
        storage="float16_compressed",
    )
