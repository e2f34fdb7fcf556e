"""A unit over a text, the matrix of all units, and the best ones beside chance: what rows are drawn."""

import numpy as np
import pandas as pd
import pytest

from pages.shared.units.unit_charts import Mark, activation_chart, activation_table, unit_bars
from pages.shared.units.unit_matrix_chart import matrix_picture, unit_matrix
from tests.png_pixels import pixels

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def domains(drawing, channel):
    return [
        layer["encoding"][channel]["scale"]["domain"]
        for layer in drawing.spec["layer"]
        if "scale" in layer["encoding"].get(channel, {})
    ]


def drawn(**settings):
    table = activation_table(range(4), np.array([0.0, -1.0, 0.5, 2.0]), around=list("abcd"))
    given = {"n_characters": 6, "domain": (-1.0, 2.0), "title": "cell state"}
    return activation_chart(table, **(given | settings))


def test_a_unit_s_line_has_its_characters_and_an_axis_for_the_whole_text():
    chart = drawn()
    rows = chart.data[chart.data["kind"] == "value"]
    assert rows["x"].tolist() == [1, 2, 3, 4]
    assert rows["text"].tolist() == list("abcd")
    assert rows["least"].tolist() == rows["activation"].tolist() == rows["largest"].tolist()
    assert all(domain == [1, 6] for domain in domains(chart, "x"))


def test_bins_have_their_least_and_largest():
    table = activation_table([0, 3], np.ones(2), np.zeros(2), np.full(2, 3.0))
    assert table["character"].to_pylist() == [1, 4]
    assert table["least"].to_pylist() == [0, 0]
    assert table["largest"].to_pylist() == [3, 3]


def test_spans_ends_and_marks_have_rows_of_their_own():
    marks = [Mark(5, "still on"), Mark(2, "your guess", True)]
    rows = drawn(spans=[(1, 3), (4, 4)], marks=marks).data.set_index("kind")
    assert (rows.loc["span", "x"], rows.loc["span", "end"]) == (2, 4)
    assert rows.loc["line", "x"] == 5
    assert rows.loc["mark", "name"] == "still on"
    assert rows.loc["guess", "x"] == 3
    assert rows.loc["guess", "from_left"]
    assert not rows.loc["mark", "from_left"]


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_room_for_names_is_on_top_whichever_way_the_axis_runs(is_reversed):
    chart = drawn(is_reversed=is_reversed)
    ((low, high),) = {tuple(domain) for domain in domains(chart, "y")}
    assert (low < -1.0, high > 2.0) == (is_reversed, not is_reversed)
    layers = [
        x["encoding"]["y"] for x in chart.spec["layer"] if "scale" in x["encoding"].get("y", {})
    ]
    assert {y["scale"].get("reverse") for y in layers} == {is_reversed}


def test_the_matrix_is_a_picture_with_the_target_on_top():
    values = np.zeros((40, 3))
    values[0] = [1, -1, 0]
    found = pixels(matrix_picture(values, np.array([1.0, 0.0, 1.0])))
    n_target = len(found) - 40
    assert n_target >= 1
    assert found[:n_target, :, 0].tolist() == [[0, 255, 0]] * n_target
    orange, blue, white = found[n_target]
    assert orange[0] > orange[2]
    assert blue[2] > blue[0]
    assert white[0] == white[1] == white[2] > 230


def test_the_cells_of_many_units_take_half_the_bytes_of_those_of_few():
    values = np.random.default_rng(0).uniform(-1, 1, (640, 300))
    many, few = (len(matrix_picture(rows, np.zeros(300))) for rows in (values, values[:80]))
    assert many / 640 < 0.6 * few / 80


def test_each_unit_of_the_matrix_has_a_row_below_the_target_and_the_chosen_one_its_outline():
    frame = pd.DataFrame({"unit": [7, 3], "name": ["1.8", "1.4"], "correlation": [0.5, -0.5]})
    rows = unit_matrix(frame, "data:", chosen=3, height=100).data
    assert rows["is_chosen"].tolist() == [False, True]
    assert rows["bottom"].tolist() == (rows["top"] + 1).tolist()
    assert rows["top"][0] > 0
    assert rows["picture"].tolist() == ["data:", ""]


def test_bars_have_the_size_of_a_correlation_and_its_sign_in_words():
    frame = pd.DataFrame({"name": ["a", "b"], "held_out": [-0.8, 0.5], "is_chosen": [True, False]})
    rows = unit_bars(frame, 0.1).data
    assert rows["size"].tolist() == [0.8, 0.5]
    assert rows["label"].tolist() == ["−0.80", "+0.50"]
    assert rows["chance"].tolist() == [0.1, 0.1]
