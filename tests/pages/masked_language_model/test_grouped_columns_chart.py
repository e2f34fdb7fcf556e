"""Grouped columns: a row for each column, and a question mark where a number waits."""

import pytest

from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

COLOURS = {"left": "#000000", "both": "#ffffff"}


def test_every_label_has_a_column_of_each_series():
    table = column_table(["a", "b"], {"left": [0.5, 1.0], "both": [0.25, None]}, in_percent=True)
    rows = table.to_pylist()
    assert [(row["label"], row["series"], row["value"], row["text"]) for row in rows] == [
        ("a", "left", 0.5, "50"),
        ("b", "left", 1.0, "100"),
        ("a", "both", 0.25, "25"),
        ("b", "both", None, "?"),
    ]


def test_a_number_above_a_column_has_two_digits():
    table = column_table(["a", "b", "c"], {"left": [0.04, 9.9499, 12.34]})
    assert table["text"].to_pylist() == ["0.0", "9.9", "12"]


def test_series_of_another_length_are_refused():
    with pytest.raises(ValueError, match="argument 2"):
        column_table(["a", "b"], {"left": [0.5]})


def test_the_axis_is_fixed_and_named_and_the_series_keep_their_order():
    table = column_table(["a"], {"left": [3.0], "both": [4.0]})
    spec = grouped_columns(table, COLOURS, title="bits", highest=9.0, height=200).spec
    bars = spec["layer"][0]["encoding"]
    assert spec["height"] == 200
    assert bars["y"]["scale"]["domain"] == [0, 9.0]
    assert bars["y"]["axis"]["title"] == "bits"
    assert bars["color"]["scale"]["domain"] == ["left", "both"]
    assert bars["xOffset"]["sort"] == ["left", "both"]
    other = grouped_columns(table, COLOURS, title="nats", highest=2.0, height=300).spec
    assert spec["height"] == 200
    assert other["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, 2.0]


def test_many_columns_have_no_numbers_above_them():
    few = column_table(["a"], {"left": [3.0], "both": [4.0]})
    many = column_table([str(i) for i in range(40)], {"left": [1.0] * 40, "both": [1.0] * 40})
    layers = [
        len(grouped_columns(table, COLOURS, title="x", highest=5.0).spec["layer"])
        for table in (few, many)
    ]
    assert layers == [3, 2]
