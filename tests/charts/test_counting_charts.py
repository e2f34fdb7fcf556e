"""The charts on learning to count: the prompt, what is generated, the next number's distribution."""

import pytest

from pages.shared import charts


def layers(drawing):
    return drawing.spec["layer"]


def test_a_generated_number_is_one_more_or_not():
    frame = charts.generated_frame((7, 9), (10, 11, 50), (0.9, 0.8, 0.1))
    assert frame["part"].tolist() == [
        "prompt",
        "prompt",
        "one more",
        "one more",
        "another",
    ]
    assert frame["position"].tolist() == [1, 2, 3, 4, 5]
    assert frame["probability"].isna().tolist() == [True, True, False, False, False]


def test_long_rows_lose_their_labels_not_their_points():
    short, long = (
        charts.generated_chart(charts.generated_frame(range(n), (1,), (0.5,)), most=127)
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
