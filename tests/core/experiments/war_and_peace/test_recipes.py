"""What is shipped of the book's models came from their recipes."""

from dataclasses import replace

import pytest

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.models.registry import config_from_dict
from lm_core.training.checkpoints import SHIPPED, list_checkpoints, read_meta
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.recipes import RECIPES, Recipe

FIRST_STRETCHES = {recipe.starts_from for recipe in RECIPES.values()}
IN_TRAINING = {"library-transformer-alone"}
"""Recipes whose models take longer than a day to make, and are not shipped yet."""
TEACHERS = {teacher for recipe in RECIPES.values() for teacher in recipe.teachers}
TOO_LARGE = {name for name in TEACHERS if name.startswith("large-")}
SHIPPED_RECIPES = [
    recipe
    for name, recipe in RECIPES.items()
    if name not in FIRST_STRETCHES | IN_TRAINING | TOO_LARGE
]


def stretches(recipe: Recipe) -> list[Recipe]:
    """A recipe, and before it those whose models it starts from, from the last to the first."""
    earlier = stretches(RECIPES[recipe.starts_from]) if recipe.starts_from else []
    return [recipe, *earlier]


def test_runs_keep_the_keys_that_they_had_before_blocks_had_modern_parts():
    def key(name, **changes):
        recipe = replace(RECIPES[name], model=replace(RECIPES[name].model, **changes))
        made = run_config(recipe, corpus="book", corpus_sha256="0" * 64, vocabulary="source")
        return made.fingerprint()

    assert key("book-transformer") == "afa4698dbd900398"
    assert key("library-transformer-alone") == "02af688d9d3212b5"
    for change in ({"normalisation": "rms_norm"}, {"key_value_heads": 1}, {"activation": "swiglu"}):
        assert key("book-transformer", **change) != key("book-transformer")


def test_nothing_came_from_anything_but_a_recipe():
    assert not [meta.name for meta in list_checkpoints() if "trained_by" in meta.recipe]


def test_what_is_in_training_is_not_shipped():
    assert not IN_TRAINING & {meta.name for meta in list_checkpoints()}


@pytest.mark.parametrize("recipe", SHIPPED_RECIPES, ids=lambda recipe: recipe.name)
def test_what_is_shipped_came_from_its_recipe(recipe):
    meta = read_meta(SHIPPED / recipe.name)
    assert config_from_dict(meta.config) == recipe.model
    made = meta.recipe
    for stretch in stretches(recipe):
        training = dict(made)
        made = training.pop("starts_from", None)
        # The word for one, from the time when there was one at most.
        teachers = training.pop("teachers", training.pop("teacher", []))
        assert tuple([teachers] if isinstance(teachers, str) else teachers) == stretch.teachers
        assert training.pop("averaged", False) == stretch.averaged
        assert TrainingConfig(**training) == stretch.training
    assert made is None
    assert meta.steps == sum(stretch.training.steps for stretch in stretches(recipe))
    shipped = {m.steps for m in list_checkpoints() if m.snapshot_of == recipe.name}
    assert shipped == set(recipe.snapshot_steps)
