"""What was counted in the book: shipped whole, and what the book gives."""

from dataclasses import replace

import pytest

from lm_core.__main__ import main
from lm_core.errors import TextError
from lm_core.experiments.tokenization.book_statistics import (
    KNOWN_WORDS,
    MOST_MERGES,
    BookStatistics,
    count_units,
    count_words,
    load_book_tokenizer,
)
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_body

needs_book = pytest.mark.skipif(
    not locate(WAR_AND_PEACE.name), reason="War and Peace is not on this machine"
)


def test_the_shipped_counts_agree_with_one_another():
    book = BookStatistics.load()
    assert book.provenance["corpus_sha256"] == WAR_AND_PEACE.sha256
    assert len(book.words) == len(set(book.words)) == KNOWN_WORDS
    assert list(book.counts) == sorted(book.counts, reverse=True)
    assert book.words[0] == "the"
    assert [size.n_merges for size in book.sizes][-1] == MOST_MERGES
    tokens = [size.n_tokens for size in book.sizes]
    assert tokens == sorted(tokens, reverse=True)
    assert len(load_book_tokenizer().merges) == MOST_MERGES
    assert len(book.tokenizer("whitespace")) == KNOWN_WORDS


def test_words_stand_by_frequency_and_tell_nothing_of_the_text():
    book = BookStatistics.load()
    assert list(zip(book.counts, book.words, strict=False)) == sorted(
        zip(book.counts, book.words, strict=False), key=lambda pair: (-pair[0], pair[1])
    )
    _, vocabularies = count_words("so the war: war and peace, and war so")
    assert vocabularies["whitespace"] == ("and", "so", "war", "peace,", "the", "war:")
    assert vocabularies["basic english"] == ("war", "and", "so", ",", "peace", "the")


def test_shares_are_those_of_the_counts():
    book = replace(BookStatistics.load(), ranked=((5, 1), (2, 1), (1, 3)), n_words=4)
    assert [book.coverage(n) for n in (1, 2, 5)] == [0.5, 0.7, 1.0]
    assert book.n_once == 3
    assert (book.per_word(6), book.one_hot_per_word(10, 6)) == (1.5, 15.0)


def test_a_number_as_input_is_far_worse_than_a_row_of_its_own():
    losses = BookStatistics.load().inputs
    assert losses.one_hot < min(losses.integer)
    assert max(losses.integer) < losses.nothing
    assert len(losses.integer) == 21


def test_a_missing_encoding_is_named(tmp_path):
    with pytest.raises(TextError, match=r"no readable byte-pair encoding in .*none\.json"):
        load_book_tokenizer(tmp_path / "none.json")


def test_units_are_counted():
    units = count_units("“It’s his,” he said.")
    assert units["characters, source"] == (70, len(SOURCE.normalise("“It’s his,” he said.")))
    assert units["whitespace"] == (4, 4)
    assert units["basic english"] == (8, 8)


@pytest.mark.slow
@needs_book
def test_the_book_gives_what_is_shipped():
    book, text = BookStatistics.load(), load_body()
    ranked, vocabularies = count_words(text)
    assert [count for _, count in ranked] == list(book.counts)
    assert tuple(word for word, _ in ranked[:KNOWN_WORDS]) == book.words
    assert vocabularies == book.vocabularies
    assert (len(text), len(text.split())) == (book.n_characters, book.n_words)
    assert count_units(text) == book.units
    assert len(load_book_tokenizer().encode(text)) == book.sizes[-1].n_tokens


@needs_book
@pytest.mark.slow
def test_the_command_makes_both_files_again(tmp_path, capsys):
    arguments = ["--out", str(tmp_path / "r.json"), "--tokenizer", str(tmp_path / "t.json")]
    assert main(["experiment", "tokenization", *arguments]) == 0
    again, shipped = BookStatistics.load(tmp_path / "r.json"), BookStatistics.load()
    assert again.inputs.one_hot == pytest.approx(shipped.inputs.one_hot)
    assert again.inputs.integer == pytest.approx(shipped.inputs.integer, abs=1e-4)
    assert replace(again, provenance={}, inputs=shipped.inputs) == replace(shipped, provenance={})
    assert load_book_tokenizer(tmp_path / "t.json") == load_book_tokenizer()
    assert "8448" in capsys.readouterr().out
    assert again.provenance["corpus_sha256"] == shipped.provenance["corpus_sha256"]
