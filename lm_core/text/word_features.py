"""A word as a few features: itself, its first and last letters, and how it is written.

A word that training never showed has no vector of its own, yet its last letters and its capital say
much of what it is: *-ing*, *-ly*, *New*. Each feature has an id, and a word is read as a row of ids.

References
----------
Collobert et al. 2011, "Natural Language Processing (Almost) from Scratch" (suffixes and capitals
beside the word). https://arxiv.org/abs/1103.0398
Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information" (a word's vector as the sum
of those of its pieces). https://arxiv.org/abs/1607.04606
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

LONGEST_AFFIX = 4
N_FEATURES = 2 + 2 * LONGEST_AFFIX
"""Of a word: itself, its prefixes, its suffixes, and how it is written."""

PADDING, UNKNOWN_WORD = 0, 1
"""Ids: of no feature at all, and of a word that is in no vocabulary."""

_FIRST_ID = 2
_ITSELF = "="
_DIGIT = re.compile(r"\d")


def spelled_plainly(word: str) -> str:
    """Return a word in lower case, all its digits alike: words that are so are one word.

    Examples
    --------
    >>> spelled_plainly("May-1961")
    'may-0000'
    """
    return _DIGIT.sub("0", word.lower())


def features_of(word: str) -> tuple[str, ...]:
    """Return a word's features by name, an empty one for each prefix or suffix that it is too short for.

    Prefixes and suffixes have 1 to `LONGEST_AFFIX` letters and leave at least
    one letter of the word.

    Examples
    --------
    >>> features_of("Owls")
    ('=owls', '<o', '<ow', '<owl', '', '>s', '>ls', '>wls', '', '^Aa')
    """
    plain = spelled_plainly(word)
    lengths = range(1, LONGEST_AFFIX + 1)
    prefixes = [f"<{plain[:n]}" if n < len(plain) else "" for n in lengths]
    suffixes = [f">{plain[-n:]}" if n < len(plain) else "" for n in lengths]
    return (f"{_ITSELF}{plain}", *prefixes, *suffixes, f"^{_shape(word)}")


def _shape(word: str) -> str:
    """Return how a word is written: its capitals, whether it has a digit, whether a hyphen."""
    if not any(map(str.isalpha, word)):
        capitals = "."
    elif word.islower():
        capitals = "a"
    elif word.isupper():
        capitals = "AA" if len(word) > 1 else "A"
    else:
        capitals = "Aa" if word[0].isupper() else "aA"
    return capitals + ("0" if _DIGIT.search(word) else "") + ("_" if "-" in word[1:-1] else "")


class FeatureVocabulary:
    """Features by id.

    `names`: sequence of str, as `features_of` makes them, in the order of their ids from 2 on.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._ids = {name: i for i, name in enumerate(self.names, _FIRST_ID)}

    @classmethod
    def learn(
        cls, counts: Mapping[str, int], *, least_count: int, least_words: int
    ) -> "FeatureVocabulary":
        """Return the features of a text's words, the most frequent first.

        Parameters
        ----------
        counts : mapping of str to int, how often each word was read, as it was written
        least_count : int, words read less often have no vector of their own
        least_words : int, prefixes, suffixes and ways of writing that fewer words have are left out
        """
        words: Counter[str] = Counter()
        others: Counter[str] = Counter()
        for word, count in counts.items():
            itself, *rest = features_of(word)
            words[itself] += count
            others.update(filter(None, rest))
        found = [word for word, n in words.items() if n >= least_count]
        found += [other for other, n in others.items() if n >= least_words]
        order = words + others
        return cls(sorted(found, key=lambda name: (-order[name], name)))

    def __len__(self) -> int:
        """Return how many ids there are."""
        return _FIRST_ID + len(self.names)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that have an id of their own, as `spelled_plainly` spells them."""
        return tuple(name[1:] for name in self.names if name.startswith(_ITSELF))

    def has_word(self, word: str) -> bool:
        """Return whether a word has an id of its own."""
        return features_of(word)[0] in self._ids

    def encode(self, words: Iterable[str]) -> np.ndarray:
        """Return words as rows of ids, int64 (T, `N_FEATURES`), the word itself first."""
        words = list(words)
        rows = {word: self._row(word) for word in set(words)}
        return np.array([rows[word] for word in words], np.int64).reshape(-1, N_FEATURES)

    def _row(self, word: str) -> tuple[int, ...]:
        itself, *others = features_of(word)
        return (
            self._ids.get(itself, UNKNOWN_WORD),
            *(self._ids.get(name, PADDING) for name in others),
        )
