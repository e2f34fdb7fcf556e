"""The book in both vocabularies: by hand on a made-up edition, and the figures of the real one."""

import dataclasses

import numpy as np
import pytest

from lm_core.text.catalogue import CORPORA, WAR_AND_PEACE, Signs
from lm_core.text.character_vocabulary import FULL, SOURCE, UNKNOWN
from lm_core.text.corpora import check, locate, sha256_of
from lm_core.text.training_text import load_book, printed_body, split_licence

HEADER = "The Project Gutenberg EBook\n\n*** START OF THE PROJECT GUTENBERG EBOOK A TALE ***\n"
STORY = "\n\n“Well,” he said;\nshe *laughed*.\n\n\n"
LICENCE = "End of the Project Gutenberg EBook\n\n*** END OF THIS PROJECT GUTENBERG EBOOK ***\n"


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A whole edition of a few lines in the place of the book."""
    path = tmp_path / WAR_AND_PEACE.path
    path.write_text(HEADER + STORY + LICENCE, encoding="utf-8-sig")
    record = dataclasses.replace(WAR_AND_PEACE, signs=Signs((), 1, 1000))
    monkeypatch.setitem(CORPORA, WAR_AND_PEACE.name, record)
    monkeypatch.setenv("LM_LAB_DATA", str(tmp_path))
    return path


def test_source_keeps_header_and_licence_and_knows_where_the_licence_begins(made_up):
    book = load_book(SOURCE)
    text = SOURCE.decode(book.ids)
    assert text == SOURCE.normalise(HEADER + STORY + LICENCE)
    assert text[book.licence_start :] == SOURCE.normalise(LICENCE)
    assert book.sha256 == sha256_of(made_up)


def test_full_keeps_the_story_only(made_up):
    book = load_book(FULL)
    assert FULL.decode(book.ids) == '\n"Well," he said; she laughed.\n'
    assert book.licence_start == len(book.ids)


def test_split_is_at_nine_tenths_rounded_down(made_up):
    book = load_book(SOURCE)
    assert book.split == 9 * len(book.ids) // 10
    assert len(book.train) == book.split
    np.testing.assert_array_equal(np.concatenate([book.train, book.validation]), book.ids)


@pytest.mark.parametrize(
    "notice",
    [
        "End of Project Gutenberg's War and Peace",
        "*** END OF THE PROJECT GUTENBERG EBOOK 2600 ***",
        "***END OF THIS PROJECT GUTENBERG EBOOK",
    ],
)
def test_the_licence_is_found_in_other_editions(notice):
    assert split_licence(STORY + notice) == (STORY, notice)


def test_a_text_without_licence_is_all_body():
    assert split_licence(STORY) == (STORY, "")


def test_a_title_on_two_lines_belongs_to_the_header():
    header = HEADER.replace("A TALE", "A TALE\nIN TWO LINES")
    assert printed_body(header + STORY + LICENCE) == STORY


needs_book = pytest.mark.skipif(
    locate(WAR_AND_PEACE.name) is None, reason="the book is not on this machine: set LM_LAB_DATA"
)


@pytest.fixture(scope="module")
def exact_book():
    if check(WAR_AND_PEACE.name).verdict != "exact":
        pytest.skip("the book on this machine is another edition than the recorded one")


@needs_book
def test_figures_of_the_source_vocabulary(exact_book):
    book = load_book(SOURCE)
    assert len(book.ids) == 3_169_456
    assert (len(book.train), len(book.validation)) == (2_852_510, 316_946)
    assert len(SOURCE) == 70
    assert SOURCE.symbols[0] == UNKNOWN
    assert set(book.ids.tolist()) == set(range(1, 70))
    assert len(book.ids) - book.licence_start == 18_355


@needs_book
def test_the_full_vocabulary_loses_nothing_and_holds_no_licence(exact_book):
    book = load_book(FULL)
    assert set(book.ids.tolist()) == set(range(1, len(FULL)))
    text = FULL.decode(book.ids)
    assert "Gutenberg" not in text
    assert "\n\n" not in text
