"""Word queries: what somebody typed, read as the models' texts are, with suggestions for unknown words."""

import difflib
import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lm_core.errors import TextError
from lm_core.text.word_vocabulary import FoundWord, WordVocabulary, find_words

LONGEST = 400
"""Most characters of a list of words."""

_LIKE_ENOUGH = 0.6  # of `difflib`'s ratio
_MORE_LETTERS = 3


class WordQuery(NamedTuple):
    """The words that somebody typed."""

    known: tuple[int, ...]
    """Ids of the words that have a vector, in their order, each once."""
    unknown: tuple[str, ...]
    """The others."""


def parse_words(
    text: str, vocabulary: WordVocabulary, *, fewest: int = 1, most: int = 1, longest: int = LONGEST
) -> WordQuery:
    """Read what somebody typed as words, whether they are known or not.

    Raises TextError if it is too long, or holds too few words or too many. The message is for the
    visitor.

    Parameters
    ----------
    text : str, read as the vocabulary says; capitals are small letters
    fewest, most : int, how many different words there must be
    longest : int, characters
    """
    if len(text) > longest:
        raise TextError(f"at most {longest:,} characters, please: this has {len(text):,}")
    words = list(dict.fromkeys(found.word for found in vocabulary.find(text)))
    wanted = f"{fewest} to {most} words" if most > fewest else _counted(most)
    if not words:
        letter = "letter from a to z" if vocabulary.find is find_words else "word"
        raise TextError(f"type {wanted}: there is no {letter} in it")
    if len(words) > most:
        raise TextError(f"{wanted}, please: this is read as {len(words)}, {_listed(words)}")
    if len(words) < fewest:
        raise TextError(f"type {wanted}: this is {_counted(len(words))}, {_listed(words)}")
    known = tuple(vocabulary.ids[word] for word in words if word in vocabulary)
    return WordQuery(known, tuple(word for word in words if word not in vocabulary))


def _counted(n: int) -> str:
    return "1 word" if n == 1 else f"{n} different words"


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(word if len(word) <= 20 else f"{word[:20]}…" for word in words[:4])
    return f"{shown}, …" if len(words) > 4 else shown


def with_word_replaced(
    text: str, word: str, other: str, find: Callable[[str], list[FoundWord]] = find_words
) -> str:
    """Return what somebody typed with one word of it replaced everywhere.

    Examples
    --------
    >>> with_word_replaced("Snow, sno and SNÓ", "sno", "rain")
    'Snow, rain and rain'
    """
    parts, end = [], 0
    for found in find(text):
        if found.word == word:
            parts += [text[end : found.begin], other]
            end = found.end
    return "".join([*parts, text[end:]])


def nearest_spellings(word: str, words: Sequence[str], n: int = 5) -> list[str]:
    """Return the words spelled most like another, the most alike first; of equals, the first.

    Examples
    --------
    >>> nearest_spellings("napolean", ["pear", "napoleon", "neapolitan"])
    ['napoleon', 'neapolitan']
    >>> nearest_spellings("kng", ["king", "kong"])
    ['king', 'kong']
    """
    matcher = difflib.SequenceMatcher(b=word)
    # The bounds from above are quicker than the ratio itself.
    ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
    found = []
    for place, other in enumerate(words):
        if abs(len(other) - len(word)) > _MORE_LETTERS:
            continue
        matcher.set_seq1(other)
        if all(ratio() >= _LIKE_ENOUGH for ratio in ratios):
            found.append((-matcher.ratio(), place, other))
    return [other for *_, other in heapq.nsmallest(n, found)]
