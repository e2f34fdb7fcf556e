"""A training's curve: every row of a short one, means of a long one."""

import numpy as np
import pytest

from pages.shared import charts


def rows(n):
    return [
        {"step": i + 1, "loss": float(i), "validation_loss": float(i) if i % 10 == 0 else None}
        for i in range(n)
    ]


def test_a_short_training_keeps_every_row():
    frame = charts.training_frame(rows(30))
    assert frame["step"].tolist() == list(range(1, 31))
    assert frame["validation_loss"].count() == 3


def test_a_long_training_is_drawn_in_means_that_end_at_its_last_step():
    frame = charts.training_frame(rows(1_000), most_rows=100)
    assert len(frame) == 100
    assert frame["step"].tolist()[:2] == [10, 20]
    assert frame["step"].iloc[-1] == 1_000
    assert frame["loss"].iloc[0] == pytest.approx(np.mean(range(10)))
    assert frame["validation_loss"].notna().all()


def test_nothing_yet_is_an_empty_frame():
    assert len(charts.training_frame([])) == 0


def test_the_axis_is_as_long_as_the_training_and_both_losses_share_theirs():
    drawn = charts.training_curve(charts.training_frame(rows(30)), steps=500)
    encodings = [layer.get("encoding", {}) for layer in drawn.spec["layer"]]
    assert encodings[0]["x"]["scale"]["domain"] == [0, 500]
    assert [e["y"].get("field") for e in encodings[:2]] == ["loss", "validation_loss"]
    assert encodings[0]["y"]["scale"] == encodings[1]["y"]["scale"]
    assert drawn.data["step"].iloc[-1] == 30
