"""What a unit could keep track of: for each character of a text, whether it is inside something, or how far.

A *target* has a number for each character of a text as `lm_core.text.character_vocabulary.FULL` spells
it, of what is known once that character was read: 1 inside and 0 outside, or a count.
"""

import re
from collections.abc import Callable
from itertools import accumulate

import numpy as np

_SPACE_BEFORE = " \n(-"
_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)*")
_END_OF_SENTENCE = re.compile(r"[.!?][\"')]*(?=\s)")


def inside_quotation(text: str) -> np.ndarray:
    """Return 1 from each opening quotation mark up to the closing one, which is outside.

    A mark opens at the start of the text and after white space, and closes elsewhere; a quotation that
    is not closed ends with its paragraph.

    Examples
    --------
    >>> inside_quotation('He said "I" and').astype(int).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    """
    inside, is_inside = np.zeros(len(text)), False
    for i, (preceding, character) in enumerate(zip("\n" + text, text, strict=False)):
        if character == '"':
            is_inside = preceding in _SPACE_BEFORE
        elif character == "\n":
            is_inside = False
        inside[i] = is_inside
    return inside


def in_name(text: str) -> np.ndarray:
    """Return 1 at each letter of a capitalised word of two letters or more that begins no sentence or quotation."""
    inside = np.zeros(len(text))
    for word in _WORD.finditer(text):
        before = text[: word.start()][-2:]
        is_first = not before.strip() or before[-1:] in "\"'" or before[:1] in ".!?\"'"
        if word[0][0].isupper() and len(word[0]) > 1 and not word[0].isupper() and not is_first:
            inside[word.start() : word.end()] = 1
    return inside


def end_of_word(text: str) -> np.ndarray:
    """Return 1 at the last letter of each word: only what follows shows that it is the last."""
    inside = np.zeros(len(text))
    inside[[word.end() - 1 for word in _WORD.finditer(text)]] = 1
    return inside


def letters_into_word(text: str) -> np.ndarray:
    """Return how many letters of its word were read; 0 between words."""
    counts = np.zeros(len(text))
    for word in _WORD.finditer(text):
        counts[word.start() : word.end()] = range(1, len(word[0]) + 1)
    return counts


def into_sentence(text: str) -> np.ndarray:
    """Return the logarithm of how many characters were read since the sentence began, plus one."""
    ends = {match.end() for match in _END_OF_SENTENCE.finditer(text)}
    return _since(text, lambda i: i in ends or text[i] == "\n")


def into_paragraph(text: str) -> np.ndarray:
    """Return the logarithm of how many characters were read since the paragraph began, plus one."""
    return _since(text, lambda i: text[i] == "\n")


def _since(text: str, begins: Callable[[int], bool]) -> np.ndarray:
    counts = accumulate(
        range(len(text)), lambda count, i: 0 if begins(i) else count + 1, initial=-1
    )
    return np.log1p(list(counts)[1:])


QUOTATION = "inside a quotation"
KINDS: dict[str, Callable[[str], np.ndarray]] = {
    QUOTATION: inside_quotation,
    "in a name": in_name,
    "last letter of a word": end_of_word,
    "letters into a word": letters_into_word,
    "how far into the sentence": into_sentence,
    "how far into the paragraph": into_paragraph,
}
"""Functions that return the target of a text, by its name."""


def spans_of(target: np.ndarray) -> list[tuple[int, int]]:
    """Return the stretches at which a target of 0 and 1 is 1, as (start, end).

    Examples
    --------
    >>> spans_of(np.array([0, 1, 1, 0, 1]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[0], target > 0, [0]]))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
