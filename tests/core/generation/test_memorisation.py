"""Copied passages: planted copies are found, nothing else is, and the filter's rate is the stated one."""

import json

import numpy as np
import pytest

from lm_core.errors import ResultError, SettingError, TextError
from lm_core.generation import ngram_membership
from lm_core.generation.memorisation import BookIndex, MemorisedSpan, tokens_inside

SYMBOLS = 20


def random_ids(length, seed=0, symbols=SYMBOLS):
    return np.random.default_rng(seed).integers(0, symbols, length)


def letters(ids):
    return bytes(ids.astype(np.uint8))


BOOK = random_ids(5000)


@pytest.fixture(scope="module")
def index():
    return BookIndex.build(BOOK)


@pytest.fixture(scope="module")
def passages():
    return ngram_membership.NgramFilter.build(BOOK, vocabulary="source", corpus_sha256="c0ffee")


def foreign(length, seed=1):
    """Ids of which not even one stands in the book."""
    return random_ids(length, seed) + SYMBOLS


def planted():
    """Foreign text around two copies, of 40 characters at 25 and of 30 at 70."""
    return np.concatenate([foreign(25), BOOK[100:140], foreign(5), BOOK[4970:5000], foreign(9)])


# The exact index -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "book",
    [
        random_ids(400, symbols=2),
        random_ids(400, symbols=70),
        np.zeros(100, np.int64),
        np.tile([3, 1, 2], 50),
        np.array([7]),
        np.concatenate([random_ids(90), random_ids(90), random_ids(90)]),  # repeats longer than 64
    ],
    ids=["two letters", "seventy", "one letter", "periodic", "single", "thrice"],
)
def test_suffixes_stand_in_alphabetical_order(book):
    text = letters(book)
    expected = sorted(range(len(book)), key=lambda i: text[i:])
    assert BookIndex.build(book).suffixes.tolist() == expected


def longest_by_trying(text, start, book):
    length = 0
    while start + length < len(text) and text[start : start + length + 1] in book:
        length += 1
    return length


@pytest.mark.parametrize("symbols", [2, 5])
def test_longest_matches_equal_trying_every_length(symbols):
    book = random_ids(300, symbols=symbols)
    ids = np.concatenate([random_ids(60, 9, symbols + 1), book[250:], book[:30], book[40:90]])
    lengths, positions = BookIndex.build(book).longest_matches(ids)
    text, page = letters(ids), letters(book)
    assert lengths.tolist() == [longest_by_trying(text, i, page) for i in range(len(ids))]
    for start, (length, position) in enumerate(zip(lengths, positions, strict=True)):
        assert text[start : start + length] == page[position : position + length]


def test_planted_copies_are_found_exactly(index):
    assert index.memorised_spans(planted(), 20) == (
        MemorisedSpan(25, 40, 100),
        MemorisedSpan(70, 30, 4970),
    )
    assert index.memorised_spans(planted(), 31) == (MemorisedSpan(25, 40, 100),)
    assert index.memorised_spans(planted(), 41) == ()


def test_one_changed_letter_splits_a_copy(index):
    for place in range(22, 38):
        ids = BOOK[1000:1060].copy()
        ids[place] = (ids[place] + 1 ^ 1) - 1 if ids[place] else SYMBOLS  # one bit of its number
        assert index.memorised_spans(ids, 20) == (
            MemorisedSpan(0, place, 1000),
            MemorisedSpan(place + 1, 59 - place, 1001 + place),
        )


def test_spans_do_not_overlap_and_the_left_one_wins(index):
    ids = np.concatenate([BOOK[:30], BOOK[20:60]])  # the second copy starts a repeat of 10
    assert index.memorised_spans(ids, 12) == (MemorisedSpan(0, 30, 0), MemorisedSpan(30, 40, 20))


def test_shuffled_book_is_not_copied(index):
    shuffled = np.random.default_rng(3).permutation(BOOK)
    assert index.memorised_spans(shuffled, 10) == ()


def test_texts_of_any_length(index):
    assert index.memorised_spans(np.zeros(0, np.int64), 5) == ()
    assert index.memorised_spans(BOOK, 5) == (MemorisedSpan(0, 5000, 0),)
    assert index.longest_matches(BOOK[-1:])[0].tolist() == [1]


def test_index_errors(index):
    with pytest.raises(TextError, match="at least one character"):
        BookIndex.build(np.zeros(0, np.int64))
    with pytest.raises(SettingError, match=r"\[0, 254\), got 254 to 254"):
        BookIndex.build(np.array([254]))
    with pytest.raises(SettingError, match="minimum_length must be at least 1, got 0"):
        index.memorised_spans(BOOK[:9], 0)


# The filter ------------------------------------------------------------------------------------


def test_filter_misses_nothing(passages):
    assert passages.contains(BOOK).all()
    assert passages.contains(BOOK[:16]).tolist() == [True]


