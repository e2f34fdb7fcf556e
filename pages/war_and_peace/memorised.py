"""What of a text is memorised: the passages that are in the book word for word."""

from concurrent.futures import Future
from threading import Timer
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.generation import book_index_process
from lm_core.generation.memorisation import BookIndex, MemorisedSpan, tokens_inside
from lm_core.generation.ngram_membership import NgramFilter, load_filter
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE, CharacterVocabulary
from lm_core.text.corpora import locate
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import SHIPPED
from pages.shared import page

READ_AFTER_S = 5.0
"""After the first visit the book is read, in seconds: by then that visitor has the page."""
_FILTERS = {
    SOURCE.name: SHIPPED.parent / "results" / "ngram-filter",
    FULL.name: SHIPPED.parent / "results" / "ngram-filter-full",
}


class MemorisedPassages(NamedTuple):
    """The passages of a text that are in the book, and what found them."""

    spans: tuple[MemorisedSpan, ...]
    shortest: int
    finder: BookIndex | NgramFilter | None
    """None for a model of another text than the book, or where nothing knows its characters yet."""
    in_tokens: tuple[tuple[int, int], ...] = ()
    """Start and length of each passage in whole tokens of the text."""


def choose_shortest_match() -> int:
    """Draw the control for the shortest passage that is underlined, and return it."""
    return page.slider(
        "shortest_match", "Underline passages memorised from the book", 16, 60, 24, 1,
        format="from %d characters on",
    )  # fmt: skip


def find_memorised(
    ids: tuple[int, ...], shortest: int, vocabulary: CharacterVocabulary
) -> MemorisedPassages:
    """Return the passages of at least `shortest` characters that are in the book.

    They are looked up in the book itself where it is on this server and has been read, else in the
    shipped filter of their characters, which holds no text and is wrong now and then.
    """
    characters = characters_of(vocabulary)
    if characters is None:
        return MemorisedPassages((), shortest, None)
    index = book_index(characters.name) if locate(WAR_AND_PEACE.name) else None
    finder = index.result() if index and index.done() else _filter(characters.name)
    spans = finder.memorised_spans(characters.encode(vocabulary.decode(ids)), shortest)
    in_tokens = tokens_inside(spans, vocabulary.lengths[list(ids)])
    return MemorisedPassages(spans, shortest, finder, in_tokens)


def describe_memorised(memorised: MemorisedPassages) -> str:
    """Say how much is memorised, and how sure that is."""
    longest = max((span.length for span in memorised.spans), default=0)
    total = sum(span.length for span in memorised.spans)
    none = f"No passage of {memorised.shortest} characters or more is in the book."
    if not isinstance(memorised.finder, NgramFilter):
        found = f"{total:,} characters are in the book word for word; the longest passage has {longest}."
        return f"{found if longest else none} Compared with all of the book."
    why = "the book is not on this server or is still being read"
    if not longest:
        return f"{none} A filter of hashed pieces says so, because {why}."
    piece = memorised.finder.meta.gram_length
    by_chance = round(1 / memorised.finder.false_positive_rate)
    return (
        f"{total:,} characters look copied, at most {longest} in a row. They are recognised by pieces of"
        f" {piece} characters only, because {why}: the pieces of a passage may lie in different places of"
        f" the book, and about one new piece in {by_chance} is taken for a known one by mistake."
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def book_index(characters: str) -> Future[BookIndex]:
    """Soon have the book read in a vocabulary and sorted, in another process: nobody waits for it."""
    index: Future[BookIndex] = Future()
    timer = Timer(READ_AFTER_S, _build_index, (index, characters))
    timer.daemon = True
    timer.start()
    return index


def _build_index(index: Future[BookIndex], characters: str) -> None:
    try:
        index.set_result(book_index_process.book_index(characters))
    except LMCoreError as error:
        index.set_exception(error)


@st.cache_resource(max_entries=2, show_spinner=False)
def _filter(characters: str) -> NgramFilter:
    return load_filter(_FILTERS[characters])
