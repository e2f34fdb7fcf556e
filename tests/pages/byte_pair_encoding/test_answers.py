"""What the answers for teachers say of merges and counts, held to the page's tokenizers and the book's counts."""

import pytest

from lm_core.text.tokenizers.byte_pair_training import train_byte_pair, up_to
from lm_core.text.tokenizers.tokenizer import token_text
from lm_core.text.word_counts import fit_power_law
from pages.byte_pair_encoding.merges import _BASES
from pages.shared.models.tokenizers import book_statistics, book_tokenizer
from tests.pages.answering import assert_says

PAGE = "byte-pair-encoding"
BOOK = book_statistics()


# From your text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("base", _BASES.values())
def test_the_textbooks_example(base):
    history = train_byte_pair("aaabdaaabac", base=base)
    spelled = [
        tuple(history.tokenizer.symbols[token] for token in pair)
        for pair in history.tokenizer.merges[:2]
    ]
    counts = history.pair_counts(1)
    assert spelled == [("a", "a"), ("a", "b")]
    assert counts.n_tied == 2
    assert history.counts[1] == 2
    assert_says(PAGE, "Type *aaabdaaabac*", "found twice")


def test_the_next_merge_is_often_not_the_second_of_the_first_count():
    history = train_byte_pair("the cat and the hat and the rat that ate the mat", base="characters")
    second = [history.pair_counts(step).most_frequent[1][0] for step in range(4)]
    assert sum(a != b for a, b in zip(second, history.tokenizer.merges[1:], strict=False)) >= 2


def test_the_larger_part_of_a_text_gets_its_merges_first():
    english = "the house and the garden and the street "
    german = "der Mensch und der Garten und der Weg "
    for text, first in ((5 * english + german, "the"), (english + 5 * german, "der")):
        history = train_byte_pair(text, base="characters")
        merged = [symbol.strip() for symbol in history.tokenizer.symbols]
        assert (
            min(("the", "der"), key=lambda word: (word not in merged, merged.index(word))) == first
        )


def test_no_pair_is_left_that_is_found_twice():
    history = train_byte_pair("she said that he said that she had said it", base="characters")
    left = history.pair_counts(len(history))
    assert all(count == 1 for _, count in left.most_frequent)


# From the whole book ----------------------------------------------------------------------------


def test_short_frequent_words_are_whole_first():
    tokenizer = up_to(book_tokenizer(), BOOK.sizes[-1].n_merges)
    merged = [
        token_text(tokenizer, token).strip() for token in range(BOOK.sizes[-1].vocabulary_size)
    ]
    places = {word: merged.index(word) for word in ("the", "and", "was") if word in merged}
    assert len(places) == 3
    long = [merged.index(word) for word in ("countess", "visitors") if word in merged]
    assert max(places.values()) < min(long, default=10**9)
    assert 60 < max(places.values()) - 255 <= 70, "merges until all three are whole"
    assert_says(PAGE, "Move the slider from bytes to the right", "after the first 70")


def test_which_doubling_shortens_the_book_most():
    words = {size.vocabulary_size: size.n_tokens / BOOK.n_words for size in BOOK.sizes}
    doubled = [(n, words[n], words[2 * n]) for n in words if 2 * n in words]
    ranked = sorted(doubled, key=lambda row: row[1] - row[2])
    for n, before, after in (ranked[-1], ranked[0]):
        ends = f"{n:,} to {2 * n:,}"
        assert_says(PAGE, "Which doubling", ends, f"{before:.1f} to {after:.1f}")


def test_numbers_of_a_word_as_one_hot_vectors():
    first, last = BOOK.sizes[0], BOOK.sizes[-1]
    costs = [size.vocabulary_size * size.n_tokens / BOOK.n_words for size in (first, last)]
    said = [f"{round(cost, digits):,.0f}" for cost, digits in zip(costs, (-2, -3), strict=True)]
    assert_says(PAGE, "Compare the numbers", *said, f"{last.vocabulary_size:,} symbols")


def test_from_which_merge_the_book_is_shorter_than_in_characters():
    first, second = BOOK.sizes[:2]
    longer = first.n_tokens / BOOK.n_characters - 1
    assert_says(
        PAGE, "How many merges", f"Fewer than {second.n_merges}", f"{100 * longer:.0f} % longer"
    )
    assert 1 - second.n_tokens / BOOK.n_characters == pytest.approx(1 / 3, abs=0.03)


# Zipf's law -------------------------------------------------------------------------------------


def test_a_line_for_each_end_of_the_ranks():
    slopes = [fit_power_law(BOOK.counts, *ranks).slope for ranks in ((1, 100), (1_000, 10_000))]
    assert_says(PAGE, "Fit only", *(f"−{-slope:.1f}" for slope in slopes))
    assert fit_power_law(BOOK.counts, 1, 10_000).slope == pytest.approx(-1, abs=0.15)


def test_ranks_of_the_names():
    names = ("prince", "pierre", "natasha", "andrew", "rostov")
    ranks = [BOOK.words.index(name) + 1 for name in names]
    assert_says(PAGE, "Walk along", *map(str, ranks))
    assert ranks == sorted(ranks)


def test_what_comes_a_tenth_as_often_as_the():
    wanted = BOOK.counts[0] / 10
    rank = min(range(100), key=lambda place: abs(BOOK.counts[place] - wanted)) + 1
    assert BOOK.words[rank - 1] == "she"
    assert BOOK.words[9] == "was"
    assert_says(PAGE, "Find a word", f"rank {rank}", "rank 10")
    assert BOOK.counts[9] > 2 * wanted
