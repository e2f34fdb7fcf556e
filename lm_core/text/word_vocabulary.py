"""The words that get a vector: those frequent enough in a text, the most frequent first."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import regex

from lm_core.errors import TextError

WORDS = "words"
"""The vocabulary's name in the provenance of models that bring their own words."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LETTER = r"[\p{L}\p{M}\u200c\u200d]"
_FINAL_SIGMA = re.compile("\u03c3$")  # case folding writes the one within words there, too
_WORD_OF_ANY_SCRIPT = regex.compile(rf"\p{{L}}{_LETTER}*(?:['’]\p{{L}}{_LETTER}*)*")
_RUN = re.compile(r"[^\s,;]+")
_ACCENTS = range(0x300, 0x370)  # Unicode's combining diacritical marks
_LEFT_OUT_OR_PLAIN = {**dict.fromkeys(_ACCENTS), ord("’"): "'", ord("‘"): "'"}


class FoundWord(NamedTuple):
    """A word of a text, and its place."""

    word: str
    """As `words_of` reads it."""
    begin: int
    end: int
    """`begin` and `end`: its characters in the text, accents that follow it included."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters: runs of a to z, with an apostrophe inside.

    Accents are left out and printed apostrophes made plain, so that a name is not cut at them.

    Examples
    --------
    >>> words_of("It wasn’t Natásha's.")
    ['it', "wasn't", "natasha's"]
    """
    return _WORD.findall(_plain(text))


def find_words(text: str) -> list[FoundWord]:
    """Return the words of a text, as `words_of` does, with the places their places in it."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    distinct, which = np.unique(codes, return_inverse=True)
    plain_of = {int(code): _plain(chr(code)) for code in distinct}
    lengths = np.array([len(plain) for plain in plain_of.values()], np.int64)[which]
    origin = np.append(np.repeat(np.arange(len(text)), lengths), len(text)).tolist()
    found = _WORD.finditer(text.translate(plain_of))
    return [FoundWord(word[0], origin[word.start()], origin[word.end()]) for word in found]


def words_of_any_script(text: str) -> list[str]:
    """Return the words of a text in whatever script: runs of letters and their marks, case folded.

    Nothing is stripped but that printed apostrophes are made plain. Where a language writes no spaces
    between its words, they must have been separated.

    Examples
    --------
    >>> words_of_any_script("Straße, żółw; it’s Война")
    ['strasse', 'żółw', "it's", 'война']
    """
    return [found.word for found in find_words_of_any_script(text)]


def find_words_of_any_script(text: str) -> list[FoundWord]:
    """Return the words of a text, as `words_of_any_script` does, with their places in it."""
    return [
        FoundWord(_FINAL_SIGMA.sub("\u03c2", found[0].casefold().replace("’", "'")), *found.span())
        for found in _WORD_OF_ANY_SCRIPT.finditer(text)
    ]


def find_runs(text: str) -> list[FoundWord]:
    """Return the runs of a text between spaces, commas and semicolons, case folded, with their places.

    Examples
    --------
    >>> [found.word for found in find_runs("New_York, well-known; Straße")]
    ['new_york', 'well-known', 'strasse']
    """
    return [FoundWord(found[0].casefold(), *found.span()) for found in _RUN.finditer(text)]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text.lower()).translate(_LEFT_OUT_OR_PLAIN)


@dataclass(frozen=True)
class WordVocabulary:
    """Words by their ids."""

    words: tuple[str, ...]
    """The most frequent first; of equally frequent ones, the one that appeared first."""
    counts: tuple[int, ...]
    """How often each occurs in the text; 0 where that is not known."""
    find: Callable[[str], list[FoundWord]] = field(
        default=find_words, metadata={"is_recorded": False}
    )
    """How words are found in what somebody types."""

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.ids

    @cached_property
    def ids(self) -> dict[str, int]:
        """Id of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def most_frequent(self, n: int) -> "WordVocabulary":
        """Return the first `n` words."""
        return WordVocabulary(self.words[:n], self.counts[:n], self.find)

    def encode(self, words: Iterable[str]) -> np.ndarray:
        """Return the ids of some words, int64 (N,); words without a vector are left out."""
        known = self.ids
        return np.array([known[word] for word in words if word in known], np.int64)


def read_words(
    texts: Iterable[str], minimum_count: int = 5, find: Callable[[str], Iterable[str]] = words_of
) -> tuple[WordVocabulary, np.ndarray]:
    """Read texts in words, and number those that occur often enough.

    Raises TextError if fewer than two words occur often enough.

    Parameters
    ----------
    texts : iterable of str, each is read once, so that only one need be in memory
    minimum_count : int, at least 1
    find : callable, returns the words of a text

    Returns
    -------
    WordVocabulary, int32 array of shape (N,)
        The words, and all texts in a row in their ids; words too rare for a vector are left out.
    """
    met: defaultdict[str, int] = defaultdict()
    met.default_factory = met.__len__
    read = np.array([met[word] for text in texts for word in find(text)], np.int32)
    counts = np.bincount(read, minlength=len(met))
    n_kept = int((counts >= minimum_count).sum())
    if n_kept < 2:
        raise TextError(
            f"at least 2 words must occur in the text {minimum_count} times or more, {n_kept} do:"
            " use a longer text or a lower minimum count"
        )
    order = np.argsort(-counts, kind="stable")[:n_kept]
    ids = np.full(len(met), -1, np.int32)
    ids[order] = np.arange(n_kept, dtype=np.int32)
    numbered = ids[read]
    words = list(met)
    vocabulary = WordVocabulary(
        tuple(words[i] for i in order), tuple(int(n) for n in counts[order])
    )
    return vocabulary, numbered[numbered >= 0]
