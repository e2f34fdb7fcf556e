"""The charts on learning to count: what is read, what is written, what is the source's."""

import pandas as pd
import pytest

from pages.shared import charts


def layers(drawing):
    return drawing.spec["layer"]


def test_the_loss_is_drawn_up_to_now_and_the_sources_whole():
    frame = charts.epochs_frame([5.0, 4.9, 3.0, 1.0], {1: 5.03, 3: 0.9})
    drawing = charts.epochs_chart(frame, now=2, epochs=3)
    ours = drawing.data[drawing.data["run"] == "this one"]
    assert ours["epoch"].tolist() == [0, 1, 2]
    assert drawing.data[drawing.data["now"]][["epoch", "run"]].values.tolist() == [[2, "this one"]]
    assert (drawing.data["run"] == "source").sum() == 2
    assert layers(drawing)[0]["encoding"]["x"]["scale"]["domain"] == [0, 3]


def test_the_axes_stay_while_the_epoch_moves():
    frame = charts.epochs_frame([5.0, 4.9, 3.0], {1: 5.03})
    first, last = (charts.epochs_chart(frame, now=now, epochs=2).spec for now in (0, 2))
    assert first is last


def test_a_written_number_counts_on_or_does_not():
    frame = charts.counted_frame((7, 9), (10, 11, 50), (0.9, 0.8, 0.1))
    assert frame["part"].tolist() == [
        "read",
        "read",
        "one more",
        "one more",
        "another",
    ]
    assert frame["position"].tolist() == [1, 2, 3, 4, 5]
    assert frame["probability"].isna().tolist() == [True, True, False, False, False]


def test_long_rows_lose_their_labels_not_their_points():
    short, long = (
        charts.counted_chart(charts.counted_frame(range(n), (1,), (0.5,)), most=127)
        for n in (20, 60)
    )
    assert short.data["label"].iloc[-1] == "1"
    assert set(long.data["label"]) == {""}
    assert len(long.data) == 61


@pytest.mark.parametrize(("expected", "marked"), [(2, [2]), (None, []), (4, [])])
def test_every_number_has_a_bar_and_the_expected_one_a_mark(expected, marked):
    frame = charts.numbers_frame([0.1, 0.2, 0.6, 0.1], expected)
    assert frame["number"].tolist() == [0, 1, 2, 3]
    assert frame.loc[frame["is_top"], "number"].tolist() == [2]
    assert frame.loc[frame["is_expected"], "number"].tolist() == marked
    drawing = charts.numbers_chart(frame)
    assert layers(drawing)[0]["encoding"]["y"]["scale"]["domain"] == [0, 1]


def test_accuracy_marks_the_length_of_training():
    frame = pd.DataFrame({"length": [1, 2, 3], "accuracy": [1.0, 0.9, 0.4], "chance": 0.01})
    drawing = charts.lengths_chart(frame, trained=2)
    assert drawing.data["is_trained"].tolist() == [False, True, False]
    assert drawing.data["is_last"].tolist() == [False, False, True]
    assert layers(drawing)[0]["encoding"]["y"]["scale"]["domain"] == [0, 1]
