"""How well cosines agree with people: pairs of words that people have scored.

Nothing is ever chosen by these pairs: they are looked at when a model is finished.

References
----------
Finkelstein et al. 2002, "Placing Search in Context" (WordSim-353).
Hill, Reichart & Korhonen 2015, "SimLex-999". https://arxiv.org/abs/1408.3456
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.analysis.similarity import unit_vectors
from lm_core.errors import TextError
from lm_core.text.word_vocabulary import WordVocabulary


class ScoredPair(NamedTuple):
    """Two words, and how alike people found them."""

    first: str
    second: str
    score: float


class Agreement(NamedTuple):
    """How a model's cosines agree with people's scores.

    Attributes
    ----------
    correlation : float in [-1, 1]
        Spearman's rank correlation over the pairs with two known words; nan for fewer than two.
    n_pairs, n_known : int
        All pairs, and those of two known words.
    """

    correlation: float
    n_pairs: int
    n_known: int

    @property
    def unknown_share(self) -> float:
        """Share of the pairs that could not be judged."""
        return 1.0 - self.n_known / self.n_pairs


def read_pairs(text: str) -> list[ScoredPair]:
    """Read pairs, one a line: two words and a score, with tabs between them.

    Raises
    ------
    TextError
        If a line is anything else, or there is none.
    """
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            first, second, score = line.split("\t")[:3]
            pairs.append(ScoredPair(first.lower(), second.lower(), float(score)))
        except ValueError as error:
            raise TextError(
                f"line {number} must hold two words and a number with tabs between them, got {line!r}"
            ) from error
    if not pairs:
        raise TextError("there must be at least one pair, got none")
    return pairs


def agreement(
    vectors: Tensor, vocabulary: WordVocabulary, pairs: Sequence[ScoredPair]
) -> Agreement:
    """Compare the cosines of vectors (V, D) with people's scores."""
    known = [pair for pair in pairs if pair.first in vocabulary and pair.second in vocabulary]
    unit = unit_vectors(vectors)
    first, second = (
        torch.tensor([vocabulary.ids[word] for word in words], dtype=torch.int64)
        for words in ([pair.first for pair in known], [pair.second for pair in known])
    )
    cosines = (unit[first] * unit[second]).sum(-1).numpy()
    scores = np.array([pair.score for pair in known])
    return Agreement(rank_correlation(cosines, scores), len(pairs), len(known))


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation of two rows of numbers, (N,) each; nan for N < 2.

    Equal numbers share the mean of their ranks.

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 9.0]), np.array([3.0, 4.0, 4.5]))
    1.0
    """
    if len(first) < 2:
        return float("nan")
    return round(float(np.corrcoef(_ranks(first), _ranks(second))[0, 1]), 12)


def _ranks(values: np.ndarray) -> np.ndarray:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2.0)[place]