@pytest.mark.parametrize("rate", [0.2, 0.05, 0.01])
def test_measured_false_positives_match_the_stated_rate(rate):
    """Within four binomial standard deviations on 200,000 stretches that are not in the book."""
    passages = ngram_membership.NgramFilter.build(
        BOOK, vocabulary="source", corpus_sha256="", false_positive_rate=rate
    )
    stated, trials = passages.false_positive_rate, 200_000
    assert stated == pytest.approx(rate, rel=0.15)
    hits = passages.contains(random_ids(trials + 15, seed=5)).sum()
    # Bits are shared between stretches, so the count spreads a little wider than a binomial.
    assert abs(hits - stated * trials) < 4 * np.sqrt(stated * (1 - stated) * trials)


def test_filter_finds_planted_copies(passages):
    spans = passages.memorised_spans(planted(), 24)
    assert len(spans) == 2
    for span, (start, length) in zip(spans, [(25, 40), (70, 30)], strict=True):
        assert span.position_in_book is None
        assert span.start <= start
        assert span.start + span.length >= start + length
        assert span.length <= length + 4  # chance hits at the ends


def test_filter_without_chance_hits_agrees_with_the_index(index):
    passages = ngram_membership.NgramFilter.build(
        BOOK, vocabulary="source", corpus_sha256="", false_positive_rate=1e-12
    )
    for minimum_length in (20, 31, 41):
        exact = index.memorised_spans(planted(), minimum_length)
        found = passages.memorised_spans(planted(), minimum_length)
        assert [(s.start, s.length) for s in found] == [(s.start, s.length) for s in exact]


def test_filter_is_split_by_one_changed_letter(passages):
    ids = BOOK[1000:1060].copy()
    ids[25] = SYMBOLS
    assert len(passages.memorised_spans(ids, 24)) == 2
    assert len(passages.memorised_spans(BOOK[1000:1060], 24)) == 1


def test_filter_finds_nothing_in_foreign_text(passages):
    assert passages.memorised_spans(foreign(10_000), 24) == ()
    assert passages.memorised_spans(BOOK[:15], 16) == ()


def test_a_run_may_be_stretches_from_two_places_of_the_book(passages, index):
    ids = np.concatenate([BOOK[1000:1020], BOOK[2000:2020]])
    book = np.concatenate([BOOK, ids[4:36]])  # all that joins the two, but not the whole
    joined = ngram_membership.NgramFilter.build(book, vocabulary="source", corpus_sha256="")
    assert max(span.length for span in joined.memorised_spans(ids, 24)) >= 40
    exact = BookIndex.build(book).memorised_spans(ids, 24)
    assert max(span.length for span in exact) < 40


def test_size_is_what_the_rate_needs(passages):
    """About 6.2 bits for each stretch at 5 %."""
    assert passages.meta.n_grams == len(BOOK) - 15
    assert len(passages.bits) * 8 / passages.meta.n_grams == pytest.approx(6.24, abs=0.05)


def test_filter_round_trip(passages, tmp_path):
    ngram_membership.save_filter(tmp_path / "made", passages)
    loaded = ngram_membership.load_filter(tmp_path / "made")
    assert loaded.meta == passages.meta
    assert np.array_equal(loaded.bits, passages.bits)
    record = json.loads((tmp_path / "made" / ngram_membership.META_FILE).read_text())
    assert record["false_positive_rate"] == passages.false_positive_rate


def test_filter_errors(passages, tmp_path):
    with pytest.raises(SettingError, match=r"false_positive_rate must lie in \(0, 1\), got 1"):
        ngram_membership.NgramFilter.build(
            BOOK, vocabulary="", corpus_sha256="", false_positive_rate=1
        )
    with pytest.raises(SettingError, match="gram_length must be at least 1, got 0"):
        ngram_membership.NgramFilter.build(BOOK, vocabulary="", corpus_sha256="", gram_length=0)
    with pytest.raises(TextError, match="at least 16 characters is needed, got 9"):
        ngram_membership.NgramFilter.build(BOOK[:9], vocabulary="", corpus_sha256="")
    with pytest.raises(SettingError, match="minimum_length must be at least 16, got 15"):
        passages.memorised_spans(BOOK[:99], 15)
    with pytest.raises(ResultError, match="no readable filter"):
        ngram_membership.load_filter(tmp_path)
    ngram_membership.save_filter(tmp_path, passages)
    payload = bytearray((tmp_path / ngram_membership.BITS_FILE).read_bytes())
    payload[-1] ^= 1
    (tmp_path / ngram_membership.BITS_FILE).write_bytes(payload)
    with pytest.raises(ResultError, match="was altered or cut off"):
        ngram_membership.load_filter(tmp_path)
    (tmp_path / ngram_membership.META_FILE).write_text('{"schema": 0}')
    with pytest.raises(ResultError, match="not of schema 1"):
        ngram_membership.load_filter(tmp_path)


def test_passages_are_marked_on_the_tokens_wholly_inside():
    lengths = np.array([3, 1, 4, 2, 5])
    spans = [MemorisedSpan(0, 4), MemorisedSpan(5, 4), MemorisedSpan(9, 6)]
    # The second lies in the middle of one token and a half of the next.
    assert tokens_inside(spans, lengths) == ((0, 2), (4, 1))
    assert tokens_inside([MemorisedSpan(0, 15)], lengths) == ((0, 5),)
    assert tokens_inside([], lengths) == ()
