"""What the answers for teachers say of the order of words, held to what the models learn."""

import pytest

from lm_core.experiments.order_matters.models import (
    ATTENTION,
    BAG,
    BIGRAM,
    RNN,
    WINDOW,
    expected,
    learn,
)
from lm_core.experiments.order_matters.sentences import BETWEEN, FOXES, SIZES, corpus_of
from tests.pages.answering import assert_says
from tests.pages.order_matters.probabilities import probability_after

ADDRESS = "order-matters"


def test_the_same_word_twice_has_two_targets():
    corpus = corpus_of("the dog sees the cat")
    given = expected(learn(RNN, corpus), corpus.sentences[0])
    assert [corpus.words[int(given[place].argmax())] for place in (1, 4)] == ["dog", "cat"]
    assert_says(ADDRESS, "Type a sentence", "*dog*", "*cat*")


def test_foxes_are_a_guess_for_bag_and_bigram():
    for name in (BAG, BIGRAM):
        assert probability_after(name, FOXES) == pytest.approx(0.5, abs=0.03)
    assert min(probability_after(name, FOXES) for name in (WINDOW, RNN, ATTENTION)) > 0.9
    assert_says(ADDRESS, "Choose *foxes", "50 %")


def test_windows_are_long_enough_or_not():
    assert probability_after(WINDOW, SIZES, 1) == pytest.approx(0.5, abs=0.01)
    windows = [n for n in range(2, 7) if probability_after(WINDOW, SIZES, 3, window=n) > 0.9]
    assert_says(ADDRESS, "Put words in between one", "1 word", "50 %", str(windows[0]))


def test_six_words_are_too_many_for_the_rnn_until_it_has_trained_longer():
    n = len(BETWEEN)
    assert probability_after(RNN, SIZES, n) == pytest.approx(0.5, abs=0.01)
    assert probability_after(ATTENTION, SIZES, n) > 0.9
    assert probability_after(RNN, SIZES, n, steps=160) > 0.9
    longer = [probability_after(RNN, SIZES, n, steps=320, seed=seed) > 0.9 for seed in range(5)]
    assert_says(ADDRESS, "Put 6 words", "160", f"{sum(longer)} of 5")
