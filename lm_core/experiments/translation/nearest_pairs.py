"""Which training pairs are most like a sentence, to tell a translation from a memory.

Sentences are compared by the words that they share; a word counts the more, the fewer training
sentences have it (TF-IDF, Spärck Jones 1972).
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from lm_core.text.sentence_pairs import SentencePair


class NearPair(NamedTuple):
    """A training pair."""

    pair: SentencePair
    similarity: float
    """In [0, 1]. Cosine between the weighted words of both English sentences; 1 for the same
    words."""
    shared: tuple[str, ...]
    """Words that both have, the rarest first."""


class PairIndex:
    """The words of training pairs, and where each appears."""

    def __init__(self, pairs: Sequence[SentencePair]) -> None:
        self._pairs = pairs
        self._places: dict[str, list[int]] = defaultdict(list)
        of_pairs = [_words(pair.source) for pair in pairs]
        for place, words in enumerate(of_pairs):
            for word in words:
                self._places[word].append(place)
        self._norms = [self._norm(words) for words in of_pairs]

    def nearest(self, sentence: str, n: int = 5) -> list[NearPair]:
        """Return the `n` pairs whose English is most like a sentence; fewer if they share no word."""
        words = _words(sentence)
        products: dict[int, float] = defaultdict(float)
        for word in words:
            for place in self._places.get(word, ()):
                products[place] += self._weight(word) ** 2
        norm = self._norm(words)
        scored = [(products[p] / (norm * self._norms[p]), -p) for p in products]
        return [
            NearPair(self._pairs[-minus], similarity, self._shared(words, self._pairs[-minus]))
            for similarity, minus in sorted(scored, reverse=True)[:n]
        ]

    def _shared(self, words: set[str], pair: SentencePair) -> tuple[str, ...]:
        both = words & _words(pair.source)
        return tuple(sorted(both, key=lambda word: (-self._weight(word), word)))

    def _weight(self, word: str) -> float:
        """Return the logarithm of how few sentences have the word."""
        return math.log((1 + len(self._pairs)) / (1 + len(self._places.get(word, ())))) + 1e-9

    def _norm(self, words: set[str]) -> float:
        return math.sqrt(sum(self._weight(word) ** 2 for word in words))


def _words(sentence: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", sentence.lower()))
