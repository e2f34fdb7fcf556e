"""Pairs by their counts, losses by input, and rows of a matrix by their names."""

import numpy as np

from pages.shared.charts import tokens
from pages.shared.charts.matrices import matrix_frame, matrix_panels

PAIRS = [("e", "r", 5, 9, 7), ("s", "t", 10, 11, 7), ("·", "w", 1, 12, 3)]


def test_the_first_pair_is_merged_and_its_equals_are_tied():
    frame = tokens.pair_frame(PAIRS)
    assert frame["which"].tolist() == ["merged next", "as frequent", "rarer"]
    assert frame["rank"].tolist() == [1, 2, 3]
    drawn = tokens.pair_chart(frame, most=9, rows=5)
    assert drawn.data["note"].tolist() == ["7  ← next", "7  tied", "3"]
    assert drawn.data["pair"].tolist() == ["e + r", "s + t", "· + w"]
    assert len(set(drawn.data["colour"])) == 3
    assert (drawn.data["bottom"].iloc[:2].to_numpy() < drawn.data["top"].iloc[1:].to_numpy()).all()


def test_the_axes_of_the_pairs_stay_from_step_to_step():
    first = tokens.pair_chart(tokens.pair_frame(PAIRS), most=9, rows=5)
    second = tokens.pair_chart(tokens.pair_frame(PAIRS[2:]), most=9, rows=5)
    assert first.spec == second.spec
    assert first.spec == tokens.pair_chart(tokens.pair_frame(PAIRS), most=6, rows=5).spec
    ends = [
        tokens.pair_chart(tokens.pair_frame(PAIRS), most=most, rows=5).spec["layer"][0]["encoding"][
            "x"
        ]["axis"]["values"][-1]
        for most in (1, 2, 3, 11, 20, 21, 51)
    ]
    assert ends == [2, 2, 5, 20, 20, 50, 100]
    none_left = tokens.pair_chart(tokens.pair_frame([]), most=9, rows=5)
    assert len(none_left.data) == 0


def test_every_fit_has_a_mark_and_single_ones_their_number():
    frame = tokens.input_loss_frame(3.0, [2.9, 2.95, 2.97], 2.4)
    assert frame.groupby("input")["loss"].size().to_dict() == {
        "nothing": 1,
        "its number": 3,
        "its one-hot vector": 1,
    }
    drawn = tokens.input_loss_chart(frame)
    assert drawn.data["own"].tolist() == [True, True, False, False, True]
    assert drawn.data["label"].tolist() == ["3.00", "", "", "", "2.40"]
    low, high = drawn.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low < 2.4 < 3.0 < high


def test_rows_of_a_matrix_are_named_once_on_the_left():
    frame = matrix_frame({"one-hot": np.eye(2), "matrix": np.ones((2, 3))})
    drawn = matrix_panels(frame, row_names=["a 1", "e 4"])
    named = drawn.data[drawn.data["row_name"] != ""]
    assert named[["matrix", "row", "row_name"]].to_numpy().tolist() == [
        ["one-hot", 1, "a 1"],
        ["one-hot", 2, "e 4"],
    ]
    domain = drawn.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert domain[0] < 0
    plain = matrix_panels(frame)
    assert (plain.data["row_name"] == "").all()
    assert plain.spec["layer"][0]["encoding"]["x"]["scale"]["domain"][0] == 0


def test_masked_pairs_tell_neither_counts_nor_order():
    frame = tokens.masked_pair_frame(PAIRS)
    assert frame["count"].isna().all()
    assert frame["left"].tolist() == sorted(frame["left"])
    drawn = tokens.pair_chart(frame, most=9, rows=5)
    assert set(drawn.data["note"]) == {"?"}
    assert (drawn.data["count"] == 0).all()


def test_costs_that_are_not_told_are_missing():
    frame = tokens.cost_frame({"Greek": 61, "English": 11}, {"English": 11})
    assert frame["new"].isna().tolist() == [True, False]
    assert tokens.cost_chart(frame, names=("a", "b")).data["is_largest"].tolist() == [True, False]
