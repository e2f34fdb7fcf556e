"""What pages are written in: parts, questions, figures of one set of numbers, and records of controls."""

from typing import NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from lm_core.errors import ResultError
from pages.preferences import scene
from pages.shared import page
from pages.shared.page.predictions import Prediction
from tests.pages.visits import alt, charts, data, drawn_rows, guess, visit


def figure():
    from pages.shared import page
    from pages.shared.charts import lines
    from pages.shared.ui.first_screen import first_screen

    screen = first_screen()
    asked = page.ask(
        screen,
        "share",
        "How much?",
        {"Half": 0.5, "All": 1.0},
        right=lambda: 0.9,
        reason=lambda guess: f"**0.875** of it, not {guess}.",
    )
    with screen.picture:
        page.show_lines(
            "curves",
            {"seen": [(0.0, 0.0), (2.0, 0.25)], "asked": [(0.0, 0.125), (2.0, 0.875)]},
            {"seen": lines.LineStyle("#000000"), "asked": lines.LineStyle("#0072B2")},
            lines.Axis("steps", (0.0, 2.0)),
            lines.Axis("share", (0.0, 1.0)),
            hidden=asked.hides("asked"),
            bands={name: [(0.0, 0.0, 0.75), (2.0, 0.0, 0.75)] for name in ("seen", "asked")},
            beside={"loss": [5.0, 4.0]},
            guess=asked.at(lambda value: (2.0, value)),
            waiting=asked.waiting("asked", 2.0),
            now=2.0,
        )


def test_what_is_masked_is_neither_drawn_nor_in_the_table_nor_said():
    app = AppTest.from_function(figure).run()
    rows = drawn_rows(app, "curves")
    assert set(rows[rows["kind"].isin(["line", "band"])]["name"]) == {"seen"}
    assert data(app, "curves").columns.tolist() == ["steps", "loss", "seen"]
    assert alt(app, "curves") == "Share against steps. At 2: seen 0.25."
    assert "waiting" in set(rows["kind"])


@pytest.mark.parametrize(("option", "verdict"), [(0, "Not quite"), (1, "Right")])
def test_a_guess_is_judged_by_the_nearest_number_and_drawn(option, verdict):
    app = guess(AppTest.from_function(figure).run(), "share", option)
    assert any(verdict in m.value and "**0.875**" in m.value for m in app.markdown)
    rows = drawn_rows(app, "curves")
    assert rows[rows["kind"] == "guess"]["y"].tolist() == [(0.5, 1.0)[option]]
    assert data(app, "curves")["asked"].tolist() == [0.125, 0.875]
    assert alt(app, "curves") == "Share against steps. At 2: seen 0.25; asked 0.875."


def lines_of_their_own_places():
    from pages.shared import page
    from pages.shared.charts import lines

    page.show_lines(
        "curves",
        {"early": [(1.0, 0.5)], "late": [(1.0, 0.25), (4.0, 1.0)], "later": []},
        {name: lines.LineStyle("#000000") for name in ("early", "late")},
        lines.Axis("steps", (0.0, 4.0)),
        lines.Axis("right", (0.0, 1.0), form=".0%"),
        hidden=("early",) if "hide" in __import__("streamlit").query_params else (),
        beside={"seeds": {"early": [3], "late": [4, 5]}},
        said="Two networks.",
    )


def test_lines_of_other_places_have_a_row_for_each_point():
    app = AppTest.from_function(lines_of_their_own_places).run()
    assert charts(app) == ["curves"]
    assert data(app, "curves").to_numpy().tolist() == [
        ["early", 1.0, 0.5, 3],
        ["late", 1.0, 0.25, 4],
        ["late", 4.0, 1.0, 5],
    ]
    said = alt(app, "curves").replace("\N{NARROW NO-BREAK SPACE}", "")
    assert said == "Two networks. At 4: early 50.0% at 1; late 100.0%."


def test_columns_beside_a_masked_line_go_with_it():
    app = AppTest.from_function(lines_of_their_own_places)
    app.query_params["hide"] = "early"
    assert data(app.run(), "curves")["seeds"].tolist() == [4, 5]


class Settings(NamedTuple):
    """Of each kind one."""

    kind: str = page.field(page.choice, "Kind", {"a": "First", "b": "Second"}, "b")
    radius: float = page.field(page.pick, "Radius", (0.5, 1.0))
    seed: int = page.folded(page.number, "Seed", 0, 999, 1)
    share: float = page.folded(page.slider, "Share", 0.0, 1.0, 0.5, 0.1)


def record():
    import streamlit as st

    from pages.shared import page
    from pages.shared.ui.controls import begin_page
    from pages.shared.ui.first_screen import first_screen
    from tests.pages.shared.page.test_page import Settings

    begin_page("gradients")
    st.session_state["chosen"] = page.controls(Settings, first_screen())


def test_the_fields_of_a_record_are_controls_of_the_link():
    app = AppTest.from_function(record)
    app.query_params["kind"], app.query_params["seed"] = "First", "7"
    app.run()
    assert app.session_state["chosen"] == Settings("a", 0.5, 7, 0.5)
    app.selectbox(key="kind").set_value("b").run()
    assert app.session_state["chosen"] == page.starts(Settings)._replace(seed=7)
    assert page.starts(Settings) == Settings("b", 0.5, 1, 0.5)


def record_in_a_popover():
    import streamlit as st

    from pages.shared import page
    from pages.shared.ui.controls import begin_page
    from pages.shared.ui.first_screen import first_screen
    from tests.pages.shared.page.test_page import Settings

    begin_page("gradients")
    with page.more(first_screen()):
        st.session_state["chosen"] = page.fields(Settings, without=("seed",))
        page.button("keep", "Keep", "undo", st.session_state.__setitem__, "kept", 7, disabled=False)
        st.session_state["is_on"] = page.switch("is_on_now", "On")


def test_a_record_is_drawn_where_it_is_called_without_what_it_is_told():
    app = AppTest.from_function(record_in_a_popover).run()
    assert app.session_state["chosen"] == page.starts(Settings)
    assert not app.number_input
    app.slider(key="share").set_value(0.75).run()
    assert app.session_state["chosen"] == page.starts(Settings)._replace(share=0.75)


def test_a_button_acts_on_what_it_is_given_and_a_switch_is_on_or_off():
    app = AppTest.from_function(record_in_a_popover).run()
    assert app.session_state["is_on"] is False
    assert app.button(key="keep").icon == ":material/undo:"
    app.button(key="keep").click()
    app.toggle(key="is_on_now").set_value(True).run()
    assert app.session_state["kept"] == 7
    assert app.session_state["is_on"] is True


def test_a_part_without_its_results_says_so_and_the_page_goes_on(monkeypatch):
    def missing():
        raise ResultError("no results *here*")

    monkeypatch.setattr(scene, "shipped_results", missing)
    app = visit("pages/preferences/page.py")
    assert [error.value for error in app.error] == [r"no results \*here\*"]
    assert app.header[-1].value == "Try this"
    app.button_group(key="part").set_value("Your run").run()
    assert not app.exception


def test_what_a_class_answered_to_other_options_has_no_place():
    prediction = Prediction("Half", True, {"Half": 1, "A third": 2})
    asked = page.Asked(prediction, {"Half": 0.5, "All": 1.0})
    found = asked.at(lambda value: (2.0, value))
    assert found.own == (2.0, 0.5)
    assert found.of_class == [(2.0, 0.5, 1)]
