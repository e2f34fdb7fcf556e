"""Vowels and consonants: counted by hand, written as a chain, spelled."""

import pytest
import torch

from lm_core.analysis import vowels
from lm_core.rng import generator

# o n e g i n: v c v c v c, so each run below can be counted on the fingers.
ONEGIN = vowels.count_chain(vowels.are_vowels("onegin"))


def test_letters_lose_their_accents_and_all_else_is_left_out():
    assert vowels.letters_of("L'été, où?\n12 Œuvres") == "leteouuvres"


def test_each_letter_is_counted_by_those_before_it():
    assert ONEGIN.letters[()] == (3, 3)
    assert ONEGIN.letters[(True,)] == (3, 0)
    assert ONEGIN.letters[(False,)] == (0, 2)
    assert ONEGIN.letters[(True, False)] == (0, 2)
    assert ONEGIN.letters[(False, True)] == (2, 0)
    assert ONEGIN.share((True, True)) is None


def test_a_letter_with_one_before_it_is_counted_after_that_one():
    for text in ("tolstoy wrote", "a", "eau"):
        counts = vowels.count_chain(vowels.are_vowels(vowels.letters_of(text)))
        after_one = counts.seen((True,)) + counts.seen((False,))
        assert after_one == max(counts.seen() - 1, 0)


def test_counts_of_two_texts_add_up_run_by_run():
    both = ONEGIN + vowels.count_chain(vowels.are_vowels("aa"))
    assert both.letters[()] == (3, 5)
    assert both.letters[(True,)] == (3, 1)
    assert both.seen((False,)) == ONEGIN.seen((False,))


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_chain_has_the_shares_of_what_it_was_counted_from(order):
    drawn = torch.rand(4_000, generator=generator(3)).tolist()
    source = [False]
    for number in drawn:  # vowels seldom follow vowels
        source.append(number < (0.1 if source[-1] else 0.7))
    counts = vowels.count_chain(source)
    written = vowels.count_chain(vowels.write_chain(counts, order, 4_000, generator(1)))
    for run in vowels.runs():
        expected = counts.share(run[len(run) - min(order, len(run)) :])
        assert written.share(run) == pytest.approx(expected, abs=0.08), run


def test_a_chain_is_spelled_with_letters_of_its_kinds_that_the_text_has():
    frequencies = [int(letter in "aet") for letter in vowels.ALPHABET]
    chain = (True, False, True, True, False)
    written = vowels.spell(chain, frequencies, generator(0))
    assert vowels.are_vowels(written) == chain
    assert set(written) <= set("aet")
