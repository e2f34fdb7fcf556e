"""A page's link draws the same in a new visit: every control, every title, every number said."""

import pytest

from pages.shared.frame.sharing import settings_in_link
from pages.shared.registry import LESSONS
from tests.pages.moving import drawn, move
from tests.pages.test_parts import CHOICES
from tests.pages.visits import arrive

MOVED = 3  # controls that are moved together, the first of a part


GROWS = {"view": "Temperatures"}
"""A class watches these texts grow: who comes later finds them longer."""


def parts_of(path):
    """Return what leads to each part of a page."""
    groups = [group for group in arrive(path).button_group if group.key in CHOICES]
    return [{groups[0].key: part} for part in groups[0].options] if groups else [{}]


def said(app):
    """Return all words of a page, those for who cannot see a chart included."""
    alts = [chart.proto.alt for chart in app.get("vega_lite_chart")]
    return [element.value for element in [*app.markdown, *app.caption, *app.text]], alts


def hold_to_link(path, asked):
    app = arrive(path, **asked)
    move(app, [name for name in drawn(app) if name not in CHOICES][:MOVED])
    link = settings_in_link(app.session_state["lab_drawn"])
    other = arrive(path, **link)
    assert drawn(other) == drawn(app), asked
    assert asked == GROWS or said(other) == said(app), asked


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_link_draws_the_last_part_as_it_was(spec):
    hold_to_link(spec.path, parts_of(spec.path)[-1])


@pytest.mark.slow
@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_link_draws_every_part_as_it_was(spec):
    for asked in parts_of(spec.path)[:-1]:
        hold_to_link(spec.path, asked)
