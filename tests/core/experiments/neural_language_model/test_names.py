"""Sampled names, and which are known."""

import math

import numpy as np
import pytest

from lm_core.experiments.neural_language_model import names, training
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.rng import generator

NAMES = ["emma", "ava", "mia", "isabella"]


def trained(names, steps=120):
    config = training.MLPTrainingConfig(
        MLPLanguageModelConfig(27, 3, 4, 20), steps, learning_rate=0.05
    )
    model, rng = training.start_network(config)
    for _ in training.train_network(model, training.examples_of_names(names, 3), config, rng):
        pass
    return model


def test_a_network_that_has_learned_few_names_by_heart_samples_these():
    assert set(names.sample_names(trained(NAMES), 3, generator(0), temperature=0.3)) <= set(NAMES)


def test_the_same_seed_gives_the_same_different_names():
    model = trained(NAMES, steps=5)
    found = names.sample_names(model, 30, generator(1))
    assert found == names.sample_names(model, 30, generator(1), temperature=1.0)
    assert found != names.sample_names(model, 30, generator(2))
    assert len(set(found)) == 30
    assert all(2 <= len(name) <= names.LONGEST_NAME for name in found)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz") for name in found)


def test_names_are_known_by_their_part():
    known = names.KnownNames.of(["emma", "ava"], ["mia"])
    asked = ["mia", "emma", "zoe", ""]
    assert known.are_trained_on(asked) == [False, True, False, False]
    assert known.are_held_out(asked) == [True, False, False, False]


def test_hashes_are_the_same_on_every_machine():
    assert names.hashes(["emma"]).dtype == np.int32
    assert names.hashes(["ava", "emma"])[1] == 1677916379


def test_bits_are_the_losses_of_each_name_and_few_for_what_is_known_by_heart():
    model = trained(NAMES)
    known, unknown = names.bits_of_names(model, ["emma", "xqzw"])
    assert known == pytest.approx(training.loss_on_names(model, ["emma"]) / math.log(2), abs=1e-4)
    assert known < 1 < unknown
