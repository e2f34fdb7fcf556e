"""The library: what models read before the book, and what they must never have read."""

import re
from dataclasses import replace

import pytest

from lm_core.text import library
from lm_core.text.catalogue import BOOKS, CORPORA, WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL
from lm_core.text.corpora import locate
from lm_core.text.library import HELD_OUT_NOVELS, LIBRARY, held_out_of, load_library
from lm_core.text.training_text import Book
from tests.core.text.test_book import HEADER, LICENCE

HERE = all(locate(corpus.name) for corpus in (*BOOKS, WAR_AND_PEACE))
needs_the_books = pytest.mark.skipif(not HERE, reason="not all books are on this machine")
END = LICENCE.partition("\n\n")[2]
PASSAGE, HEADING = 60, 80
"""Letters and spaces in a row that two texts, or a novel's text and its headings, have in common no more."""


@pytest.fixture
def shelf(monkeypatch):
    """A small library: a novel that is read but for a tenth, one that is read whole, and a book."""
    novel = "".join(f"Sentence {i:03d} of a novel. " for i in range(40))
    files = {
        HELD_OUT_NOVELS[0]: f"{HEADER}{novel}\n\n{END}",
        "gutenberg/a-tale": f"{HEADER}A tale, read whole.\n\n{END}",
    }
    books = tuple(replace(BOOKS[0], name=name) for name in files)
    book = Book(FULL.encode("Nine tenths of it. The last."), FULL, WAR_AND_PEACE.name, "0" * 64, 28)
    monkeypatch.setattr(library, "BOOKS", books)
    monkeypatch.setattr(library, "load_text", files.__getitem__)
    monkeypatch.setattr(library, "load_book", lambda _: book)
    monkeypatch.setattr(library, "sha256_of_parts", lambda parts: "f" * 64)
    return book


def test_the_library_is_the_other_books_and_then_the_training_part(shelf):
    text = load_library(FULL)
    learned, validation = FULL.decode(text.train), FULL.decode(text.validation)
    assert learned.endswith(f"A tale, read whole.\n{FULL.decode(shelf.train)}")
    assert validation == FULL.decode(shelf.validation)
    assert "Sentence 000" in learned
    assert "EBook" not in learned
    assert (text.corpus, text.sha256) == (LIBRARY, "f" * 64)


def test_a_tenth_of_a_held_out_novel_is_not_read(shelf):
    learned = FULL.decode(load_library(FULL).train)
    held_out = re.findall(r"Sentence \d+ of a novel", held_out_of(HELD_OUT_NOVELS[0]))
    read = re.findall(r"Sentence \d+ of a novel", learned)
    assert len(held_out) == 3  # and a part of the one before and of the one behind
    assert not set(held_out) & set(read)
    assert len(read) == 35


def test_captions_are_named_by_their_language():
    titles = {name: CORPORA[f"multi30k/val.{name}"].title for name in ("en", "fr")}
    assert "English" in titles["en"]
    assert "French" in titles["fr"]


@needs_the_books
def test_a_corpus_that_is_here_is_as_long_as_the_catalogue_says():
    here = {name: locate(name) for name in CORPORA}
    sizes = {name: path.stat().st_size for name, path in here.items() if path}
    assert sizes == {name: CORPORA[name].size_bytes for name in sizes}


@needs_the_books
@pytest.mark.slow
def test_nothing_that_models_are_judged_by_is_in_the_library():
    text = load_library(FULL)
    learned = letters(FULL.decode(text.train))
    judged_by = {FULL.decode(text.validation): PASSAGE}
    # The heading of a part stands in its novel's table of contents, too.
    judged_by |= dict.fromkeys(map(held_out_of, HELD_OUT_NOVELS), HEADING)
    for part, length in judged_by.items():
        judged = letters(part)
        assert len(judged) > 20_000
        assert not shared(judged, learned, length)
        would_be_seen = f"{learned[:1_000]}{judged[500 : 500 + length]}{learned[:1_000]}"
        assert shared(judged, would_be_seen, length)


def letters(text):
    """A text as it reads aloud: without signs, figures, line ends and capitals."""
    return re.sub("[^a-z]+", " ", text.lower())


def shared(part, text, length):
    """The passages of that length that a text has in common with another."""
    step = length // 3
    known = {part[i : i + step] for i in range(len(part))}
    begun = (i for i in range(0, len(text), step) if text[i : i + step] in known)
    around = {text[max(0, i - length + step) : i + length] for i in begun}
    wanted = {part[i : i + length] for i in range(len(part) - length + 1)}
    windows = (near[j : j + length] for near in around for j in range(len(near)))
    return wanted.intersection(windows)
