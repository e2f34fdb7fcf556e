"""Charts say what the numbers say: read from their specification, never from pixels."""

import numpy as np
import pytest

from pages.shared.charts.palette import numbered, visible
from pages.war_and_peace.generation_charts import (
    counts_frame,
    counts_over_theory,
    surprisal_line,
    surprisal_table,
)


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
    frame = counts_frame(["a", "b"], np.array([30, 70]), np.array([0.2, 0.8]))
    assert frame["share"].tolist() == [0.3, 0.7]
    assert frame["expected"].tolist() == pytest.approx([20, 80])
    assert frame["low"].tolist() == pytest.approx([0.12, 0.72])  # sqrt(.2 * .8 / 100) = .04
    assert frame["high"].tolist() == pytest.approx([0.28, 0.88])
    specification = counts_over_theory(frame.head(1), 100).spec
    assert {tuple(s["domain"]) for s in scales(specification, "x")} == {(0, 1)}
    assert "type" not in encodings(specification)[0]["x"]["scale"], "linear"
    assert encodings(specification)[0]["x"]["axis"]["title"] == "share of 100 draws", (
        "of one symbol"
    )


def test_counts_need_a_draw():
    with pytest.raises(ValueError, match="at least one draw"):
        counts_frame(["a"], np.array([0]), np.array([1.0]))


# Along the text -------------------------------------------------------------------------------


def test_surprisal_keeps_every_character_from_position_one():
    frame = surprisal_table("a\nb", [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]).to_pandas()
    assert frame["position"].tolist() == [1, 2, 3]
    assert frame["token"].tolist() == ["a", "↵", "b"]
    with pytest.raises(ValueError, match="3 tokens, 2 surprisals, 3 entropies"):
        surprisal_table("abc", [1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(("length", "end"), [(1, 200), (200, 200), (201, 400)])
def test_surprisal_axes_grow_only_by_whole_windows(length, end):
    table = surprisal_table("x" * length, [1.0] * length, [1.0] * length)
    drawn = surprisal_line(table).spec
    for scale in scales(drawn, "x"):  # with room for the names of the lines
        assert scale["domain"] == [1, pytest.approx(1 + 1.4 * (end - 1))]
    assert {tuple(s["domain"]) for s in scales(drawn, "y")} == {(0, 12.0)}
