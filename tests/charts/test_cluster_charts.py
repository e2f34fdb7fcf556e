"""Objectives by step, criteria by K, histograms of restarts, curves over a histogram."""

import math

import numpy as np
import pytest

from pages.mixture_pitfalls.mixture_curves_chart import histogram_frame, mixture_curves
from pages.shared.charts import clustering
from pages.shared.charts.lines import Axis, LineStyle


def of_kind(drawn, kind):
    return drawn.data[drawn.data["kind"] == kind]


def test_a_line_that_never_moves_has_an_axis():
    low, high = Axis.around("inertia", [0.0, 0.0]).domain
    assert low < 0.0 < high


def test_every_restart_is_a_mark_and_equal_outcomes_are_stacked():
    frame = clustering.restart_frame([1, 2, 3, 4], [10.0, 50.0, 10.0, math.inf])
    assert frame["times"].tolist() == [2, 1, 2]
    drawn = clustering.restart_histogram(frame, title="inertia", chosen=3)
    assert drawn.data["stack"].tolist() == [1, 1, 2]
    assert drawn.data["chosen"].tolist() == [False, False, True]
    places = drawn.data["place"].tolist()
    assert places[0] == places[2] < places[1]
    assert abs(places[1] - 50.0) <= 1.0  # within its bin


def test_outcomes_all_alike_are_one_column():
    frame = clustering.restart_frame([1, 2, 3], [-248.70363, -248.70363, -248.70363])
    assert frame["times"].tolist() == [3, 3, 3]
    assert clustering.restart_histogram(frame, title="x", chosen=1).data["place"].nunique() == 1
    assert clustering.restart_frame([1], [math.inf]).empty


def test_a_click_names_its_restart():
    assert clustering.picked_restart({"restart": [{"restart": 17}]}) == 17
    assert clustering.picked_restart({"restart": []}) is None
    assert clustering.picked_restart({}) is None


def test_the_pick_of_a_criterion_and_the_k_on_screen_are_marked():
    frame = clustering.criterion_frame([math.nan, 5.0, 3.0, 4.0], 3, [9.0, 6.0, 5.0, 4.5])
    drawn = clustering.criterion_lines(frame, title="BIC", now=2, reference="without groups")
    assert of_kind(drawn, "line")["x"].tolist() == [2, 3, 4]
    assert of_kind(drawn, "ring")[["x", "y"]].values.tolist() == [[3.0, 3.0]]
    assert of_kind(drawn, "now")["x"].tolist() == [2]
    assert of_kind(drawn, "reference")["y"].tolist() == [6.0, 5.0, 4.5]
    alone = clustering.criterion_lines(
        clustering.criterion_frame([5.0, 3.0], None), title="AIC", now=1
    )
    assert set(alone.data["kind"]) == {"line", "now"}


def test_a_histogram_covers_an_area_of_one_and_curves_lie_over_it():
    values = np.array([-1.0, -0.9, 0.1, 0.9])
    frame = histogram_frame(values, 4, (-1.0, 1.0))
    assert frame["count"].tolist() == [2, 0, 1, 1]
    assert ((frame["right"] - frame["left"]) * frame["density"]).sum() == pytest.approx(1.0)
    x = np.linspace(-1, 1, 5)
    drawn = mixture_curves(
        frame, x, {"true": np.ones((2, 5))}, {"true": LineStyle("#0072B2")}, highest=1.0
    )
    curves = drawn.data[drawn.data["kind"] == "curve"]
    assert curves.groupby("component").size().tolist() == [5, 5]
    assert len(drawn.data[drawn.data["kind"] == "bar"]) == 4
