"""Charts say what the numbers say: read from their specification, never from pixels."""

import numpy as np
import pytest

from pages.shared.charts.palette import numbered, visible
from pages.war_and_peace import generation_charts


def encodings(specification):
    return [layer.get("encoding", {}) for layer in specification["layer"]]


def scales(specification, channel):
    found = [e[channel]["scale"] for e in encodings(specification) if "scale" in e.get(channel, {})]
    assert found
    return found


def rows(specification, layer):
    return specification["datasets"][specification["layer"][layer]["data"]["name"]]


def test_space_and_line_break_can_be_seen():
    assert visible(" x\n\t") == "·x↵⇥"


def test_repeated_tokens_stay_apart():
    labels = numbered(["the", "cat", "the"])
    assert labels == ["00 the", "01 cat", "02 the"]
    assert sorted(numbered(["x"] * 120)) == numbered(["x"] * 120)


# Draws --------------------------------------------------------------------------------------


def test_counts_stand_over_two_standard_errors_of_theory():
    frame = generation_charts.counts_frame(["a", "b"], np.array([30, 70]), np.array([0.2, 0.8]))
    assert frame["share"].tolist() == [0.3, 0.7]
    assert frame["expected"].tolist() == pytest.approx([20, 80])
    assert frame["low"].tolist() == pytest.approx([0.12, 0.72])  # sqrt(.2 * .8 / 100) = .04
    assert frame["high"].tolist() == pytest.approx([0.28, 0.88])
    specification = generation_charts.counts_over_theory(frame.head(1), 100).spec
    assert {tuple(s["domain"]) for s in scales(specification, "x")} == {(0, 1)}
    assert "type" not in encodings(specification)[0]["x"]["scale"], "linear"
    assert encodings(specification)[0]["x"]["axis"]["title"] == "share of 100 draws", (
        "of one symbol"
    )


def test_counts_need_a_draw():
    with pytest.raises(ValueError, match="at least one draw"):
        generation_charts.counts_frame(["a"], np.array([0]), np.array([1.0]))
