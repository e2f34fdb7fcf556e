"""The n-gram models of the book: the honest baseline, and the small table that is shipped.

The full table is as large as the book's own collocations, so it is counted where the book is (a
second or two) and never shipped.
"""

from typing import NamedTuple

import numpy as np

from lm_core.ngrams.kneser_ney import KneserNey, estimate
from lm_core.ngrams.pruning import prune

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
    neighbours instead of occurrences and would predict badly as the longest.

    Parameters
    ----------
    ids : int ndarray of shape (N,)
        The training part of the book.
    vocabulary_size : int
        V, at most 78.

    Raises
    ------
    SettingError, TextError
        As `estimate` does.
    """
    full = estimate(ids, vocabulary_size, FULL_CONTEXT)
    shipped = prune(estimate(ids, vocabulary_size, SHIPPED_CONTEXT), ids, SHIPPED_GAIN)
    return BookNgrams(full, shipped)
