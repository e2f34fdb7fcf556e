"""No link breaks a page, whatever it asks for."""

from functools import cache
from urllib.parse import parse_qsl

import pytest

from pages.shared.registry import LESSONS, page_at
from tests.pages.visits import arrive, questions, visit

RARER = {  # the foreign one is also asked for by every page's test of text from outside
    "foreign": "<b>[x](http://x)</b>",
    "huge": "9" * 400,
    "repeated": ["1", "", "x"],
    "negative": "-1e308",
    "no number": "nan",
    "long": "x" * 8192,
    "invisible": "\x00\u202e\n",
}
NOT_ON_OFFER = """
ablations?ablation=The brain
ablations?snapshot=99
ablations?loss=x
attention?layer=9
attention?head=x
attention?query=400
attention?ablated_heads=7.7
attention?stage=magic
attention-by-hand?part=A printed example&score_4=11
attention-by-hand?part=Small matrices&query=7
attention-by-hand?part=Drag a query&query_x=nan
attention-by-hand?part=Division by √d&reveal=scale,heads&quantity=Beauty
attention-cost?quantity=money
clustering?data=cats
clustering?clusters=99
clustering?covariance=round
clustering?points=1e9
counting?run_length=10000
counting?run_length=1
counting?hidden_units=0
counting?initialisation=zero
embeddings?part=Magic
embeddings?part=Map&model=x
embeddings?part=Map&among=7
embeddings?part=Map&embedding=both
estimation?animals=30
estimation?seed=-4
estimation?seed=nan
estimation?method=Oracle
estimation?prior=0
inside-a-cell?left=Transformer
inside-a-cell?spectral_radius=99
inside-a-cell?step=21
inside-a-cell?window=0
inside-a-cell?clipping=x
positional-encoding?part=Equal words&encoding=tea leaves
positional-encoding?part=Encoding vectors&width=5
positional-encoding?part=Shift as rotation&position=61
positional-encoding?part=Scores by distance&shown_encoding=learned
positional-encoding?part=T5 buckets&buckets=7
sequence-models?shape=Vector to sequence&name=2
sequence-models?shape=Vector to sequence&letters=0
sequence-models?shape=Vector to sequence&temperature=nan
sequence-models?shape=x
war-and-peace?model=gpt-9
war-and-peace?temperature=hot
"""
"""Links whose last value a page does not offer."""


@cache
def views(path):
    """Return what leads to each part of a page with all answers shown, and its controls' names."""
    first = arrive(path)
    parts = next((g.options for g in first.button_group if g.key == "part"), [])
    found = []
    for asked, app in [({"part": p}, arrive(path, part=p)) for p in parts] or [({}, first)]:
        asked["reveal"] = ",".join(questions(app))
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


@pytest.mark.parametrize("link", NOT_ON_OFFER.split("\n")[1:-1])
def test_a_value_that_is_not_on_offer_falls_back_with_a_note(link):
    address, _, query = link.partition("?")
    asked = dict(parse_qsl(query))
    app = visit(page_at(address).path, **asked)
    assert len(app.warning) == 1
    assert f"`{list(asked.values())[-1]}`" in app.warning[0].value


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
