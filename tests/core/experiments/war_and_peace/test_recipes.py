"""What is shipped of the book's models came from their recipes."""

import pytest

from lm_core.models.registry import config_from_dict
from lm_core.training.checkpoints import SHIPPED, list_checkpoints, read_meta
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.recipes import RECIPES

SHIPPED_RECIPES = [recipe for name, recipe in RECIPES.items() if not name.endswith("-early")]


@pytest.mark.parametrize("recipe", SHIPPED_RECIPES, ids=lambda recipe: recipe.name)
def test_what_is_shipped_came_from_its_recipe(recipe):
    meta = read_meta(SHIPPED / recipe.name)
    if "trained_by" in meta.recipe:
        pytest.skip(f"it came from a {meta.recipe['trained_by']}")
    assert config_from_dict(meta.config) == recipe.model
    training = dict(meta.recipe)
    assert training.pop("teacher", None) == recipe.teacher
    assert TrainingConfig(**training) == recipe.training
    assert meta.steps == recipe.training.steps
    shipped = {m.steps for m in list_checkpoints() if m.snapshot_of == recipe.name}
    assert shipped == set(recipe.snapshot_steps)
