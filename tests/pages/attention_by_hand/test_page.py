"""The page on attention by hand: its five parts, what their controls change, what is refused."""

import re

import pytest

from lm_core.experiments.attention_by_hand.printed_example import PRINTED_SCORES
from pages.shared.components.query_pad import checked_place
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people


def arrive(part="A printed example", **asked):
    return visits.visit("pages/attention_by_hand/page.py", part=part, **asked)


def formula(app):
    return app.get("latex")[0].value


def pad_data(app):
    found = visits.sent_to(app)
    return next(data for data in found if "query" in data)


# A printed example ----------------------------------------------------------------------------


def test_the_right_score_brings_the_weights_together_and_the_answer_waits_for_a_guess():
    app = arrive()
    assert visits.numbers(visits.alt(app, "printed_weights"))[0] == 16.8
    assert not any("**jumps**" in found.value for found in app.markdown), "that would be the answer"
    app.number_input(key="score_4").set_value(5.0).run()
    assert visits.numbers(visits.alt(app, "printed_weights"))[0] == 1.2
    app.radio(key="guess_printed").set_value("04 jumps").run()
    app.button(key="reveal_printed").click().run()
    assert visits.shows(app, "jumps", 5, 6)
    assert visits.shows(app, 0.049, 0.05, 0.06, 0.99)


def test_scores_go_back_to_what_was_printed():
    app = arrive(score_0="-7.5", score_8="3")
    assert app.number_input(key="score_0").value == -7.5
    app.button(key="restore_scores").click().run()
    assert [app.number_input(key=f"score_{i}").value for i in range(9)] == list(PRINTED_SCORES)
    assert visits.numbers(visits.alt(app, "printed_weights"))[0] == 16.8


def test_mask_and_divisor_change_the_weights_and_the_formula():
    app = arrive(causal="true", divisor="√16")
    weights = app.dataframe[0].value["weight"].tolist()
    assert weights[4:] == [0.0] * 5
    assert sum(weights) == pytest.approx(1.0)
    assert "e^{6 / 4}" in formula(app)
    assert re.search(rf"= {weights[1]:.3f}\s", formula(app))


# Small matrices -------------------------------------------------------------------------------


def test_every_stage_of_the_chosen_cell_stands_in_the_formula():
    app = arrive("Small matrices", Q="1 2", K="3 0\n0 1", V="1\n-1", query="1", key="2")
    assert [visits.numbers(line) for line in formula(app).split(r" \\ ")] == [
        [],
        [1, 0, 2, 1, 2],
        [2, 1.414, 1.41],
        [1.41],
        [1.41, 2.12, 1.41, 0.33],
        [0.67, 1],
        [0.33, -1],
        [0.34],
    ]
    assert r"\frac{e^{1.41}}{e^{2.12} + e^{1.41}}" in formula(app)
    assert visits.numbers(visits.alt(app, "hand_matrices"))[:3] == [1, 2, 0.330]


def test_scale_and_mask_are_switched():
    app = arrive("Small matrices", scaled="false", causal="true", query="1", key="3")
    assert r"&= -\infty" in formula(app)
    assert "1 / 1 = 1" in formula(app)
    assert "1 of 3 keys" in visits.text(app)
    assert visits.numbers(visits.alt(app, "hand_matrices"))[:3] == [1, 3, 0]


def test_fewer_rows_take_the_chosen_cell_with_them():
    app = arrive("Small matrices", query="3", key="3")
    app.text_area(key="Q").set_value("1 1\n2 2").run()
    assert not app.exception
    assert app.number_input(key="query").value == 2
    assert app.number_input(key="key").value == 3


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ({"Q": "1 <b>"}, ("Q", "b")),
        ({"Q": "1 2 3"}, (3, 2)),
        ({"V": "1 2"}, (3, 1)),
        ({"causal": "true", "K": "1 0", "V": "1 0"}, (3, 1)),
        ({"K": "1 " * 300}, ("K", 400, 600)),
    ],
)
def test_what_does_not_fit_is_named_and_the_way_back_is_open(typed, named):
    app = arrive("Small matrices", reveal="softmax", **typed)
    assert visits.holds(app.error[0].value, *named)
    for name, value in {"Q": "1 0\n0 1\n1 2", "K": "1 0\n0 2\n1 1", "V": "1 0\n0 1\n2 2"}.items():
        app.text_area(key=name).set_value(value)
    app.run()
    assert not app.error
    assert visits.numbers(visits.alt(app, "hand_matrices"))[:2] == [3, 2]


