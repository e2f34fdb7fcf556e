"""Classifiers of texts: which of them can know the order of the words, and which cannot."""

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.models.text_classifiers import (
    PADDING,
    BagClassifierConfig,
    LSTMClassifierConfig,
    WindowClassifierConfig,
)
from lm_core.rng import generator

WORDS = torch.tensor([[3, 1, 4, 1, 5, 2]])
LENGTHS = torch.tensor([6])
BAG = BagClassifierConfig(6)
WINDOW = WindowClassifierConfig(6, embedding_size=4, filters=5)
LSTM = LSTMClassifierConfig(6, embedding_size=4, hidden_size=5)
CONFIGS = pytest.mark.parametrize("config", [BAG, WINDOW, LSTM])


def drawn(config):
    model = build(config).eval().requires_grad_(False)
    model.initialise(generator(1))
    if config is BAG:
        model.weight.weight.normal_(generator=generator(2))
        model.weight.weight[PADDING] = 0.0
    return model


def test_the_order_changes_no_bit_of_the_bag_and_changes_the_others():
    for seed in range(20):
        other = WORDS[:, torch.randperm(6, generator=generator(seed))]
        model = drawn(BAG)
        assert torch.equal(model(other, LENGTHS), model(WORDS, LENGTHS))
    for config in (WINDOW, LSTM):
        model = drawn(config)
        assert not torch.allclose(model(WORDS.flip(1), LENGTHS), model(WORDS, LENGTHS), atol=1e-6)


def test_a_bag_is_its_bias_and_one_weight_for_each_word():
    model = drawn(BAG)
    model.bias.fill_(0.25)
    expected = 0.25 + sum(float(model.weight.weight[i]) for i in WORDS[0])
    assert float(model(WORDS, LENGTHS)) == pytest.approx(expected, abs=1e-6)


def test_a_window_sees_three_words_wherever_they_stand():
    model = drawn(WINDOW)
    x = model.embedding(WORDS)
    padded = torch.cat([torch.zeros(1, 1, 4), x, torch.zeros(1, 1, 4)], 1)
    answers = [model.filters(padded[0, t : t + 3].flatten()).relu() for t in range(6)]
    expected = torch.stack(answers).amax(0)
    torch.testing.assert_close(model.read(x, LENGTHS)[0], expected)


def test_an_lstm_predicts_from_its_state_at_the_last_word():
    model = drawn(LSTM)
    hidden, _ = model.cell(model.embedding(WORDS))
    torch.testing.assert_close(model(WORDS, LENGTHS), model.output(hidden[:, -1])[:, 0])


@CONFIGS
def test_padding_behind_a_text_changes_nothing(config):
    model = drawn(config)
    if config is WINDOW:
        model.filters.bias.fill_(3.0)  # what is behind the end would be the largest answer
        model.filters.weight.abs_().neg_()
        model.embedding.weight[1:].abs_()
    padded = torch.cat([WORDS, torch.full((1, 4), PADDING)], 1)
    torch.testing.assert_close(model(padded, LENGTHS), model(WORDS, LENGTHS))


@CONFIGS
def test_dropout_is_drawn_in_training_alone(config):
    model = drawn(config)
    losses = {
        float(model.training_log_odds(WORDS, LENGTHS, rng=generator(seed))) for seed in range(5)
    }
    assert len(losses) == (1 if config is BAG else 5)


@CONFIGS
def test_a_config_is_written_and_read(config):
    assert config_from_dict(config_to_dict(config)) == config


def test_sizes_that_there_are_not():
    for kind in (BagClassifierConfig, WindowClassifierConfig, LSTMClassifierConfig):
        with pytest.raises(SettingError):
            kind(0)
    with pytest.raises(SettingError):
        WindowClassifierConfig(5, dropout=1.0)
