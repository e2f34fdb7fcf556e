"""The chart of an estimated probability: whose curve is whose, and what the sample holds."""

import numpy as np
import pytest

from pages.estimation.estimates_chart import estimate_chart, estimate_table

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

LENGTHS = np.array([1.0, 10.0, 100.0])
CURVES = np.array([[0.0, 0.5, np.nan], [0.1, 0.4, 1.0], [0.2, 0.3, 0.9]])
TRUTH = np.array([0.0, 0.6, 1.0])


def drawn(frame, now=8.0):
    return estimate_chart(frame, np.array([5.0, 900.0]), np.array([True, False]), now=now)


def test_every_curve_has_its_rows_the_own_first():
    frame = estimate_table(LENGTHS, CURVES, TRUTH).to_pandas()
    assert len(frame) == 12
    assert frame["curve"].unique().tolist() == ["your sample", "other sample", "truth"]
    assert frame.loc[frame["sample"] == 2, "probability"].tolist() == [0.2, 0.3, 0.9]
    assert frame.loc[frame["curve"] == "truth", "probability"].tolist() == TRUTH.tolist()


def test_what_is_hidden_is_neither_drawn_nor_named():
    alone = drawn(estimate_table(LENGTHS, CURVES[:1])).data
    assert set(alone["curve"]) == {"your sample", "bird", "no bird", "now", "names"}
    assert "truth" not in alone["label"].iloc[-1]
    whole = drawn(estimate_table(LENGTHS, CURVES, TRUTH)).data
    assert all(name in whole["label"].iloc[-1] for name in ("your sample", "truth", "others"[:5]))


def test_birds_stand_above_and_others_below_within_the_axis():
    data = drawn(estimate_table(LENGTHS, CURVES)).data
    bird, other = (data[data["curve"] == name].iloc[0] for name in ("bird", "no bird"))
    assert bird["probability"] > 1.0
    assert other["probability"] < 0.0
    assert (bird["length"], other["length"]) == (5.0, 400.0)


def test_the_axes_stay_while_the_curves_move():
    frame = estimate_table(LENGTHS, CURVES)
    assert drawn(frame, now=3.0).spec == drawn(frame, now=30.0).spec
