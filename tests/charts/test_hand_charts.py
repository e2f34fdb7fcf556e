"""Weights beside printed ones, matrices with their numbers."""

import numpy as np
import pytest

from pages.shared.charts.attention import weights_chart, weights_frame
from pages.shared.charts.matrices import matrix_frame, matrix_panels


def test_a_printed_weight_stands_beside_the_computed_one():
    frame = weights_frame(["00 a", "01 b"], [4.0, 6.0], [0.25, 0.75], [0.3, 0.7])
    assert frame["gap"].tolist() == pytest.approx([-0.05, 0.05])
    drawn = weights_chart(frame)
    assert drawn.data["note"].tolist() == ["0.250 (−0.05)", "0.750 (+0.05)"]
    assert any(layer["mark"]["type"] == "tick" for layer in drawn.spec["layer"])
    plain = weights_chart(weights_frame(["a", "b"], [4.0, 6.0], [0.25, 0.75]))
    assert not any(layer["mark"]["type"] == "tick" for layer in plain.spec["layer"])


def test_bars_are_set_up_once_for_the_same_words():
    frames = [weights_frame(["a", "b"], [0.0, s], [0.5, 0.5], [0.5, 0.5]) for s in (1.0, 2.0)]
    first, second = (weights_chart(frame) for frame in frames)
    assert first.spec == second.spec


MATRICES = {
    "scores": np.array([[1.0, -4.0], [2.0, 0.5]]),
    "masked": np.array([[1.0, -np.inf], [2.0, 0.5]]),
    "output": np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]),
}


def matrices(**settings):
    return matrix_panels(matrix_frame(MATRICES), per_line=2, **settings)


def cell(drawn, matrix, row, column):
    data = drawn.data
    found = data[(data["matrix"] == matrix) & (data["row"] == row) & (data["column"] == column)]
    return found.iloc[0]


def test_every_number_stands_in_its_cell_and_no_two_cells_meet():
    drawn = matrices()
    assert cell(drawn, "scores", 1, 2)["text"] == "−4.00"
    assert cell(drawn, "masked", 1, 2)["text"] == "−∞"
    assert cell(drawn, "output", 2, 3)["value"] == 0.6
    assert not drawn.data.duplicated(["left", "top"]).any()
    assert cell(drawn, "output", 1, 1)["top"] > cell(drawn, "scores", 2, 1)["bottom"]
    assert cell(drawn, "masked", 1, 1)["left"] > cell(drawn, "scores", 1, 2)["right"]


def test_shades_are_each_matrix_own_and_a_masked_number_has_none():
    drawn = matrices()
    assert cell(drawn, "scores", 1, 2)["shade"] == -1.0
    assert cell(drawn, "masked", 2, 1)["shade"] == 1.0
    assert cell(drawn, "masked", 1, 2)["shade"] == 0.0
    assert drawn.data["masked"].sum() == 1


def test_the_chosen_cell_is_outlined_and_of_the_output_the_row():
    drawn = matrices(chosen=(2, 1), whole_rows={"output": 2})
    outlined = drawn.data[drawn.data["chosen"]]
    places = list(zip(outlined["matrix"], outlined["row"], outlined["column"], strict=True))
    assert places == [("scores", 2, 1), ("masked", 2, 1), *(("output", 2, c) for c in (1, 2, 3))]
    assert not matrices().data["chosen"].any()
