"""A class's guesses: bars beside choices, a histogram of numbers, points in a plane."""

import pytest

from pages.shared.charts.class_answers import class_bars, class_histogram, class_points

BINS = [(0.0, 5.0, 1), (5.0, 10.0, 3)]


def test_every_answer_has_a_bar_in_its_order_and_both_marks():
    rows = class_bars({"b": 2, "a": 0, "c": 1}, ["c"], {"a"}).data
    assert rows["answer"].tolist() == ["b", "a", "c"]
    assert rows["text"].tolist() == ["2", "0 ✓", "1 ◀ yours"]
    assert rows["colour"].nunique() == 2


def test_of_many_answers_those_that_are_marked_are_kept():
    counts = {f"word {i}": 1 for i in range(40)}
    rows = class_bars(counts, ["word 39"], {"word 38"}).data
    assert rows["answer"].tolist()[-2:] == ["word 38", "word 39"]
    assert len(rows) == 12


def test_a_long_answer_takes_lines_above_its_bar_and_none_is_cut():
    long = "The training loss is computed wrongly from the first step on"
    drawn = class_bars({long: 1, "No": 0}, (), ())
    names = drawn.data["name"].tolist()
    assert names[0].replace("\n", " ") == long
    assert max(len(line) for name in names for line in name.split("\n")) <= 26
    above, bar, _ = drawn.spec["layer"]
    assert above["mark"]["lineBreak"] == "\n"
    of_lines = (names[0].count("\n") + 1) * above["mark"]["fontSize"]
    assert drawn.spec["height"] / len(names) >= of_lines + bar["mark"]["height"]


def test_an_answer_that_begins_or_ends_with_a_space_shows_it():
    assert class_bars({" the": 1}, (), ()).data["answer"].tolist() == ["·the"]


def test_a_histogram_stands_on_its_axis_with_three_lines():
    drawn = class_histogram(BINS, (6.0,), 4.0, 7.5)
    rows = drawn.data
    bars = rows[rows["count"].notna()]
    assert bars[["low", "high", "count", "zero"]].to_numpy().tolist() == [
        [0.0, 5.0, 1.0, 0.0],
        [5.0, 10.0, 3.0, 0.0],
    ]
    assert rows["mark"].dropna().tolist() == ["median 6", "yours 4", "right 7.5"]
    assert drawn.spec["layer"][0]["encoding"]["y2"]["field"] == "zero"


def test_a_histogram_of_no_answers_has_no_median():
    rows = class_histogram([(0.0, 1.0, 0)], (), None, None).data
    assert len(rows) == 1


def test_points_have_axes_of_the_question_and_three_names():
    drawn = class_points(
        [(1.0, 2.0), (3.0, 4.0)], (2.0, 3.0), None, (9.0, 9.0), ("x", "y"), (0, 10)
    )
    rows = drawn.data
    assert rows["mark"].tolist() == ["", "", "median", "right"]
    scale = drawn.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert scale == pytest.approx([-0.3, 10.3])
