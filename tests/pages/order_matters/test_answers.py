"""What the answers for teachers say of the order of words, held to what the models learn."""

from statistics import fmean

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
from lm_core.experiments.order_matters.results import SentimentResults
from lm_core.experiments.order_matters.sentences import BETWEEN, FOXES, SIZES, corpus_of
from lm_core.experiments.order_matters.sentiment import LSTM
from pages.shared.numbers import percent, written
from tests.pages.answering import assert_says
from tests.pages.order_matters.probabilities import probability_after
from tests.pages.order_matters.test_words_that_decide import FIRST

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


@pytest.fixture(scope="module")
def results():
    return SentimentResults.load()


def test_praise_in_two_words_is_called_negative(results):
    given = results.positive("the film is not bad")
    assert max(given.values()) < 0.5
    weights = [written(share.weight, ".2f") for share in results.word_shares(("bad", "not"))]
    assert_says(ADDRESS, "Type *The film is not bad.*", percent(given[BAG]), *weights)


def test_a_bag_gives_a_shuffled_review_the_same(results):
    assert_says(ADDRESS, "Shuffle the words of the first", percent(results.positive(FIRST)[BAG]))


def test_models_of_words_are_equally_good_at_reviews(results):
    means = [fmean(score.as_written for score in results.scores_of(n)) for n in (BAG, WINDOW, LSTM)]
    assert max(means) - min(means) < 0.02
    learned_from = round(results.reviews - results.held_out, -2)
    assert_says(ADDRESS, "Show all held-out", f"{results.held_out:,}", f"{learned_from:,}")
