"""A training is looked up by its name."""

import pytest

from lm_core.errors import SettingError
from lm_core.experiments.recipes import recipe_named


def test_a_recipe_is_found_and_an_unknown_one_is_told_from_those_there_are():
    assert recipe_named({"short": 1, "long": 2}, "long") == 2
    with pytest.raises(SettingError, match=r"one of \['long', 'short'\], got 'poet'"):
        recipe_named({"short": 1, "long": 2}, "poet")
