"""No link breaks a page, whatever it asks for."""

from functools import cache

import pytest

from pages.shared.registry import LESSONS, page_at
from tests.pages.visits import arrive, visit

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


def test_a_control_of_the_same_name_on_the_page_before_leaves_nothing_behind():
    app = visit("pages/byte_pair_encoding/page.py")
    assert app.button_group(key="base").value == "Characters"
    app.switch_page("pages/positional_encoding/page.py").run()
    app.button_group(key="part").set_value("Encoding vectors").run()
    assert not app.exception
    assert app.select_slider(key="base").value == 10_000


def test_a_number_out_of_the_range_of_the_next_page_gives_way_to_its_default():
    app = visit("pages/clustering/page.py", points="10")
    assert app.slider(key="points").value == 10
    app.switch_page("pages/mixture_pitfalls/page.py").run()
    app.button_group(key="part").set_value("One dimension").run()
    assert not app.exception
    assert app.slider(key="points").value == 500


@pytest.mark.parametrize(
    ("address", "asked", "name", "value"),
    [
        ("positional-encoding", {"base": "1000"}, "clock_base", "1000"),
        (
            "positional-encoding",
            {"part": "Shift as rotation", "base": "1000"},
            "clock_base",
            "1000",
        ),
        ("positional-encoding", {"part": "Encoding vectors", "base": "1000"}, "base", "1000"),
        ("preferences", {"part": "Hacking", "kl_weight": "0.1"}, "hacking_weight", "0.1"),
        ("preferences", {"part": "Hacking", "rule": "calmer"}, "exploited_rule", "calmer"),
        ("preferences", {"rule": "calmer"}, "rule", "calmer"),
    ],
)
def test_a_link_by_the_name_that_two_parts_once_shared_sets_the_one_of_its_part(
    address, asked, name, value
):
    app = visit(page_at(address).path, **asked)
    assert app.session_state["lab_drawn"][name].values == (value,)


@pytest.mark.parametrize(
    "spec", [spec for spec in LESSONS if spec.opened_on], ids=lambda spec: spec.address
)
def test_a_link_without_a_part_means_the_part_that_opened_before_if_it_has_a_setting_of_it(spec):
    choice, part, settings = spec.opened_on
    today, before = arrive(spec.path), arrive(spec.path, **{choice: part})
    opens_now, opened_then = (app.session_state["lab_drawn"] for app in (today, before))
    own = {name: drawn.values for name, drawn in opened_then.items() if name not in opens_now}
    assert opens_now[choice].values != (part,)
    assert set(own) <= set(settings), "a setting by which no link is told"
    assert not set(settings) & set(opens_now), "a setting that a link to what opens now has, too"
    for name, values in own.items():
        app = visit(spec.path, **{name: list(values)})
        assert app.session_state["lab_drawn"][choice].values == (part,), name
