"""Two sentences and five models: what a bag, a bigram and a window cannot know, whatever their weights."""

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.experiments.order_matters.models import (
    ATTENTION,
    BAG,
    BIGRAM,
    MODELS,
    RNN,
    WINDOW,
    expected,
    learn,
    network,
    read_by,
)
from lm_core.experiments.order_matters.sentences import (
    BETWEEN,
    FOXES,
    NOT_ASKED,
    ORDERS,
    REVERSED,
    SHUFFLED,
    SIZES,
    TWO_SENTENCES,
    corpus_of,
    in_order,
    shifted,
    word_that_tells,
    words_put_between,
)
from lm_core.rng import generator


def corpus(name, between=0):
    return words_put_between(corpus_of(*TWO_SENTENCES[name]), between)


def right(name, found, row, **settings):
    words, word = word_that_tells(found, row)
    return float(expected(learn(name, found, **settings), words)[-1, word])


def test_targets_are_the_inputs_shifted_by_one():
    inputs, targets = shifted(corpus_of("I love my cute dog", "mice sleep"))
    assert inputs.tolist() == [[0, 1, 2, 3, 4, 5], [0, 6, 7, 0, 0, 0]]
    assert targets.tolist() == [[1, 2, 3, 4, 5, 0], [6, 7, 0, *[NOT_ASKED] * 3]]


def test_foxes_are_the_same_words_up_to_who():
    (a, _), (b, _) = (word_that_tells(corpus(FOXES), row) for row in (0, 1))
    assert a != b
    assert sorted(a) == sorted(b)


@pytest.mark.parametrize("seed", range(3))
def test_a_bag_cannot_tell_foxes_apart_to_the_last_bit(seed):
    found = corpus(FOXES)
    model = learn(BAG, found, seed=seed)
    a, b = (expected(model, word_that_tells(found, row)[0])[-1] for row in (0, 1))
    assert torch.equal(a, b)
    for name in (WINDOW, RNN, ATTENTION):
        model = learn(name, found, seed=seed)
        a, b = (expected(model, word_that_tells(found, row)[0])[-1] for row in (0, 1))
        assert not torch.equal(a, b)


@pytest.mark.parametrize("order", ORDERS)
def test_a_bag_ignores_every_order(order):
    found = corpus(FOXES)
    words, _ = word_that_tells(found, 1)
    model = learn(BAG, found)
    read = in_order(words, order, 3)
    assert sorted(read) == sorted(words)
    assert torch.equal(expected(model, read)[-1], expected(model, words)[-1])


def test_what_lies_before_a_window_changes_nothing():
    words = corpus(SIZES, 3).sentences[1]
    for window in range(1, 5):
        model = network(WINDOW, 20, window)
        model.initialise(generator(1))
        changed = (19,) * (len(words) - window) + words[-window:]
        assert torch.equal(expected(model, changed)[-1], expected(model, words)[-1])
        changed = (19,) * (len(words) - window + 1) + words[len(words) - window + 1 :]
        assert not torch.equal(expected(model, changed)[-1], expected(model, words)[-1])


@pytest.mark.parametrize("seed", range(3))
def test_of_dinosaurs_and_mice_all_but_the_bigram_know(seed):
    found = corpus(SIZES)
    for row in (0, 1):
        for name in MODELS:
            probability = right(name, found, row, seed=seed)
            if name == BIGRAM:
                assert probability == pytest.approx(0.5, abs=0.02)
            else:
                assert probability > 0.9, name


def test_a_word_in_between_is_too_much_for_a_window_of_two_and_not_for_a_window_of_three():
    found = corpus(SIZES, 1)
    assert right(WINDOW, found, 1, window=2) == pytest.approx(0.5, abs=0.02)
    assert right(WINDOW, found, 1, window=3) > 0.9
    for name in (BAG, RNN, ATTENTION):
        assert right(name, found, 1) > 0.9, name


def test_the_word_that_tells_is_the_last_that_only_one_sentence_has():
    assert word_that_tells(corpus_of("dogs bark too often", "cats purr often"), 0) == ((1, 2), 3)
    assert word_that_tells(corpus_of("dogs bite men", "men bite dogs"), 1) == ((3, 2), 1)
    with pytest.raises(TextError, match="at least 2 words"):
        word_that_tells(corpus_of("dogs", "cats purr"), 0)


def test_shuffled_words_keep_the_last_and_backwards_turns_all_round():
    words = (5, 6, 7, 8, 9)
    assert in_order(words, REVERSED, 0) == (9, 8, 7, 6, 5)
    drawn = {in_order(words, SHUFFLED, seed) for seed in range(10)}
    assert len(drawn) > 3
    assert all(read[-1] == 9 and sorted(read) == list(words) for read in drawn)


def test_what_a_model_reads_in_words():
    words = ("mice", "still", "are")
    assert read_by(BAG, words, 2) == "{are, mice, still}"
    assert [read_by(name, words, 2) for name in (BIGRAM, WINDOW, RNN)] == [
        "are",
        "still are",
        "mice still are",
    ]


@pytest.mark.parametrize("sentence", ["", "?!", "one " * 13])
def test_sentences_have_words_and_not_too_many(sentence):
    with pytest.raises(TextError, match="1 to 12 words"):
        corpus_of("mice sleep", sentence)


def test_settings_that_there_are_not():
    with pytest.raises(SettingError, match="0 to 6 words"):
        corpus(SIZES, len(BETWEEN) + 1)
    with pytest.raises(SettingError, match="must be one of"):
        network("unigram", 5, 2)
