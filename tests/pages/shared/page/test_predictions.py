"""The answers to a question: which one holds, and where a guess stands in a picture."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import page
from pages.shared.page.predictions import Answer, Prediction, answer_of, nearest_answer
from tests.pages.visits import press

SHARES = {"most": Answer(0.5, 0.75), "some": Answer(0.1, 0.3), "none": Answer(0.0, 0.05)}
WEIGHTS = {"small": -1.0, "none": 0.0, "large": 3.0}


@pytest.mark.parametrize(
    ("value", "said"),
    [(-9.0, "small"), (-0.6, "small"), (-0.4, "none"), (1.4, "none"), (1.6, "large"), (9, "large")],
)
def test_the_nearest_answer_may_lie_on_either_side(value, said):
    assert nearest_answer(value, WEIGHTS) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.0, "most"), (0.5, "most"), (0.49, "some"), (0.1, "some"), (0.09, "none"), (0.0, "none")],
)
def test_an_answer_holds_from_its_least_value_on(value, said):
    assert answer_of(value, SHARES) == said


def test_a_guess_stands_in_the_picture_once_it_is_revealed():
    assert page.Asked(Prediction("some", True), SHARES).value.typical == 0.3
    assert page.Asked(Prediction("some", False), SHARES).value is None
    assert page.Asked(Prediction(None, True), SHARES).value is None


def several_and_order():
    from pages.shared import page

    asked = page.ask(
        None,
        "which",
        "Which hold?",
        ["a", "b", "c"],
        right=["c", "a"],
        reason="Both.",
        kind="several",
    )
    assert asked.value is None
    page.ask(
        None,
        "order",
        "In which order?",
        ["large", "small", "middle"],
        right=lambda: ["small", "middle", "large"],
        reason="By size.",
        kind="order",
        has_key=False,
    )


def number_and_cell():
    from pages.shared import page

    number = page.ask_number(
        None, "share", "How many?", (0.0, 100.0), 3.0, right=lambda: 42.25, reason="Counted."
    )
    sides = {"row": ["a", "b"], "column": ["A", "B", "C"]}
    cell = page.ask_cell(
        None, "place", "Where?", sides, None, right=(1, 2), reason="There.", has_key=False
    )
    page.show_rows(("number", "chosen", "cell"), [(number.value, cell.chosen, cell.value)])


def drawn(app):
    return [element.value for element in [*app.caption, *app.markdown]]


@pytest.mark.parametrize(("chosen", "verdict"), [(["a", "c"], "Right"), (["a"], "Not quite")])
def test_several_answers_hold_together(chosen, verdict):
    app = AppTest.from_function(several_and_order).run()
    assert app.button(key="reveal_which").disabled
    app.button_group(key="guess_which").set_value(chosen).run()
    app = press(app, "reveal_which")
    assert f"Which hold? You said: **{'; '.join(chosen)}**." in drawn(app)
    assert any(verdict in said and "Both." in said for said in drawn(app))
    assert not any("By size." in said for said in drawn(app))


def test_an_order_waits_for_all_and_is_judged_as_a_whole():
    app = AppTest.from_function(several_and_order).run()
    app.multiselect(key="guess_order").set_value(["small", "middle"]).run()
    assert app.button(key="reveal_order").disabled
    for order, verdict in (
        (["small", "middle", "large"], "Right"),
        (["small", "large", "middle"], "Not quite"),
    ):
        app = AppTest.from_function(several_and_order).run()
        app.multiselect(key="guess_order").set_value(order).run()
        app = press(app, "reveal_order")
        assert f"In which order? You said: **{' → '.join(order)}**." in drawn(app)
        assert any(verdict in said and "By size." in said for said in drawn(app))


@pytest.mark.parametrize(
    ("said", "verdict"),
    [(39.25, "Right"), (45.25, "Right"), (39.0, "Not quite"), (46.0, "Not quite")],
)
def test_a_number_holds_within_its_tolerance(said, verdict):
    app = AppTest.from_function(number_and_cell).run()
    assert app.number_input(key="guess_share").value is None
    assert app.button(key="reveal_share").disabled
    app.number_input(key="guess_share").set_value(said).run()
    app = press(app, "reveal_share")
    assert f"How many? You said: **{said:g}**." in drawn(app)
    assert any(verdict in line and "Counted." in line for line in drawn(app))


@pytest.mark.parametrize(("cell", "verdict"), [((2, 3), "Right"), ((2, 2), "Not quite")])
def test_a_cell_is_judged_by_its_row_and_column(cell, verdict):
    app = AppTest.from_function(number_and_cell).run()
    for side, number in enumerate(cell):
        assert app.button(key="reveal_place").disabled
        app.selectbox(key=f"guess_place_{side}").set_value(number).run()
    app = press(app, "reveal_place")
    assert f"Where? You said: **{'ab'[cell[0] - 1]} → {'ABC'[cell[1] - 1]}**." in drawn(app)
    assert any(verdict in line and "There." in line for line in drawn(app))


def not_asked():
    from pages.shared import page

    sides = {"row": ["a", "b"], "column": ["A", "B"]}
    page.ask_cell(None, "place", "Where?", sides, (1, 1), right=(1, 1), reason="", when=False)


def test_a_tap_chooses_nothing_where_nothing_is_asked():
    app = AppTest.from_function(not_asked).run()
    assert "guess_place_0" not in app.session_state
