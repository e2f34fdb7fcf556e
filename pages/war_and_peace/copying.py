"""Which passages of a text stand in the book word for word, and how sure that is."""

from typing import NamedTuple

import streamlit as st

from lm_core.generation.memorisation import BookIndex, CopiedSpan, tokens_inside
from lm_core.generation.ngram_membership import PassageFilter, load_filter
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED
from pages.shared.ui.controls import control

_FILTER = SHIPPED.parent / "results" / "copied-passages"


class Copies(NamedTuple):
    """The copied passages of a text, and what found them."""

    spans: tuple[CopiedSpan, ...]
    shortest: int
    finder: BookIndex | PassageFilter | None
    """None for a model of another text than the book."""

    in_tokens: tuple[tuple[int, int], ...] = ()
    """Start and length of each passage in whole tokens of the text."""


def choose_shortest_copy() -> int:
    """Draw the control for the shortest passage that counts as copied, and return it."""
    return control(
        st.slider,
        "copied",
        "Underline passages copied from the book",
        16,
        60,
        24,
        format="from %d characters on",
    )


def find_copies(ids: tuple[int, ...], shortest: int, vocabulary: CharacterVocabulary) -> Copies:
    """Return the passages of at least `shortest` characters that stand in the book.

    They are looked up in the book itself where it is on this server, else in the shipped filter,
    which holds no text and is wrong now and then.
    """
    if vocabulary.normalise is not SOURCE.normalise:
        return Copies((), shortest, None)
    finder = _index() if locate(WAR_AND_PEACE.name) else _filter()
    spans = finder.copied_spans(SOURCE.encode(vocabulary.decode(ids)), shortest)
    in_tokens = tokens_inside(spans, vocabulary.lengths[list(ids)])
    return Copies(spans, shortest, finder, in_tokens)


def describe_copies(copies: Copies) -> str:
    """Say how much was copied, and how sure that is."""
    if copies.spans:
        longest = max(span.length for span in copies.spans)
        total = sum(span.length for span in copies.spans)
        found = (
            f"{total:,} characters were copied from the book; the longest passage has {longest}."
        )
    else:
        found = f"No passage of {copies.shortest} characters or more stands in the book."
    if isinstance(copies.finder, BookIndex):
        return f"{found} Compared with all of the book."
    rate = copies.finder.span_false_positive_rate(copies.shortest)
    return (
        f"{found} The book is not on this server: a filter of hashed passages answered, which"
        f" takes about one new passage in {1 / rate:,.0f} for a copy."
    )


@st.cache_resource(max_entries=1, show_spinner="Reading the book")
def _index() -> BookIndex:
    return BookIndex.build(load_book(SOURCE).ids)


@st.cache_resource(max_entries=1, show_spinner=False)
def _filter() -> PassageFilter:
    return load_filter(_FILTER)
