"""Passages to be told apart, and how far a score is from chance."""

from itertools import combinations

import pytest

from lm_core.errors import TextError
from lm_core.experiments.text_quality.guessing import SHOWN, book_passages, chance_of, mixed
from lm_core.rng import generator

TEXT = "".join(f"Prince number {i} answered nothing, but he looked at her. " for i in range(40))


def test_passages_begin_with_a_sentence_and_are_different():
    found = book_passages(TEXT, 4, generator(1))
    assert len(set(found)) == 4
    assert all(passage.startswith("Prince number ") for passage in found)


def test_a_text_without_enough_sentences_is_refused():
    with pytest.raises(TextError, match="4 passages"):
        book_passages("No sentence ends here", 4, generator(1))


def test_passages_are_mixed_by_the_seed_and_cut_at_a_word():
    book, machine = [f"b{i} {TEXT}" for i in range(4)], [f"m{i} {TEXT}" for i in range(4)]
    found = mixed(book, machine, generator(1))
    assert [p.is_book for p in found] == [p.text.startswith("b") for p in found]
    assert sum(p.is_book for p in found) == 4
    assert found == mixed(book, machine, generator(1)) != mixed(book, machine, generator(2))
    for passage in found:
        assert len(passage.text) <= SHOWN + 2
        assert passage.text.removesuffix(" …").split()[-1] in TEXT.split()


@pytest.mark.parametrize("n_chosen", [1, 3, 4, 6])
def test_chance_is_the_share_of_all_ways_to_choose(n_chosen):
    ways = list(combinations(range(8), n_chosen))
    for n_right in range(min(n_chosen, 4) + 1):
        expected = sum(len(set(way) & {0, 1, 2, 3}) >= n_right for way in ways) / len(ways)
        assert chance_of(n_right, n_chosen, 4, 8) == pytest.approx(expected)
