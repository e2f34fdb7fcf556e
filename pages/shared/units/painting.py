"""Where a unit should be on, painted by the visitor: whole words of the text, span by span."""

from bisect import bisect_right
from itertools import pairwise
from typing import Protocol

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import spans_of
from pages.shared.ui.controls import control

_PAINTED, _OF = "painted_words", "units_painted_of"
_NEXT, _BRUSH = "units_painted_next", "units_brush"
"""What a click paints, until the control is drawn; and the word where a span begins that has no end yet."""


class PaintedText(Protocol):
    """A text on which words can be painted."""

    @property
    def name(self) -> str:
        """Unique to it: what was painted on another is gone."""

    @property
    def text(self) -> str:
        """All of it."""

    @property
    def word_ends(self) -> list[int]:
        """After how many characters each word has been read, with the space before it."""

    @property
    def quotations(self) -> list[tuple[int, int]]:
        """Where quotations begin and end, in characters: painted at first."""


def choose_painted(text: PaintedText) -> np.ndarray:
    """Draw the control of the painted words, and return the target: 1 at their characters, else 0."""
    words = text.text.split()
    if st.session_state.get(_OF) not in (None, text.name):
        for name in (_PAINTED, _BRUSH):
            st.session_state.pop(name, None)
    st.session_state[_OF] = text.name
    if (clicked := st.session_state.pop(_NEXT, None)) is not None:
        st.session_state[_PAINTED] = clicked
    painted = control(
        st.multiselect,
        _PAINTED,
        "Painted words",
        list(range(1, len(words) + 1)),
        _first_painted(text),
        format_func=lambda i: f"{i} {words[i - 1]}",
        placeholder="none",
    )
    ends, target = [0, *text.word_ends], np.zeros(len(text.text))
    for word in painted:
        target[ends[word - 1] : ends[word]] = 1
    return target


def paint(text: PaintedText, target: np.ndarray, character: int) -> None:
    """Take a click on a character of the text."""
    word = word_at(text.word_ends, character)
    is_on = [bool(target[end - 1]) for end in text.word_ends]
    is_on, st.session_state[_BRUSH] = tapped(is_on, st.session_state.get(_BRUSH), word)
    st.session_state[_NEXT] = [i for i, on in enumerate(is_on, 1) if on]
    st.rerun()


def word_at(ends: list[int], character: int) -> int:
    """Return which word holds a character, from 0, of words that each end before one of `ends`."""
    return min(bisect_right(ends, character), len(ends) - 1)


def tapped(is_on: list[bool], begun: int | None, word: int) -> tuple[list[bool], int | None]:
    """Return which words are painted after a tap on one, and where a span is begun that has no end yet.

    A tap ends the span that is begun; else it wipes a painted span away, or begins one.
    """
    if begun is not None:
        first, last = sorted((begun, word))
        return [on or first <= i <= last for i, on in enumerate(is_on)], None
    if not is_on[word]:
        return is_on, word
    (span,) = (s for s in spans_of(np.array(is_on, float)) if s[0] <= word < s[1])
    return [on and not span[0] <= i < span[1] for i, on in enumerate(is_on)], None


def begun_span(text: PaintedText) -> tuple[int, int] | None:
    """Return the characters of the word at which a span was begun; None where none was."""
    word = st.session_state.get(_BRUSH)
    ends = [0, *text.word_ends]
    return None if word is None else (ends[word], ends[word + 1])


def split_between(spans: list[tuple[int, int]]) -> int | None:
    """Return the place between the spans by which units are found and those on which they are scored.

    None where a single span leaves nothing to score on.
    """
    gaps = [(end + start) // 2 for (_, end), (start, _) in pairwise(spans)]
    return gaps[(len(gaps) - 1) // 2] if gaps else None


def _first_painted(text: PaintedText) -> list[int]:
    """Return the words inside quotations, or, without any, some of the text."""
    ends, n = [0, *text.word_ends], len(text.word_ends)
    quoted = [
        i
        for i, (start, end) in enumerate(pairwise(ends), 1)
        if any(a < end and start < b for a, b in text.quotations)
    ]
    return quoted or [*range(max(1, n // 5), n // 3 + 1), *range(2 * n // 3 + 1, 4 * n // 5 + 1)]
