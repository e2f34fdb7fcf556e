"""What a loss is held to while one waits: chance, counting, and other seeds of the very same training."""

import math
from dataclasses import asdict, replace

import pytest

from lm_core.experiments.normal_losses.recipes import TRAININGS
from lm_core.experiments.normal_losses.results import NormalLossResults
from lm_core.experiments.war_and_peace.presets import DEEP, WORDS
from lm_core.jobs.records import RunConfig
from lm_core.models.registry import config_to_dict
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.recipes import Recipe
from pages.shared.frame.normal_losses import yardsticks


def run_of(recipe: Recipe, **changes) -> RunConfig:
    config = RunConfig(
        name=recipe.name,
        title=recipe.title,
        model=config_to_dict(recipe.model),
        training=asdict(recipe.training),
        corpus=WAR_AND_PEACE.name,
        corpus_sha256="0" * 64,
        vocabulary=SOURCE.name,
    )
    return replace(config, **changes)


def test_other_seeds_and_another_arithmetic_have_the_same_band():
    recipe, config = WORDS, run_of(WORDS)
    found = yardsticks(config, recipe.training.steps)
    shipped = NormalLossResults.load().of_run(config)
    assert found.n_seeds == len(shipped.losses) >= 3
    for step, low, high in found.band:
        at = [losses[shipped.steps.index(step)] for losses in shipped.losses]
        assert (low, high) == (min(at), max(at))
    changed = config.training | {"seed": 77, "dtype": "float32"}
    assert yardsticks(run_of(recipe, training=changed), recipe.training.steps) == found
    assert [step for step, *_ in yardsticks(config, 100).band] == [25, 50, 75, 100]
    assert found.levels == pytest.approx({"uniform": math.log(70), "n-gram": 1.2492}, abs=1e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {"training": asdict(WORDS.training) | {"learning_rate": 0.1}},
        {"training": asdict(WORDS.training) | {"steps": 500}},
        {"model": config_to_dict(DEEP.model), "training": asdict(DEEP.training)},
        {"corpus": "own-text"},
        {"start": "book-lstm", "start_sha256": "0" * 64},
    ],
)
def test_another_training_has_no_band(changes):
    found = yardsticks(run_of(WORDS, **changes), 2_000)
    assert found.band == []
    assert found.note == ""
    assert "uniform" in found.levels


@pytest.mark.parametrize("name", ["words", "word-vectors", "translator", "counting"])
def test_what_a_form_offers_at_first_has_a_band(name):
    config = TRAININGS[name]().config
    found = yardsticks(config, config.training["steps"])
    assert found.n_seeds == 5
    assert found.band[-1][0] > 0.98 * config.training["steps"]
    assert all(low < high for _, low, high in found.band)
    assert found.band[0][1] > found.band[-1][2]
    together = found.band[0][0]
    assert (f"mean of {together} steps" in found.note) == (together > 1)
    assert "5 other seeds" in found.note


def test_only_a_text_that_was_counted_has_the_level_of_counting():
    assert "n-gram" not in yardsticks(run_of(WORDS, corpus="own-text"), 2_000).levels
    assert "n-gram" not in yardsticks(run_of(WORDS, vocabulary="full"), 2_000).levels


def test_a_training_that_is_no_language_model_is_held_to_nothing():
    config = RunConfig(
        "translator", "T", {"size": 3}, {"steps": 5, "seed": 1}, experiment="translation"
    )
    assert yardsticks(config, 5).levels == {}
