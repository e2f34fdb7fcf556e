"""One number a head, vectors, predictions before and after: as rows and as specifications."""

import numpy as np
import pytest

from pages.shared import charts


def test_every_head_has_its_number_and_one_is_chosen():
    frame = charts.heads_frame(np.arange(6.0).reshape(2, 3), (1, 2))
    assert len(frame) == 6
    row = frame[(frame["layer"] == 2) & (frame["head"] == 1)]
    assert row["value"].item() == 3.0
    assert frame.loc[frame["chosen"], ["layer", "head"]].to_numpy().tolist() == [[2, 3]]


def test_numbers_stand_in_the_cells_and_signed_ones_are_coloured_around_zero():
    frame = charts.heads_frame(np.array([[0.0, -0.5], [0.25, 1.0]]), (0, 0))
    plain = charts.heads_chart(frame.assign(value=frame["value"].abs()), title="bits")
    signed = charts.heads_chart(frame, title="nats", written="+.3f")
    assert signed.data["label"].tolist() == ["+0.000", "-0.500", "+0.250", "+1.000"]
    assert signed.data["share"].tolist() == [0.0, -0.5, 0.25, 1.0]
    domains = [
        drawn.spec["layer"][0]["encoding"]["color"]["scale"]["domain"] for drawn in (plain, signed)
    ]
    assert domains[0] == [0, 1]
    assert domains[1][0] == -1


def test_heads_that_all_have_zero_are_drawn():
    drawn = charts.heads_chart(charts.heads_frame(np.zeros((2, 2)), (0, 0)), title="nats")
    assert drawn.data["share"].tolist() == [0.0] * 4


def test_each_vector_has_colours_of_its_own_range():
    frame = charts.vectors_frame({"q": np.array([1.0, -4.0]), "k": np.array([0.5, 0.0])})
    drawn = charts.vectors_chart(frame)
    assert drawn.data["share"].tolist() == [0.25, -1.0, 1.0, 0.0]
    assert drawn.data["coordinate"].tolist() == [1, 2, 1, 2]
    zero = charts.vectors_chart(charts.vectors_frame({"v": np.zeros(3)}))
    assert zero.data["share"].tolist() == [0.0] * 3


BEFORE, AFTER = np.array([0.1, 0.6, 0.25, 0.05]), np.array([0.7, 0.1, 0.1, 0.1])


def test_pairs_are_ordered_by_the_larger_of_the_two():
    frame = charts.paired_frame("abcd", BEFORE, AFTER, most=3)
    assert frame["symbol"].tolist() == ["a", "a", "b", "b", "c", "c"]
    assert frame["when"].tolist() == ["before", "after"] * 3
    assert frame["probability"].tolist() == [0.1, 0.7, 0.6, 0.1, 0.25, 0.1]
    assert not frame["is_truth"].any()


def test_what_really_follows_is_kept_however_improbable():
    frame = charts.paired_frame("abcd", BEFORE, AFTER, most=2, truth=3)
    assert frame["symbol"].tolist() == ["a", "a", "d", "d"]
    assert frame["is_truth"].tolist() == [False, False, True, True]


def test_bars_share_a_fixed_axis_and_differ_in_more_than_colour():
    drawn = charts.paired_chart(charts.paired_frame("abcd", BEFORE, AFTER))
    bars = drawn.spec["layer"][0]["encoding"]
    assert bars["y"]["scale"]["domain"] == [0, 1]
    assert bars["xOffset"]["field"] == "when"
    assert "fillOpacity" in bars


@pytest.mark.parametrize("symbol", [" ", "\n"])
def test_blank_symbols_are_seen(symbol):
    frame = charts.paired_frame([symbol, "b"], np.array([0.9, 0.1]), np.array([0.8, 0.2]))
    assert frame["symbol"].iloc[0] in "·↵"
