"""A training's curve: every row of a short one, means of a long one."""

import numpy as np
import pytest

from pages.shared.charts.comparisons import training_curve, training_frame


def rows(n):
    return [
        {"step": i + 1, "loss": float(i), "validation_loss": float(i) if i % 10 == 0 else None}
        for i in range(n)
    ]


def test_a_short_training_keeps_every_row():
    frame = training_frame(rows(30))
    assert frame["step"].tolist() == list(range(1, 31))
    assert frame["validation_loss"].count() == 3


def test_a_long_training_is_drawn_in_means_that_end_at_its_last_step():
    frame = training_frame(rows(1_000), most_rows=100)
    assert len(frame) == 100
    assert frame["step"].tolist()[:2] == [10, 20]
    assert frame["step"].iloc[-1] == 1_000
    assert frame["loss"].iloc[0] == pytest.approx(np.mean(range(10)))
    assert frame["validation_loss"].notna().all()


def test_nothing_yet_is_an_empty_frame():
    assert len(training_frame([])) == 0


def test_both_losses_are_drawn_on_an_axis_as_long_as_the_training():
    frame = training_frame(rows(30))
    drawn = training_curve(frame, steps=500)
    scale = drawn.spec["layer"][0]["encoding"]["x"]["scale"]
    assert scale["domain"][0] == 0
    assert scale["domain"][1] > 500
    lines = drawn.data[drawn.data["kind"] == "line"].groupby("name")["x"].max()
    assert lines.to_dict() == {"training": 30, "validation": 21}
    marks = drawn.data[drawn.data["kind"] == "ring"]
    assert marks["y"].tolist() == [0.0, 10.0, 20.0]
    before = training_curve(frame.assign(validation_loss=None), steps=500)
    assert before.spec == drawn.spec


def test_the_loss_is_named_by_what_it_is_a_mean_over_and_drawn_up_to_its_top():
    frame = training_frame(rows(30))
    drawn = training_curve(frame, steps=500, unit="subword", most_nats=9.0)
    y = drawn.spec["layer"][0]["encoding"]["y"]
    assert "subword" in y["axis"]["title"]
    assert y["scale"]["domain"] == [0.0, 9.0]
