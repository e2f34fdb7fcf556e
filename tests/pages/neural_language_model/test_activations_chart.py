"""The responses of units as bars, and names with their bits."""

import json

import pytest

from pages.neural_language_model.activations_chart import response_histogram, response_table
from pages.neural_language_model.names_chart import HIDDEN, REAL, SAMPLED, name_bars, name_table

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def test_the_parts_of_the_range_follow_each_other_from_minus_1_to_1():
    table = response_table([0.5, 0.25, 0.0, 0.25])
    assert table["low"].to_pylist() == pytest.approx([-1.0, -0.5, 0.0, 0.5])
    assert table["high"].to_pylist() == pytest.approx([-0.5, 0.0, 0.5, 1.0])
    drawing = response_histogram(table, colour="#009E73")
    bars = drawing.spec["layer"][0]
    assert bars["mark"]["color"] == "#009E73"
    assert bars["encoding"]["x"]["scale"]["domain"] == [-1, 1]
    assert bars["encoding"]["y2"]["datum"] == 0


def test_two_colours_do_not_share_a_specification():
    table = response_table([1.0])
    colours = {
        response_histogram(table, colour=c).spec["layer"][0]["mark"]["color"]
        for c in ("#000000", "#111111")
    }
    assert colours == {"#000000", "#111111"}


def test_names_keep_their_order_and_their_kinds_have_fixed_colours():
    table = name_table(["zoe", "abe"], [SAMPLED, HIDDEN], [2.0, 3.0], ["✗", ""])
    drawing = name_bars(table, most=5.0)
    encoding = drawing.spec["layer"][0]["encoding"]
    assert encoding["x"]["sort"]["field"] == "place"
    assert drawing.data.sort_values("place")["name"].tolist() == ["zoe", "abe"]
    assert encoding["y"]["scale"]["domain"] == [0, 5.0]
    assert encoding["color"]["scale"]["domain"] == [REAL, SAMPLED, HIDDEN]
    assert "$" not in json.dumps(drawing.spec).replace("$schema", "")
    assert drawing.data["mark"].tolist() == ["✗", ""]
