"""Is it good text? What can be counted of a passage without understanding it.

None of these measures says that a text is good. Each says how far it is from a book in one respect:
a model at a low temperature repeats itself, one at a high temperature invents words.
"""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*\s+")
_QUOTE = '"'
_SHORTEST_SENTENCE = 4
"""Words from which on a sentence that comes again is a repetition: people say "Yes, yes" too."""


class TextQuality(NamedTuple):
    """Measures of one passage; None where it holds nothing to be measured."""

    real_words: float | None  # share of the words that are known
    distinct_trigrams: float | None  # share of three words in a row that come for the first time
    capitals: float | None
    """Share of the sentences after the first that begin with a capital letter."""
    repeated_sentences: float | None  # share of the longer sentences that have come before
    sentence_words: float | None  # words a sentence, mean
    dialogue: float | None  # share of the characters between quotation marks
    closed_quotations: float | None
    """Share of the opened quotations that are closed in their paragraph."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, apostrophes within them kept.

    Examples
    --------
    >>> words("Don't go, Natasha--not yet!")
    ["don't", 'go', 'natasha', 'not', 'yet']
    """
    return _WORD.findall(text.lower())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; the last one, which the passage may have cut, is left out.

    Examples
    --------
    >>> sentences('He came. "Why?" she asked. And th')
    ['He came. ', '"Why?" ', 'she asked. ']
    """
    bounds = [0, *(end.end() for end in _SENTENCE_END.finditer(text))]
    return [text[start:stop] for start, stop in pairwise(bounds)]


def text_quality(text: str, known: Collection[str]) -> TextQuality:
    """Measure a passage.

    `known`: collection of str, words in lower case.
    """
    found = words(text)
    trigrams = list(zip(found, found[1:], found[2:], strict=False))
    told = sentences(text)
    longer = [tuple(said) for said in map(words, told) if len(said) >= _SHORTEST_SENTENCE]
    begun = [text[end.end() :].lstrip(_QUOTE + "'([")[:1] for end in _SENTENCE_END.finditer(text)]
    letters = [letter for letter in begun if letter.isalpha()]
    quoted = list(_quotations(text))
    has_quotes = bool(quoted)
    return TextQuality(
        real_words=_share(sum(word in known for word in found), len(found)),
        distinct_trigrams=_share(len(set(trigrams)), len(trigrams)),
        capitals=_share(sum(map(str.isupper, letters)), len(letters)),
        repeated_sentences=_share(len(longer) - len(set(longer)), len(longer)),
        sentence_words=_share(sum(len(words(one)) for one in told), len(told)),
        dialogue=_share(sum(length for length, _ in quoted), len(text)) if has_quotes else None,
        closed_quotations=_share(sum(is_closed for _, is_closed in quoted), len(quoted)),
    )


def _quotations(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the length of each quotation and whether it is closed in its paragraph.

    A speaker who goes on in the next paragraph opens it with a mark, and the one before stays open: that
    is no fault. The last paragraph may have been cut, and its last mark is not counted if it is open.
    """
    paragraphs = text.split("\n")
    for number, paragraph in enumerate(paragraphs):
        parts = paragraph.split(_QUOTE)
        yield from ((len(said), True) for said in parts[1:-1:2])
        if len(parts) % 2 == 0:
            goes_on = number + 1 == len(paragraphs) or paragraphs[number + 1].startswith(_QUOTE)
            if not goes_on:
                yield len(parts[-1]), False


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
