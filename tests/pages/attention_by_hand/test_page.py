"""The page on attention by hand: its five parts, what their controls change, what is refused."""

import json
import re

import pytest

from lm_core.experiments.attention_by_hand.printed_example import PRINTED_SCORES
from pages.shared.components.query_pad import checked_place
from tests.pages.visits import text, visit


def arrive(part="A printed example", **asked):
    return visit("pages/attention_by_hand/page.py", part=part, **asked)


def formula(app):
    return app.get("latex")[0].value


def pad_data(app):
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(data for data in found if "query" in data)


# A printed example ----------------------------------------------------------------------------


def test_the_right_score_brings_the_weights_together_and_the_answer_waits_for_a_guess():
    app = arrive()
    assert "16.8%" in text(app)
    assert "**jumps** (place 5): computed 0.296, printed 0.13" in text(app)
    assert "not 6" not in text(app)
    app.number_input(key="score_4").set_value(5.0).run()
    assert "**Computed and printed weights differ by 1.2%**" in text(app)
    app.radio(key="guess_printed").set_value("04 jumps").run()
    app.button(key="reveal_printed").click().run()
    assert "**The score of *jumps* is 5, not 6.**" in text(app)
    assert re.search("0.049 .* 0.05 .* 0.06 ", text(app))
    assert "0.99" in text(app)


def test_scores_go_back_to_what_was_printed():
    app = arrive(score_0="-7.5", score_8="3")
    assert app.number_input(key="score_0").value == -7.5
    next(button for button in app.button if button.label == "As printed").click().run()
    assert [app.number_input(key=f"score_{i}").value for i in range(9)] == list(PRINTED_SCORES)
    assert "16.8%" in text(app)


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
    lines = formula(app)
    assert r"q_1 \cdot k_2 \\ &= 1 \cdot 0 + 2 \cdot 1 = 2" in lines
    assert r"2 / 1.414 = 1.41" in lines
    assert r"\frac{e^{1.41}}{e^{2.12} + e^{1.41}} = 0.33" in lines
    assert r"0.67\,(1) \\ &\quad + 0.33\,(-1)" in lines
    assert r"\mathbf{(0.34)}" in lines
    assert "Query 1 gives key 2 the weight 0.330" in text(app)


def test_scale_and_mask_are_switched():
    app = arrive("Small matrices", scaled="false", causal="true", query="1", key="3")
    assert r"\text{masked} &= -\infty" in formula(app)
    assert "1 / 1 = 1" in formula(app)
    assert "1 of 3 keys" in text(app)
    assert "the weight 0.000" in text(app)


def test_fewer_rows_take_the_chosen_cell_with_them():
    app = arrive("Small matrices", query="3", key="3")
    app.text_area(key="Q").set_value("1 1\n2 2").run()
    assert not app.exception
    assert app.number_input(key="query").value == 2
    assert app.number_input(key="key").value == 3


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"Q": "1 <b>"}, "Q must hold numbers, got '<b>'"),
        ({"Q": "1 2 3"}, "queries and keys must have one width for a dot product, got 3 and 2"),
        ({"V": "1 2"}, "each key needs a value, got 3 keys and 1 values"),
        ({"causal": "true", "K": "1 0", "V": "1 0"}, "got 3 queries and 1 keys"),
        ({"K": "1 " * 300}, "may have at most 400 characters"),
    ],
)
def test_what_does_not_fit_gets_a_message_and_the_way_back_is_open(typed, message):
    app = arrive("Small matrices", **typed)
    assert message in app.error[0].value
    for name, value in {"Q": "1 0\n0 1\n1 2", "K": "1 0\n0 2\n1 1", "V": "1 0\n0 1\n2 2"}.items():
        app.text_area(key=name).set_value(value)
    app.run()
    assert not app.error
    assert "Query 1 gives key 1" in text(app)


# A query to drag ------------------------------------------------------------------------------


def test_the_query_of_the_link_is_the_one_on_the_pad():
    app = arrive(
        "Drag a query", query_x="-1.5", query_y="0", arrangement="four ways", scaled="false"
    )
    assert "At (-1.5, 0) key 3 gets 81.8%" in text(app)
    assert pad_data(app)["query"] == [-1.5, 0.0]
    assert pad_data(app)["divisor"] == 1.0
    app.toggle(key="scaled").set_value(True).run()
    assert "key 3 gets 69.0%" in text(app)
    assert pad_data(app)["divisor"] == pytest.approx(2**0.5)
    assert app.number_input(key="query_x").value == -1.5


def test_at_the_origin_all_keys_are_alike():
    app = arrive("Drag a query", query_x="0", query_y="0", arrangement="two alike")
    assert "gets 33.3%" in text(app)
    assert "length 0.00" in text(app)


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
    assert not app.get("vega_lite_chart")
    app = arrive("Division by √d", reveal="scale", width="1024", quantity="Largest weight")
    assert "At d = 1,024 the largest weight is 0.23 with the division, 1 without" in text(app)
    assert "32.00" in text(app)
    assert "**over 99%**" in text(app)
    table = app.dataframe[0].value
    assert len(table) == 2 * 11
    assert (table["low"] <= table["median"]).all()
    assert (table["median"] <= table["high"]).all()
    app.select_slider(key="width").set_value(1).run()
    assert re.search(
        r"At d = 1 the largest weight is ([\d.]+) with the division, \1 with", text(app)
    )


# Heads ----------------------------------------------------------------------------------------


def test_heads_are_counted_in_real_layers():
    app = arrive("Heads", reveal="heads", layer_width="32", heads="4")
    assert "**4 heads of width 8: 3,072 numbers in Q, K and V**" in text(app)
    assert r"3 \cdot 32 \cdot 8 \cdot 4 = 3{,}072" in formula(app)
    frame = app.dataframe[0].value
    own = frame[frame["head width"] == "d = D"]
    assert own["parameters"].tolist() == [3072 * heads for heads in (1, 2, 4, 8, 16)]
    app.select_slider(key="heads").set_value(16).run()
    assert "**16 heads of width 2: 3,072 numbers" in text(app)
    assert "e-07**" in text(app) or "e-08**" in text(app)


# Links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("A printed example", "score_4", "11"),
        ("Small matrices", "query", "7"),
        ("Drag a query", "query_x", "nan"),
        ("Division by √d", "quantity", "Beauty"),
    ],
)
def test_a_foreign_value_falls_back_with_a_note(part, name, value):
    app = arrive(part, reveal="scale,heads", **{name: value})
    assert len(app.warning) == 1
    assert f"`{value}`" in app.warning[0].value


def test_an_unknown_part_leads_to_the_first():
    app = arrive("Nothing")
    assert "`Nothing`" in app.warning[0].value
    assert "16.8%" in text(app)