def test_the_weight_that_is_asked_for_waits_and_the_guess_stays_in_its_cell():
    app = arrive("Small matrices")
    shown = matrices(app)
    hidden = shown["row"].eq(3) & shown["matrix"].isin(["weights", "output"])
    assert set(shown["text"][hidden]) == {"?"}
    assert "?" not in set(shown["text"][~hidden])
    assert not app.get("latex")
    visits.guess(app, "softmax", 50)
    shown = matrices(app)
    noted = shown[shown["note"] != ""]
    assert noted[["matrix", "row", "column", "text"]].values.tolist() == [["weights", 3, 2, "0.62"]]
    assert visits.numbers(noted["note"].iloc[0]) == [0.5]
    assert app.get("latex")


def test_numbers_of_a_class_are_a_histogram_with_the_right_one():
    code = people.opened().code
    teacher = people.arrive_as(
        "teacher", "pages/attention_by_hand/page.py", room=code, part="Small matrices"
    )
    students = [
        people.arrive_as(name, "pages/attention_by_hand/page.py", room=code, part="Small matrices")
        for name in ("anna", "boris")
    ]
    visits.press(teacher, "ask_softmax")
    asked = store().rooms.state(code).asked
    for student, number in zip(("anna", "boris"), ("50", "63"), strict=True):
        store().rooms.answer(code, people.visitor(student), asked.id, number)
    visits.press(people.look_again(teacher), "class_reveal")
    for app in (teacher, people.look_again(students[0])):
        rows = visits.drawn_rows(people.look_again(app), "class_counts_chart")
        assert rows["count"].sum() == 2
        marked = {mark.split()[0]: float(mark.split()[1]) for mark in rows["mark"].dropna()}
        assert marked["median"] == 56.5
        assert marked["right"] == pytest.approx(62, abs=0.5)


def test_the_given_matrices_stand_beside_those_computed_and_a_click_in_each_is_followed():
    app = arrive("Small matrices")
    shown = matrices(app)
    assert shown["matrix"].unique().tolist()[:3] == ["Q", "K", "V"]
    assert shown.query("matrix == 'K' and row == 2")["text"].tolist() == ["0.00", "2.00"]
    assert outlined(app) == {"Q": 3, "K": 2, "V": 2}
    app.session_state["hand_matrices"] = clicked("K", 1, 2)
    app.run()
    assert [app.number_input(key=name).value for name in ("query", "key")] == [3, 1]
    app.session_state["hand_matrices"] = clicked("Q", 1, 2)
    app.run()
    assert [app.number_input(key=name).value for name in ("query", "key")] == [1, 1]
    app.session_state["hand_matrices"] = clicked("weights", 2, 3)
    app.run()
    assert [app.number_input(key=name).value for name in ("query", "key")] == [2, 3]
    app = visits.guess(app, "softmax")
    assert outlined(app) == {"Q": 2, "K": 3, "V": 3}


def clicked(matrix, row, column):
    return {"selection": {"cell": [{"matrix": matrix, "row": row, "column": column}]}}


def outlined(app):
    """Return the rows that are outlined of the given matrices."""
    shown = matrices(app)
    return {name: int(shown.query("matrix == @name and chosen")["row"].iloc[0]) for name in "QKV"}


def matrices(app):
    """Return the cells of the matrices as they are drawn."""
    return visits.drawn_rows(app, "hand_matrices")


def test_the_question_is_only_asked_of_the_matrices_that_it_is_about():
    assert "softmax" in visits.questions(arrive("Small matrices"))
    for asked in ({"causal": "true"}, {"scaled": "false"}, {"Q": "1 0"}):
        app = arrive("Small matrices", **asked)
        assert "softmax" not in visits.questions(app)
        assert bool(app.get("latex")) is not bool(app.error)


# A query to drag ------------------------------------------------------------------------------


def test_the_query_of_the_link_is_the_one_on_the_pad():
    app = arrive(
        "Drag a query", query_x="-1.5", query_y="0", arrangement="four ways", scaled="false"
    )
    assert visits.numbers(visits.alt(app, "drag_weights"))[:4] == [-1.5, 0, 3, 81.8]
    assert pad_data(app)["query"] == [-1.5, 0.0]
    assert pad_data(app)["divisor"] == 1.0
    app.toggle(key="scaled").set_value(True).run()
    assert visits.numbers(visits.alt(app, "drag_weights"))[2:4] == [3, 69]
    assert pad_data(app)["divisor"] == pytest.approx(2**0.5)
    assert app.number_input(key="query_x").value == -1.5


