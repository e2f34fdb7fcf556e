"""A prediction as bars: the candidates in their order, the rest folded, what is cut, what is marked."""

import numpy as np
import pytest

from pages.shared.charts import predictions
from pages.shared.charts.palette import GUESS

SYMBOLS = ["a", " ", "\n", "b", "c"]
MODEL = np.array([0.2, 0.4, 0.1, 0.2, 0.1])
TOP_K = np.array([0.5, 0.0, 0.0, 0.5, 0.0])


def test_candidates_come_most_probable_first_ties_by_id_and_the_rest_is_one_bar():
    frame = predictions.prediction_table(SYMBOLS, {"": MODEL}, most=3).to_pandas()
    assert frame["id"].tolist() == [1, 0, 3, predictions.REST]
    assert frame["symbol"].tolist() == ["·", "a", "b", "2 others"]
    assert frame["probability"].tolist() == pytest.approx([0.4, 0.2, 0.2, 0.2])
    everybody = predictions.prediction_table(SYMBOLS, {"": MODEL}, most=5).to_pandas()
    assert predictions.REST not in everybody["id"].tolist()
    assert "↵" in everybody["symbol"].tolist()


def test_what_is_marked_is_shown_however_improbable_in_its_place():
    table = predictions.prediction_table(SYMBOLS, {"": MODEL}, most=2, marked=4)
    frame = table.to_pandas()
    assert frame["id"].tolist() == [1, 4, predictions.REST]
    assert frame["is_marked"].tolist() == [False, True, False]
    assert frame["probability"].sum() == pytest.approx(1)
    drawn = predictions.prediction_bars(table, mark="right").data
    assert drawn["text"].tolist() == ["40 %", "10 % ◀ right", "50 %"]
    assert drawn["colour"].nunique() == 3


def test_stages_have_the_same_rows_and_what_one_cuts_is_struck_out_once():
    later = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    frame = predictions.prediction_table(
        SYMBOLS, {"model": MODEL, "top-k": TOP_K, "top-p": later}, most=4
    ).to_pandas()
    rows = dict(iter(frame.groupby("stage", sort=False)))
    assert {tuple(part["id"]) for part in rows.values()} == {(0, 3, 1, 2, predictions.REST)}
    assert rows["model"]["is_cut"].sum() == 0
    assert rows["top-k"].loc[rows["top-k"]["is_cut"], "symbol"].tolist() == ["·", "↵"]
    assert rows["top-p"].loc[rows["top-p"]["is_cut"], "symbol"].tolist() == ["b"]
    assert rows["top-k"]["before"].tolist() == rows["model"]["probability"].tolist()


def test_of_a_stage_that_waits_nothing_is_drawn_but_a_question_mark_at_what_is_asked_for():
    known = predictions.prediction_table("abc", {"left": np.array([0.5, 0.3, 0.2])})
    table = predictions.with_stage_that_waits(known, "both", {1})
    rows = table.to_pylist()
    assert [row["probability"] for row in rows] == [0.5, 0.3, 0.2, None, None, None]
    assert [row["id"] for row in rows if row["is_asked"]] == [1]
    drawn = predictions.prediction_bars(table).data.to_dict("records")
    waiting = [row for row in drawn if row["stage"] == "both" and row["rank"] >= 0]
    assert [row["text"] for row in waiting] == ["", "?", ""]
    assert all(row["end"] == row["start"] for row in waiting)


@pytest.mark.parametrize(("says_zero", "written"), [(False, ""), (True, "0 %")])
def test_nothing_expected_of_a_candidate_may_be_written(says_zero, written):
    table = predictions.prediction_table("ab", {"": np.array([1.0, 0.0])})
    drawn = predictions.prediction_bars(table, says_zero=says_zero).data.to_dict("records")
    assert [row["text"] for row in drawn] == ["100 %", written]


def test_panels_lie_side_by_side_under_their_names_and_leave_the_specification_as_it_is():
    two, others = (
        predictions.prediction_bars(predictions.prediction_table(SYMBOLS, {"model": a, "top-k": b}))
        for a, b in ((MODEL, TOP_K), (TOP_K, TOP_K))
    )
    assert two.spec == others.spec
    assert [header for header in two.data["header"] if header] == ["model", "top-k"]
    starts = sorted(set(two.data["start"]))
    assert starts[1] - starts[0] > 1, "a bar of 100 % ends before the next panel begins"
    assert not any("data" in layer for layer in two.spec["layer"])
    one = predictions.prediction_bars(predictions.prediction_table(SYMBOLS, {"": MODEL}))
    assert set(one.data["header"]) == {""}


