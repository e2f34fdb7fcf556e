"""LSTMs of equal size and unequal depth."""

from dataclasses import replace

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.stacked_layers import training
from lm_core.experiments.stacked_layers.results import StackedLayersResults
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import TrainingText


@pytest.mark.parametrize("layers", training.LAYERS)
def test_no_wider_network_keeps_within_the_parameters(layers):
    config = training.widest(layers)
    wider = replace(config, hidden_size=config.hidden_size + 1)
    assert build(config).parameter_count <= training.PARAMETERS < build(wider).parameter_count


def test_there_is_at_least_one_unit_in_one_layer():
    for layers, parameters in ((0, 1_000), (1, 10)):
        with pytest.raises(SettingError):
            training.widest(layers, parameters)


def test_a_training_has_its_curve_and_its_size(monkeypatch):
    short = replace(training.TRAINING, steps=4, batch=2, window=8, held_out=0.1)
    monkeypatch.setattr(training, "TRAINING", short)
    monkeypatch.setattr(training, "EVERY", 2)
    tokens = torch.randint(1, 70, (4_000,), generator=generator(0)).numpy()
    text = TrainingText(tokens, SOURCE, "invented", "0" * 64)
    found = training.trained_layers(2, 1, text)
    assert (found.layers, found.seed, len(found.curve)) == (2, 1, 1)
    assert 0 < found.loss < 6


def test_the_shipped_results_hold_every_depth():
    found = StackedLayersResults.load()
    for layers in training.LAYERS:
        trained = found.of(layers)
        assert [one.seed for one in trained] == list(training.SEEDS)
        assert {one.width for one in trained} == {training.widest(layers).hidden_size}
