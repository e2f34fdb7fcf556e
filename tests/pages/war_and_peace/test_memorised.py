"""Passages are looked up in the book as soon as it has been read, and nobody waits for that."""

from threading import Event

import pytest
import streamlit as st

from lm_core.errors import TextError
from lm_core.generation.memorisation import BookIndex
from lm_core.generation.ngram_membership import NgramFilter
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from pages.war_and_peace import memorised

BOOK_INDEX = memorised.book_index
PASSAGE = "zzz qqq zzz qqq zzz qqq"


@pytest.fixture
def read(monkeypatch):
    """Let the book be on this server, and its reading end when this is set."""
    read = Event()

    def book_index(characters):
        assert read.wait(10)
        return BookIndex.build(vocabulary_named(characters).encode(f"Well, {PASSAGE}!"))

    monkeypatch.setattr(memorised, "book_index", BOOK_INDEX)
    monkeypatch.setattr(memorised, "READ_AFTER_S", 0.0)
    monkeypatch.setattr(memorised, "locate", lambda name: True)
    monkeypatch.setattr(memorised.book_index_process, "book_index", book_index)
    yield read
    read.set()


def find(written=PASSAGE, vocabulary=SOURCE):
    return memorised.find_memorised(tuple(vocabulary.encode(written).tolist()), 20, vocabulary)


def test_until_the_book_is_read_the_filter_answers(read):
    assert isinstance(find().finder, NgramFilter)
    assert not find().spans
    read.set()
    memorised.book_index(SOURCE.name).result(10)
    found = find()
    assert isinstance(found.finder, BookIndex)
    assert [(span.start, span.length) for span in found.spans] == [(0, len(PASSAGE))]


def test_a_text_with_quotes_is_looked_up_in_the_book_with_quotes(read, monkeypatch):
    quoted, subwords = f'"{PASSAGE}"', vocabulary_named(FULL_SUBWORDS)
    before = find(quoted, subwords)
    assert isinstance(before.finder, NgramFilter)
    assert before.finder.meta.vocabulary == FULL.name
    assert not before.spans
    book = BookIndex.build(FULL.encode(f"a {quoted} b"))
    monkeypatch.setattr(memorised.book_index_process, "book_index", {FULL.name: book}.__getitem__)
    st.cache_resource.clear()
    memorised.book_index(FULL.name).result(10)
    found = find(f"no {quoted} no", subwords)
    assert [(span.start, span.length) for span in found.spans] == [(2, 2 + len(quoted))]


def test_a_book_that_cannot_be_read_is_reported(read, monkeypatch):
    def book_index(characters):
        raise TextError("a book must hold at least one character")

    monkeypatch.setattr(memorised.book_index_process, "book_index", book_index)
    with pytest.raises(TextError):
        memorised.book_index(SOURCE.name).result(10)
    with pytest.raises(TextError):
        find()
