"""What is shipped came from the settings that the code has: remade, it would be the same."""

import json
from dataclasses import asdict, fields

import pytest

from lm_core.experiments.masked_language_model import settings as masked
from lm_core.experiments.model_ladder import training as model_ladder
from lm_core.experiments.sequence_models import training as sequence_models
from lm_core.experiments.translation import settings as translation
from lm_core.experiments.word2vec import recipes as word2vec
from lm_core.models.registry import config_from_dict
from lm_core.training.checkpoints import SHIPPED, read_meta

OF_ONE_TRAINING = {
    recipe.name: (recipe.training, recipe.network if hasattr(recipe, "network") else recipe.model)
    for registry in (sequence_models.RECIPES, masked.RECIPES, model_ladder.RECIPES)
    for recipe in registry.values()
    if (SHIPPED / recipe.name).exists()
}
BESIDE = {"starts_from", "targets_seen"}
"""What a checkpoint notes beside its settings."""


def as_written(settings, made):
    """Settings as a checkpoint notes them; what was added later is left out where it is as if it were not there."""
    defaults = {field.name: field.default for field in fields(settings)}
    written = json.loads(json.dumps(asdict(settings)))
    return {k: v for k, v in written.items() if k in made or v != defaults[k]}


def test_most_models_are_compared():
    assert len(OF_ONE_TRAINING) == 12


@pytest.mark.parametrize("name", OF_ONE_TRAINING)
def test_settings_and_sizes_are_those_of_the_recipe(name):
    training, model = OF_ONE_TRAINING[name]
    meta = read_meta(SHIPPED / name)
    assert config_from_dict(meta.config) == model
    made = {k: v for k, v in meta.recipe.items() if k not in BESIDE}
    assert made == as_written(training, made)


@pytest.mark.parametrize("name", translation.SHIPPED_RECIPES)
def test_a_translator_went_through_the_stretches_of_its_recipe(name):
    meta = read_meta(SHIPPED / name)
    made, recipe = meta.recipe, translation.RECIPES[name]
    assert config_from_dict(meta.config) == recipe.model
    while recipe is not None:
        made = dict(made)
        before = made.pop("starts_from", None)
        assert made == as_written(recipe.training, made)
        made, recipe = before, translation.RECIPES.get(recipe.starts_from)
    assert made is None


@pytest.mark.parametrize("recipe", [word2vec.BOOK_CBOW, word2vec.LIBRARY_SKIP_GRAM], ids=str)
def test_word_vectors_are_of_their_recipe(recipe):
    made = read_meta(SHIPPED / recipe.name).recipe
    assert made == {"minimum_count": recipe.minimum_count, **as_written(recipe.training, made)}
