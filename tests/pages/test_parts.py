"""The parts of a page share no state that they do not mean to share."""

import pytest

from pages.shared.models import language_models
from pages.shared.registry import LESSONS
from pages.shared.suggestions import suggestions_of
from tests.pages.visits import arrive

CHOICES = ("part", "view", "shape", "ablation")
"""What a control is called that chooses what else a page draws."""
ONE_PART = ("",)  # of pages with one part that suggest the same whatever else they draw


def drawn(app):
    """Return the controls of a page as its link writes them, without the one that chooses the part."""
    assert not app.exception, [error.value for error in app.exception]
    controls = app.session_state["lab_drawn"]
    return {name: control.values for name, control in controls.items() if name not in CHOICES}


def opened(path):
    """Return how a page chooses its parts, and the controls of each, opened by its own link."""
    first = arrive(path)
    assert not first.exception
    groups = [group for group in first.button_group if group.key in CHOICES]
    if not groups:
        return None, {}
    name = groups[0].key
    return name, {part: drawn(arrive(path, **{name: part})) for part in groups[0].options}


@pytest.fixture
def loaded(monkeypatch):
    """The names of the models that were loaded: as the tests keep what they read, that costs them little."""
    names, load = [], language_models._load
    monkeypatch.setattr(language_models, "_load", lambda name: (names.append(name), load(name))[1])
    return names


@pytest.mark.usefixtures("compared_with_the_schema")
@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_part_is_the_same_whichever_way_one_comes(spec, loaded):
    """And a model that it reads is not loaded again by its next run."""
    name, parts = opened(spec.path)
    suggested = tuple(suggestions_of(spec.address))
    if not parts:
        assert len(suggested) == 1
        assert_loads_no_model(arrive(spec.path), loaded)
        return
    assert suggested in (tuple(parts), ONE_PART)
    app = arrive(spec.path)
    for part in [*reversed(parts), *parts]:
        app.button_group(key=name).set_value(part).run()
        assert drawn(app) == parts[part], part
        assert_loads_no_model(app, loaded)


def assert_loads_no_model(app, loaded):
    """Run a page once more."""
    loaded.clear()
    app.run()
    assert loaded == []
