"""Models side by side: learning curves, losses with their errors, differences, price and loss."""

import pandas as pd
import pyarrow as pa
import pytest

from pages.shared.charts import comparisons
from pages.shared.charts.lines import LineStyle

CURVES = pd.DataFrame(
    {
        "characters_seen": [1e4, 1e6, 1e4, 1e6],
        "loss": [3.0, 1.200, 3.1, 1.201],
        "series": ["one", "one", "two", "two"],
    }
)


def rows_of(drawn, layer):
    """The rows that a layer draws: those of its kind."""
    kind = layer["transform"][0]["filter"].split("'")[1]
    return drawn.data[drawn.data["kind"] == kind]


def test_a_learning_curve_is_logarithmic_in_text_and_fixed_in_loss():
    drawn = comparisons.learning_curve(CURVES, references={"chance": 4.25})
    line = drawn.spec["layer"][3]["encoding"]
    assert line["x"]["scale"]["type"] == "log"
    assert line["y"]["scale"]["domain"] == [1.0, 4.5]
    chance = drawn.data[drawn.data["name"] == "chance"]
    assert chance[["x", "y"]].values.tolist() == [[1e4, 4.25], [1e6, 4.25]]
    points = drawn.data[drawn.data["name"] == "two"]
    assert points[["x", "y"]].values.tolist() == [[1e4, 3.1], [1e6, 1.201]]


def test_one_measurement_is_a_learning_curve_too():
    drawn = comparisons.learning_curve(CURVES.iloc[:1])
    assert drawn.data["label"].tolist() == ["one"]


def test_loss_comparison_orders_models_and_draws_one_standard_error():
    frame = pd.DataFrame(
        [("worse", "B", 1.3, 0.01, "published"), ("better", "B", 1.1, None, "ours")],
        columns=["model", "protocol", "loss", "standard_error", "origin"],
    )
    drawn = comparisons.loss_comparison(frame)
    layers = drawn.spec["layer"]
    assert layers[0]["encoding"]["y"]["sort"] == ["better", "worse"]
    rows = drawn.data.set_index("model")
    assert rows.loc["worse", "low"] == pytest.approx(1.29)
    assert rows.loc["worse", "high"] == pytest.approx(1.31)
    assert rows.loc["better", "low"] == rows.loc["better", "high"] == 1.1
    assert layers[1]["encoding"]["shape"]["field"] == "origin", "colour alone would tell"


def test_differences_are_sorted_and_carry_their_sign():
    frame = pd.DataFrame(
        {"model": ["worse", "better"], "difference": [0.5, -0.1], "colour": ["#000000"] * 2}
    )
    drawn = comparisons.difference_bars(frame, noise=0.02, title="nats")
    band, bars, _ = drawn.spec["layer"]
    assert bars["encoding"]["y"]["sort"] == ["better", "worse"]
    assert rows_of(drawn, bars)["text"].tolist() == ["+0.500", "−0.100"]
    assert rows_of(drawn, band)[["low", "high"]].values.tolist() == [[-0.02, 0.02]]


def test_a_difference_that_waits_has_no_bar_and_no_rank():
    frame = pd.DataFrame(
        {
            "model": ["worse", "asked", "better"],
            "difference": [0.5, None, -0.1],
            "colour": ["#000000"] * 3,
        }
    )
    drawn = comparisons.difference_bars(frame, noise=0.02, title="nats")
    _, bars, texts = drawn.spec["layer"]
    assert bars["encoding"]["y"]["sort"] == ["asked", "better", "worse"]
    (row,) = rows_of(drawn, texts).query("model == 'asked'").to_dict("records")
    assert (row["text"], row["anchor"]) == ("?", 0.0)
    assert pd.isna(row["difference"])


def test_a_mark_that_would_cover_another_has_no_label():
    marks = pa.table(
        {
            "method": ["a", "a", "b"],
            "size": [4, 8, 16],
            "milliseconds": [2.0, 2.05, 2.0],
            "loss": [1.5, 1.5, 3.0],
        }
    )
    styles = {"a": LineStyle("#0072B2"), "b": LineStyle("#D55E00", 1)}
    drawn = comparisons.trade_off(
        marks, styles, exact=("exact", 6.0, 1.4), times=(1.0, 50.0), losses=(1.0, 4.0)
    )
    *centre, points, labels = drawn.spec["layer"]
    assert rows_of(drawn, labels)["label"].tolist() == ["4", "", "16"]
    for layer in centre:
        assert rows_of(drawn, layer)[["milliseconds", "loss"]].values.tolist() == [[6.0, 1.4]]
    assert len(set(points["encoding"]["shape"]["scale"]["range"])) == 2
