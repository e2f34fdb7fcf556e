"""How well cosines agree with people: pairs of words that people have scored.

They evaluate finished models. Once they were seen before a choice: that the shipped skip-gram's two
thresholds take turns was tried after each of them had been judged by these pairs.

References
----------
Finkelstein et al. 2002, "Placing Search in Context" (WordSim-353).
Hill, Reichart & Korhonen 2015, "SimLex-999". https://arxiv.org/abs/1408.3456
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.word_space import unit_vectors
from lm_core.errors import TextError
from lm_core.text.word_vocabulary import WordVocabulary


class ScoredPair(NamedTuple):
    """Two words, and how alike people found them."""

    first: str
    second: str
    score: float


class Agreement(NamedTuple):
    """How a model's cosines agree with people's scores."""

    correlation: float
    """In [-1, 1]. Spearman's rank correlation over the pairs with two known words; nan for fewer
    than two."""
    n_pairs: int
    n_known: int
    """`n_pairs` and `n_known`: all pairs, and those of two known words."""

    @property
    def unknown_share(self) -> float:
        """Share of the pairs with an unknown word."""
        return 1.0 - self.n_known / self.n_pairs


def read_pairs(text: str) -> list[ScoredPair]:
    """Read pairs, one a line: two words and a score, with tabs between them.

    Raises TextError if a line is anything else, or there is none.
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
    from scipy.stats import spearmanr  # here, because pages that evaluate nothing need no scipy

    known = [pair for pair in pairs if pair.first in vocabulary and pair.second in vocabulary]
    unit = unit_vectors(vectors)
    first, second = (
        torch.tensor([vocabulary.ids[word] for word in words], dtype=torch.int64)
        for words in ([pair.first for pair in known], [pair.second for pair in known])
    )
    cosines = (unit[first] * unit[second]).sum(-1).tolist()
    scores = [pair.score for pair in known]
    correlation = float(spearmanr(cosines, scores).statistic) if len(known) > 1 else math.nan
    return Agreement(correlation, len(pairs), len(known))
