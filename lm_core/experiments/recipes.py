"""Recipes, the trainings that an experiment knows, by name."""

from collections.abc import Mapping
from typing import TypeVar

from lm_core.errors import SettingError

Recipe = TypeVar("Recipe")


def recipe_named(recipes: Mapping[str, Recipe], name: str) -> Recipe:
    """Return the recipe of that name; raises SettingError if there is none."""
    if name not in recipes:
        raise SettingError(f"recipe must be one of {sorted(recipes)}, got {name!r}")
    return recipes[name]
