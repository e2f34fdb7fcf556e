"""Accuracy by length: the bands are the seeds', names keep apart, everything shares one axis."""

import pytest

from pages.shared import charts


def row(model, length, accuracy, kind="measured", spread=0.0):
    return charts.AccuracyRow(
        kind, model, length, accuracy, accuracy - spread, accuracy + spread, 20
    )


ROWS = [
    row("RNN", 4, 1.0),
    row("RNN", 18, 0.42, spread=0.1),
    row("LSTM", 4, 1.0),
    row("LSTM", 18, 1.0),
    row("GRU", 18, 0.999),
    row("source's RNN", 18, 0.577, kind="source"),
    row("chance 1 / L", 4, 0.25, kind="chance"),
    row("chance 1 / L", 18, 1 / 18, kind="chance"),
]


def test_each_line_carries_its_name_once_where_there_is_room():
    frame = charts.accuracy_frame(ROWS)
    named = frame[frame["label"] != ""]
    assert sorted(named["label"]) == ["GRU", "LSTM", "RNN", "chance 1 / L"]
    where = dict(zip(named["label"], named["length"], strict=True))
    assert where.pop("chance 1 / L") == 4
    assert set(where.values()) == {18}


def test_names_of_lines_that_end_together_keep_apart_and_in_order():
    frame = charts.accuracy_frame(ROWS).set_index("label")
    assert frame.loc["LSTM", "label_at"] - frame.loc["GRU", "label_at"] >= 0.06
    assert frame.loc["LSTM", "label_at"] == 1.0
    assert frame.loc["RNN", "label_at"] == pytest.approx(0.42)


def test_a_name_elsewhere_on_the_axis_stays_at_its_line():
    frame = charts.accuracy_frame([*ROWS, row("open LSTM", 50, 0.99)]).set_index("label")
    assert frame.loc["open LSTM", "label_at"] == 0.99
    assert frame.loc["LSTM", "label_at"] == 1.0


def test_band_line_and_marks_share_one_fixed_axis():
    drawn = charts.accuracy_by_length(charts.accuracy_frame(ROWS), lengths=(4, 18))
    encodings = [layer.get("encoding", {}) for layer in drawn.spec["layer"]]
    scales = [e["y"]["scale"]["domain"] for e in encodings]
    assert len(scales) == 8
    assert all(domain == [0.0, 1.02] for domain in scales)
    ends = {tuple(e["x"]["scale"]["domain"]) for e in encodings}
    assert len(ends) == 1
    assert min(ends)[0] == 4
    band = encodings[1]
    assert (band["y"]["field"], band["y2"]["field"]) == ("low", "high")


def test_models_differ_by_shape_or_dashes_where_colours_are_alike():
    drawn = charts.accuracy_by_length(charts.accuracy_frame(ROWS), lengths=(4, 18))
    points = next(x["encoding"] for x in drawn.spec["layer"] if "shape" in x.get("encoding", {}))
    colours, shapes = (points[channel]["scale"]["range"] for channel in ("color", "shape"))
    assert len(set(zip(colours, shapes, strict=True))) == 7
    assert len({shape for c, shape in zip(colours, shapes, strict=True) if c == colours[0]}) == 2


def test_nothing_measured_yet_is_an_empty_picture():
    assert len(charts.accuracy_frame([])) == 0