def test_at_the_origin_all_keys_are_alike():
    app = arrive("Drag a query", query_x="0", query_y="0", arrangement="two alike")
    assert visits.numbers(visits.alt(app, "drag_weights"))[3:] == [33.3, 0.333, 0.333, 0.333]
    assert "length 0.00" in visits.text(app)
    visits.guess(app, "length")
    assert visits.shows(app, "All scores are equal and stay so")


def test_a_query_twice_as_long_is_answered_with_its_weight():
    app = arrive("Drag a query", arrangement="four ways", query_x="1.2", query_y="0.8")
    assert visits.numbers(visits.alt(app, "drag_weights"))[3] == 54.0
    visits.guess(app, "length")
    assert visits.shows(app, 54, 69)


@pytest.mark.parametrize(
    ("sent", "place"),
    [([1.234, -0.05], (1.2, -0.1)), ([99, -99], (3.0, -3.0)), (["0.5", 1], (0.5, 1.0))],
)
def test_what_a_browser_sends_is_rounded_and_kept_on_the_pad(sent, place):
    assert checked_place(sent) == pytest.approx(place, abs=0.051)
    assert all(-3.0 <= number <= 3.0 for number in checked_place(sent))


@pytest.mark.parametrize("sent", [[1.0], [1.0, 2.0, 3.0], ["a", 1.0]])
def test_what_is_no_place_is_refused(sent):
    with pytest.raises(ValueError, match=r"values to unpack|could not convert"):
        checked_place(sent)


# Division by the root of the width ------------------------------------------------------------


def test_the_scale_is_drawn_after_the_guess_and_follows_its_controls():
    app = arrive("Division by √d")
    assert set(app.dataframe[0].value["scores"]) == {"divided by √d"}
    app = arrive("Division by √d", reveal="scale", width="1024", quantity="Largest weight")
    assert visits.numbers(visits.alt(app, "scale_effect"))[:3] == [1024, 0.23, 1]
    assert visits.shows(app, 1024, 32)
    assert "**over 99 %**" in visits.text(app)
    table = app.dataframe[0].value
    assert len(table) == 2 * 11
    assert (table["low"] <= table["median"]).all()
    assert (table["median"] <= table["high"]).all()
    app.select_slider(key="width").set_value(1).run()
    width, divided, undivided = visits.numbers(visits.alt(app, "scale_effect"))[:3]
    assert width == 1
    assert divided == undivided


# Heads ----------------------------------------------------------------------------------------


def test_heads_are_counted_in_real_layers():
    app = arrive("Heads", reveal="heads", layer_width="32", heads="4")
    assert visits.numbers(visits.alt(app, "head_counts"))[:3] == [4, 8, 3072]
    assert r"32 \cdot 8 \cdot 4 = 3{,}072" in formula(app)
    frame = app.dataframe[0].value
    own = frame[frame["head width"] == "d = D"]
    assert own["parameters"].tolist() == [3072 * heads for heads in (1, 2, 4, 8, 16)]
    app.select_slider(key="heads").set_value(16).run()
    assert visits.numbers(visits.alt(app, "head_counts"))[:3] == [16, 2, 3072]
    assert re.search(r"10⁻[⁷⁸]\*\*", visits.text(app))


def test_only_the_usual_heads_wait_for_a_guess():
    app = arrive("Heads")
    assert set(app.dataframe[0].value["head width"]) == {"d = D"}
    visits.guess(app, "heads", 1)
    assert set(app.dataframe[0].value["head width"]) == {"d = D / H", "d = D"}


# Links ----------------------------------------------------------------------------------------


def test_an_unknown_part_leads_to_the_first():
    app = arrive("Nothing")
    assert "`Nothing`" in app.warning[0].value
    assert pad_data(app)["query"] == [1.2, 0.8]


# X and the three W; times ---------------------------------------------------------------------


def test_queries_keys_and_values_are_computed_from_x():
    typed = {"X": "1 2", "W_Q": "3 0\n0 1", "W_K": "1 0\n1 1", "W_V": "0\n5"}
    app = arrive("Small matrices", projected="true", **typed)
    drawn = visits.data(app, "hand_matrices")
    cells = {(row.matrix, row.row, row.column): row.value for row in drawn.itertuples()}
    assert [cells["Q", 1, 1], cells["Q", 1, 2]] == [3, 2]
    assert [cells["K", 1, 1], cells["K", 1, 2]] == [3, 2]
    assert cells["V", 1, 1] == 10


def test_heads_are_timed_when_somebody_asks():
    app = visits.press(arrive("Shapes"), "measure_heads")
    assert list(visits.data(app, "head_times")["heads"]) == [1, 2, 4, 8, 16, 32, 64]
    assert visits.shows(app, "With", 64, "heads")
