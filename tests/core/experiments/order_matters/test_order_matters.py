"""Two sentences and five models: what a bag, a bigram and a window cannot know, whatever their weights."""

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.experiments.order_matters import models, sentences
from lm_core.rng import generator


def corpus(name, between=0):
    return sentences.words_put_between(sentences.corpus_of(*sentences.TWO_SENTENCES[name]), between)


def right(name, found, row, **settings):
    words, word = sentences.word_that_tells(found, row)
    return float(models.expected(models.learn(name, found, **settings), words)[-1, word])


def test_targets_are_the_inputs_shifted_by_one():
    inputs, targets = sentences.shifted(sentences.corpus_of("I love my cute dog", "mice sleep"))
    assert inputs.tolist() == [[0, 1, 2, 3, 4, 5], [0, 6, 7, 0, 0, 0]]
    assert targets.tolist() == [[1, 2, 3, 4, 5, 0], [6, 7, 0, *[sentences.NOT_ASKED] * 3]]


def test_foxes_are_the_same_words_up_to_who():
    (a, _), (b, _) = (sentences.word_that_tells(corpus(sentences.FOXES), row) for row in (0, 1))
    assert a != b
    assert sorted(a) == sorted(b)


@pytest.mark.parametrize("seed", range(3))
def test_a_bag_cannot_tell_foxes_apart_to_the_last_bit(seed):
    found = corpus(sentences.FOXES)
    model = models.learn(models.BAG, found, seed=seed)
    a, b = (models.expected(model, sentences.word_that_tells(found, row)[0])[-1] for row in (0, 1))
    assert torch.equal(a, b)
    for name in (models.WINDOW, models.RNN, models.ATTENTION):
        model = models.learn(name, found, seed=seed)
        a, b = (
            models.expected(model, sentences.word_that_tells(found, row)[0])[-1] for row in (0, 1)
        )
        assert not torch.equal(a, b)


@pytest.mark.parametrize("order", sentences.ORDERS)
def test_a_bag_ignores_every_order(order):
    found = corpus(sentences.FOXES)
    words, _ = sentences.word_that_tells(found, 1)
    model = models.learn(models.BAG, found)
    read = sentences.in_order(words, order, 3)
    assert sorted(read) == sorted(words)
    assert torch.equal(models.expected(model, read)[-1], models.expected(model, words)[-1])


def test_what_lies_before_a_window_changes_nothing():
    words = corpus(sentences.SIZES, 3).sentences[1]
    for window in range(1, 5):
        model = models.network(models.WINDOW, 20, window)
        model.initialise(generator(1))
        changed = (19,) * (len(words) - window) + words[-window:]
        assert torch.equal(models.expected(model, changed)[-1], models.expected(model, words)[-1])
        changed = (19,) * (len(words) - window + 1) + words[len(words) - window + 1 :]
        assert not torch.equal(
            models.expected(model, changed)[-1], models.expected(model, words)[-1]
        )


@pytest.mark.parametrize("seed", range(3))
def test_of_dinosaurs_and_mice_all_but_the_bigram_know(seed):
    found = corpus(sentences.SIZES)
    for row in (0, 1):
        for name in models.MODELS:
            probability = right(name, found, row, seed=seed)
            if name == models.BIGRAM:
                assert probability == pytest.approx(0.5, abs=0.02)
            else:
                assert probability > 0.9, name


def test_a_word_in_between_is_too_much_for_a_window_of_two_and_not_for_a_window_of_three():
    found = corpus(sentences.SIZES, 1)
    assert right(models.WINDOW, found, 1, window=2) == pytest.approx(0.5, abs=0.02)
    assert right(models.WINDOW, found, 1, window=3) > 0.9
    for name in (models.BAG, models.RNN, models.ATTENTION):
        assert right(name, found, 1) > 0.9, name


def test_the_word_that_tells_is_the_last_that_only_one_sentence_has():
    assert sentences.word_that_tells(
        sentences.corpus_of("dogs bark too often", "cats purr often"), 0
    ) == ((1, 2), 3)
    assert sentences.word_that_tells(sentences.corpus_of("dogs bite men", "men bite dogs"), 1) == (
        (3, 2),
        1,
    )
    with pytest.raises(TextError, match="at least 2 words"):
        sentences.word_that_tells(sentences.corpus_of("dogs", "cats purr"), 0)


def test_shuffled_words_keep_the_last_and_backwards_turns_all_round():
    words = (5, 6, 7, 8, 9)
    assert sentences.in_order(words, sentences.REVERSED, 0) == (9, 8, 7, 6, 5)
    drawn = {sentences.in_order(words, sentences.SHUFFLED, seed) for seed in range(10)}
    assert len(drawn) > 3
    assert all(read[-1] == 9 and sorted(read) == list(words) for read in drawn)


def test_what_a_model_reads_in_words():
    words = ("mice", "still", "are")
    assert models.read_by(models.BAG, words, 2) == "{are, mice, still}"
    assert [
        models.read_by(name, words, 2) for name in (models.BIGRAM, models.WINDOW, models.RNN)
    ] == ["are", "still are", "mice still are"]


@pytest.mark.parametrize("sentence", ["", "?!", "one " * 13])
def test_sentences_have_words_and_not_too_many(sentence):
    with pytest.raises(TextError, match="1 to 12 words"):
        sentences.corpus_of("mice sleep", sentence)


def test_settings_that_there_are_not():
    with pytest.raises(SettingError, match="0 to 6 words"):
        corpus(sentences.SIZES, len(sentences.BETWEEN) + 1)
    with pytest.raises(SettingError, match="must be one of"):
        models.network("unigram", 5, 2)
