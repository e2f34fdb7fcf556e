"""No link breaks a page, whatever it asks for."""

from functools import cache

import pytest

from pages.shared.registry import LESSONS
from tests.pages.visits import arrive

RARER = {  # the foreign one is also asked for by every page's test of text from outside
    "foreign": "<b>[x](http://x)</b>",
    "huge": "9" * 400,
    "repeated": ["1", "", "x"],
    "negative": "-1e308",
    "no number": "nan",
    "long": "x" * 8192,
    "invisible": "\x00\u202e\n",
}


@cache
def views(path):
    """Return what leads to each part of a page with all answers shown, and its controls' names."""
    first = arrive(path)
    parts = next((g.options for g in first.button_group if g.key == "part"), [])
    found = []
    for asked, app in [({"part": p}, arrive(path, part=p)) for p in parts] or [({}, first)]:
        gates = [radio.key.removeprefix("guess_") for radio in app.radio if radio.key]
        asked["reveal"] = ",".join(gates)
        found.append((asked, list(arrive(path, **asked).session_state["lab_drawn"])))
    return found


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("", id="empty"),
        *(pytest.param(value, id=name, marks=pytest.mark.slow) for name, value in RARER.items()),
    ],
)
@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_no_value_breaks_a_control(spec, value):
    for asked, names in views(spec.path):
        assert names
        app = arrive(spec.path, **dict.fromkeys(names, value) | asked)
        assert not app.exception, (asked, [e.value for e in app.exception])
        assert app.title
