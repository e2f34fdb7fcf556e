"""Columns that travel in half the bytes: no digit that a reader sees becomes another."""

import numpy as np
import pyarrow as pa
import pytest

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.precision import without_idle_digits

THIRDS = np.arange(1, 40) / 3


def kind(values, *encodings, **mark):
    """Return as what a column travels that a chart of one layer reads in these ways."""
    table = pa.table({"v": np.asarray(values, float)})
    spec = vl.layered(vl.mark("point", *encodings, **mark), height=100)
    return str(without_idle_digits(spec, table)["v"].type)


@pytest.mark.parametrize(
    "read",
    [
        {"x": "v:Q"},
        {"x2": "v"},
        {"color": "v:Q"},
        {"tooltip": [vl.field("v:Q", format=".3f")]},
        {"text": vl.field("v:Q", format=".2e"), "y": "v:Q"},
    ],
)
def test_what_is_drawn_or_written_with_few_digits_takes_half_the_bytes(read):
    assert kind(THIRDS, read) == "float"


@pytest.mark.parametrize(
    "read",
    [
        {"x": "v:O"},
        {"color": "v:N"},
        {"detail": "v"},
        {"tooltip": ["v:Q"]},
        {"tooltip": [vl.field("v:Q", format=",")], "x": "v:Q"},
        {"text": vl.field("v:Q", format=".6f")},
        {"x": vl.field("v:Q", sort={"field": "v"})},
    ],
)
def test_what_is_written_whole_or_told_apart_keeps_all_digits(read):
    assert kind(THIRDS, read) == "double"


@pytest.mark.parametrize("far", [1e300, -1e39, 1e-39, -1e-300])
def test_what_half_the_bytes_cannot_hold_keeps_all(far):
    assert kind([*THIRDS, far], {"x": "v:Q"}) == "double"
    assert kind([*THIRDS, 0.0, np.nan, np.inf, 1e38, -1e-37], {"x": "v:Q"}) == "float"


def test_what_is_computed_with_or_told_to_the_page_keeps_all_digits():
    assert kind(THIRDS, {"x": "v:Q"}, when="datum.v > 1") == "double"
    clicked = vl.clickable(vl.mark("point", {"x": "v:Q"}), "one", "v")
    table = pa.table({"v": THIRDS})
    sent = without_idle_digits(vl.layered(clicked, height=100), table)
    assert str(sent["v"].type) == "double"


@pytest.mark.parametrize(
    ("form", "told"), [(".2f", 0.375), (".0%", 0.125), (".1f", 1e5 / 3), (".3f", 0.0625)]
)
def test_a_number_that_is_written_as_before_takes_half_the_bytes(form, told):
    assert kind([*THIRDS, told, 0.0], {"text": vl.field("v:Q", format=form)}) == "float"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (".2f", 0.545),
        (".0%", 0.145),
        (".3f", 12345.6785),
        (".2~g", 1.45),
        (",.3~r", 591_500.0),
        (".1e", 2.85e-7),
    ],
)
def test_a_number_between_two_that_are_written_keeps_all_digits(form, told):
    tried = [told * (1 + sign * 1e-9) for sign in (-1, 1)]
    kinds = {kind([*THIRDS, value], {"text": vl.field("v:Q", format=form)}) for value in tried}
    assert "double" in kinds, "in half the bytes both are one number, which is written once"
    assert kind([*THIRDS, *tried], {"y": "v:Q"}) == "float"


def test_a_line_keeps_its_places_and_halves_its_values_of_which_some_may_be_missing():
    points = [(x / 7, np.nan if x == 3 else x / 3 - 1) for x in range(50)]
    chart = line_chart(
        {"a": points}, {"a": LineStyle("#123456")}, Axis("x", (0, 8)), Axis("y", (-1, 20))
    )
    sent = without_idle_digits(chart.spec, chart.table)
    assert {name: str(sent[name].type) for name in "xy"} == {"x": "double", "y": "float"}
    assert sent["y"].null_count == chart.table["y"].null_count == 1
    np.testing.assert_allclose(sent["y"].to_numpy(), chart.table["y"].to_numpy(), rtol=1e-7)
    assert sent.column_names == chart.table.column_names