def test_the_scale_is_linear_and_a_change_is_outlined():
    table = predictions.prediction_table(SYMBOLS, {"": TOP_K}, before=MODEL)
    drawn = predictions.prediction_bars(table)
    bar, outline = (layer["encoding"] for layer in drawn.spec["layer"][:2])
    assert bar["x"]["scale"].get("type", "linear") == "linear"
    assert (bar["x2"]["field"], outline["x2"]["field"]) == ("end", "end_before")
    at_a = drawn.data[drawn.data["symbol"] == "a"].iloc[0]
    assert (at_a["end"], at_a["end_before"]) == pytest.approx((0.5, 0.2))


def test_every_row_can_be_clicked_by_its_id_and_the_rest_is_nobody():
    drawn = predictions.prediction_bars(predictions.prediction_table(SYMBOLS, {"": MODEL})).spec
    (parameter,) = drawn["params"]
    assert parameter["name"] == "picked"
    assert parameter["select"]["fields"] == ["id"]
    assert predictions.picked_id({"picked": [{"id": 3}]}) == 3
    assert predictions.picked_id({"picked": [{"id": predictions.REST}]}) is None
    assert predictions.picked_id({"picked": []}) is None
    assert predictions.picked_id({}) is None


def test_symbols_that_look_alike_stay_apart():
    table = predictions.prediction_table([" ", "·"], {"": np.array([0.5, 0.5])})
    frame = table.to_pandas()
    assert frame["symbol"].tolist() == ["·", "·"]
    assert predictions.prediction_bars(table).data["name"].nunique() == 2


def test_there_must_be_one_probability_per_symbol():
    with pytest.raises(ValueError, match="5 symbols, 3 top-k"):
        predictions.prediction_table(SYMBOLS, {"model": MODEL, "top-k": MODEL[:3]})


def test_known_candidates_become_a_table_with_the_rest_of_the_probability():
    table = predictions.candidate_table([(4, " un", 0.5), (9, " une", 0.2)], 100, marked=9)
    assert table["id"].to_pylist() == [4, 9, predictions.REST]
    assert table["symbol"].to_pylist() == ["·un", "·une", "98 others"]
    assert table["probability"].to_pylist() == pytest.approx([0.5, 0.2, 0.3])
    assert table["is_marked"].to_pylist() == [False, True, False]
    assert len(predictions.prediction_bars(table, unit="token").data) == 3


def test_a_guess_is_written_at_its_bar_beside_what_was_taken():
    known = [(4, " un", 0.5), (9, " une", 0.2)]
    for guessed, said in ((4, [True, False]), (9, [False, True]), (None, [False, False])):
        table = predictions.candidate_table(known, 100, marked=4, guessed=guessed)
        texts = predictions.prediction_bars(table, mark="taken").data["text"].tolist()
        assert [GUESS in text for text in texts[:2]] == said
        assert "taken" in texts[0]


def test_a_vocabulary_of_candidates_alone_has_no_rest():
    table = predictions.candidate_table([(0, "a", 0.6), (1, "b", 0.4)], 2)
    assert table["id"].to_pylist() == [0, 1]


def test_a_text_with_a_mark_ends_within_its_panel_and_shares_alone_need_nothing_for_it():
    known = [(4, "the", 0.5), (9, "a", 0.3)]
    layers = [
        predictions.prediction_bars(
            predictions.candidate_table(known, 100, marked=marked), mark="taken"
        ).spec["layer"][3]
        for marked in (4, None)
    ]
    fields = [layer["encoding"]["text"]["field"] for layer in layers]
    assert fields == ["said", "text"]
    computed = [step["as"] for step in layers[0]["transform"] if "as" in step]
    assert computed == ["room", "said", "lines", "longest"]
    assert "datum.longest" in layers[0]["mark"]["fontSize"]["expr"]
    assert "datum" not in layers[1]["mark"]["fontSize"]["expr"]
