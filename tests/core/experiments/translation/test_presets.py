"""What a visitor may train: every choice is a run that can be asked for."""

import itertools

import pytest

from lm_core.errors import SettingError
from lm_core.experiments.translation import experiment
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.presets import ARCHITECTURES, STEPS, WIDTHS, small_translator
from lm_core.jobs.limits import Limits
from lm_core.jobs.registry import kind_of
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.text.translation_vocabulary import SIZE


@pytest.mark.parametrize(
    ("architecture", "width"), list(itertools.product(ARCHITECTURES, (WIDTHS[0], WIDTHS[-1])))
)
def test_every_choice_is_a_run_within_the_limits(architecture, width, monkeypatch):
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "made up")
    config = translation_run(small_translator(architecture, width, STEPS[-1]))
    assert kind_of(config).settled(config) == config
    count = kind_of(config).parameter_count(config)
    assert SIZE * width < count < Limits().parameters


def test_what_is_chosen_is_what_is_trained():
    recipe = small_translator("dot", 64, 200)
    assert isinstance(recipe.model, EncoderDecoderConfig)
    assert (recipe.model.attention, recipe.model.context_size) == ("dot", 64)
    assert recipe.training.steps == 200
    assert recipe.snapshot_steps == (10, 25, 50, 100)


def test_different_choices_are_different_runs(monkeypatch):
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "made up")
    recipes = [
        small_translator(architecture, width, steps)
        for architecture in ARCHITECTURES
        for width in WIDTHS
        for steps in STEPS
    ]
    keys = {translation_run(recipe).fingerprint() for recipe in recipes}
    assert len(keys) == len(recipes)


def test_an_unknown_architecture_is_refused():
    with pytest.raises(SettingError, match="'rnn'"):
        small_translator("rnn", 64, 100)
