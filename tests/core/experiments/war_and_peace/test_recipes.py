"""What is shipped of the book's models came from their recipes."""

import pytest

from lm_core.models.registry import config_from_dict
from lm_core.training.checkpoints import SHIPPED, list_checkpoints, read_meta
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.recipes import RECIPES

FROM_A_PROTOTYPE = "source-lstm"
SHIPPED_RECIPES = [
    recipe
    for name, recipe in RECIPES.items()
    if name != FROM_A_PROTOTYPE and not name.endswith("-early")
]


def test_one_model_alone_came_from_a_prototype():
    named = {meta.name for meta in list_checkpoints() if "trained_by" in meta.recipe}
    assert named == {FROM_A_PROTOTYPE}


@pytest.mark.parametrize("recipe", SHIPPED_RECIPES, ids=lambda recipe: recipe.name)
def test_what_is_shipped_came_from_its_recipe(recipe):
    meta = read_meta(SHIPPED / recipe.name)
    assert config_from_dict(meta.config) == recipe.model
    training = dict(meta.recipe)
    assert training.pop("teacher", None) == recipe.teacher
    assert TrainingConfig(**training) == recipe.training
    assert meta.steps == recipe.training.steps
    shipped = {m.steps for m in list_checkpoints() if m.snapshot_of == recipe.name}
    assert shipped == set(recipe.snapshot_steps)
