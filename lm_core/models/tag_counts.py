"""The most frequent tag: what one knows of a word without its sentence, by counting."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from lm_core.text.tagged_sentences import TAGS, TaggedSentence
from lm_core.text.word_features import spelled_plainly

AMBIGUOUS_SHARE = 0.05
"""A word is ambiguous if so large a part of its occurrences, or more, has not its most frequent tag."""


class TagCounts:
    """How often each word had each tag.

    Parameters
    ----------
    counts : mapping of str to int ndarray of shape (K,), by words as `spelled_plainly` spells them
    unknown : int ndarray of shape (K,)
        Tags of words that were read once: what is expected of one that was never read.
    """

    def __init__(self, counts: Mapping[str, np.ndarray], unknown: np.ndarray) -> None:
        self.counts, self.unknown = counts, unknown

    @classmethod
    def of(cls, sentences: Iterable[TaggedSentence]) -> "TagCounts":
        """Count the tags of the words of sentences."""
        pairs = Counter(
            (spelled_plainly(word), tag)
            for sentence in sentences
            for word, tag in zip(sentence.words, sentence.tags, strict=True)
        )
        counts: dict[str, np.ndarray] = {}
        for (word, tag), n in pairs.items():
            counts.setdefault(word, np.zeros(len(TAGS), np.int64))[tag] = n
        once = (row for row in counts.values() if row.sum() == 1)
        return cls(counts, sum(once, np.zeros(len(TAGS), np.int64)))

    def has(self, word: str) -> bool:
        """Return whether a word was read."""
        return spelled_plainly(word) in self.counts

    def shares(self, word: str) -> np.ndarray:
        """Return the share of each tag among a word's occurrences, (K,); of a new word, among rare ones'."""
        row = self.counts.get(spelled_plainly(word), self.unknown)
        return np.asarray(row / max(int(row.sum()), 1))

    def most_frequent(self, word: str) -> int:
        """Return a word's most frequent tag; of a new word, that of rare ones."""
        return int(self.shares(word).argmax())

    def is_ambiguous(self, word: str) -> bool:
        """Return whether a word that was read often has another tag than its most frequent one."""
        return self.has(word) and bool(1 - self.shares(word).max() >= AMBIGUOUS_SHARE)
