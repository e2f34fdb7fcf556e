"""Models side by side: learning curves, losses with their errors, differences, price and loss."""

import pandas as pd
import pytest

from pages.shared import charts

CURVES = pd.DataFrame(
    {
        "characters_seen": [1e4, 1e6, 1e4, 1e6],
        "loss": [3.0, 1.200, 3.1, 1.201],
        "series": ["one", "one", "two", "two"],
    }
)


def test_a_learning_curve_is_logarithmic_in_text_and_fixed_in_loss():
    drawn = charts.learning_curve(CURVES, references={"chance": 4.25})
    line = drawn.spec["layer"][3]["encoding"]
    assert line["x"]["scale"]["type"] == "log"
    assert line["y"]["scale"]["domain"] == [1.0, 4.5]
    chance = drawn.data[drawn.data["name"] == "chance"]
    assert chance[["x", "y"]].values.tolist() == [[1e4, 4.25], [1e6, 4.25]]
    points = drawn.data[drawn.data["name"] == "two"]
    assert points[["x", "y"]].values.tolist() == [[1e4, 3.1], [1e6, 1.201]]


def test_one_measurement_is_a_learning_curve_too():
    drawn = charts.learning_curve(CURVES.iloc[:1])
    assert drawn.data["label"].tolist() == ["one"]


def test_loss_comparison_orders_models_and_draws_one_standard_error():
    frame = pd.DataFrame(
        [("worse", "B", 1.3, 0.01, "published"), ("better", "B", 1.1, None, "ours")],
        columns=["model", "protocol", "loss", "standard_error", "origin"],
    )
    drawn = charts.loss_comparison(frame).to_dict()
    assert drawn["layer"][0]["encoding"]["y"]["sort"] == ["better", "worse"]
    by_model = {row["model"]: row for row in next(iter(drawn["datasets"].values()))}
    assert by_model["worse"]["low"] == pytest.approx(1.29)
    assert by_model["worse"]["high"] == pytest.approx(1.31)
    assert by_model["better"]["low"] == by_model["better"]["high"] == 1.1
    assert drawn["layer"][1]["encoding"]["shape"]["field"] == "origin", "colour alone would tell"


def test_differences_are_sorted_and_carry_their_sign():
    frame = pd.DataFrame(
        {"model": ["worse", "better"], "difference": [0.5, -0.1], "colour": ["#000000"] * 2}
    )
    spec = charts.difference_bars(frame, noise=0.02, title="nats").to_dict()
    bars = spec["layer"][1]
    assert bars["encoding"]["y"]["sort"] == ["better", "worse"]
    rows = spec["datasets"][spec["layer"][2]["data"]["name"]]
    assert [row["text"] for row in rows] == ["+0.500", "-0.100"]
    band = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert band == [{"low": -0.02, "high": 0.02}]


def test_a_mark_that_would_cover_another_has_no_label():
    frame = pd.DataFrame(
        {
            "method": ["a", "a", "b"],
            "size": [4, 8, 16],
            "milliseconds": [2.0, 2.05, 2.0],
            "loss": [1.5, 1.5, 3.0],
        }
    )
    styles = {"a": charts.LineStyle("#0072B2"), "b": charts.LineStyle("#D55E00", 1)}
    spec = charts.trade_off(
        frame, styles, exact=("exact", 6.0, 1.4), times=(1.0, 50.0), losses=(1.0, 4.0)
    ).to_dict()
    rows = spec["datasets"][spec["layer"][-1]["data"]["name"]]
    assert [row["label"] for row in rows] == ["4", "", "16"]
    shapes = spec["layer"][4]["encoding"]["shape"]["scale"]["range"]
    assert len(set(shapes)) == 2
