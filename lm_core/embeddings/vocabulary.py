"""The words that get a vector: those frequent enough in a text, the most frequent first."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lm_core.errors import TextError

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters: runs of a to z, with an apostrophe inside.

    Examples
    --------
    >>> words_of("It wasn't Pierre's.")
    ['it', "wasn't", "pierre's"]
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class WordVocabulary:
    """Words by their ids.

    Attributes
    ----------
    words : tuple of str
        The most frequent first; of equally frequent ones, the one that appeared first.
    counts : tuple of int
        How often each stands in the text.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]

    @classmethod
    def count(cls, texts: Iterable[Sequence[str]], minimum_count: int = 5) -> "WordVocabulary":
        """Count the words of some texts, each a sequence of words.

        Raises
        ------
        TextError
            If fewer than two words stand there often enough.
        """
        counter: Counter[str] = Counter()
        for words in texts:
            counter.update(words)
        kept = [(word, n) for word, n in counter.most_common() if n >= minimum_count]
        if len(kept) < 2:
            raise TextError(
                f"at least 2 words must stand in the text {minimum_count} times or more, {len(kept)}"
                " do: use a longer text or a lower minimum count"
            )
        return cls(*(tuple(column) for column in zip(*kept, strict=True)))

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.ids

    @cached_property
    def ids(self) -> dict[str, int]:
        """Id of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def encode(self, words: Iterable[str]) -> np.ndarray:
        """Return the ids of some words, int64 (N,); words without a vector are left out."""
        known = self.ids
        return np.array([known[word] for word in words if word in known], np.int64)
