"""Charts say what the numbers say: read from their specification, never from pixels."""

import numpy as np
import pytest

from pages.shared import charts

SYMBOLS = ["a", " ", "\n", "b"]
BEFORE = np.array([0.2, 0.5, 0.1, 0.2])
AFTER = np.array([0.0, 1.0, 0.0, 0.0])


def encodings(specification):
    return [layer.get("encoding", {}) for layer in specification["layer"]]


def scales(specification, channel):
    found = [e[channel]["scale"] for e in encodings(specification) if "scale" in e.get(channel, {})]
    assert found
    return found


def rows(specification, layer):
    return specification["datasets"][specification["layer"][layer]["data"]["name"]]


def test_space_and_line_break_can_be_seen():
    assert charts.visible(" x\n\t") == "·x↵⇥"


def test_repeated_tokens_stay_apart():
    labels = charts.numbered(["the", "cat", "the"])
    assert labels == ["00 the", "01 cat", "02 the"]
    assert sorted(charts.numbered(["x"] * 120)) == charts.numbered(["x"] * 120)


# The next character ---------------------------------------------------------------------------


def test_distribution_holds_every_symbol_most_probable_first_ties_by_id():
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER)
    assert frame["id"].tolist() == [1, 0, 3, 2]
    assert frame["symbol"].tolist() == ["·", "a", "b", "↵"]
    assert frame["before"].sum() == pytest.approx(1)
    assert frame["kept"].tolist() == [True, False, False, False]


def test_distribution_by_alphabet_keeps_the_ids_in_order():
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER, order="vocabulary")
    assert frame["id"].tolist() == [0, 1, 2, 3]


def test_distribution_needs_one_probability_per_symbol():
    with pytest.raises(ValueError, match="4 symbols, 3 before, 4 after"):
        charts.distribution_frame(SYMBOLS, BEFORE[:3], AFTER)


@pytest.mark.parametrize("scale", ["linear", "sqrt"])
def test_distribution_axis_is_fixed_and_named(scale):
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER)
    drawn = charts.distribution_chart(frame, scale=scale).spec
    assert {tuple(s["domain"]) for s in scales(drawn, "y")} == {(0, 1)}
    assert {s["type"] for s in scales(drawn, "y")} == {scale}
    assert encodings(drawn)[0]["x"]["title"] == "next character"
    assert encodings(drawn)[0]["y"]["axis"]["title"] == "probability"


def test_the_axis_takes_the_symbols_in_the_order_of_the_rows():
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER)
    drawn = charts.distribution_chart(frame)
    assert drawn.data.sort_values("rank")["symbol"].tolist() == frame["symbol"].tolist()
    assert {e["x"]["sort"]["field"] for e in encodings(drawn.spec)} == {"rank"}


def test_bars_show_before_and_after():
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER)
    drawn = charts.distribution_chart(frame).spec
    assert [e["y"].get("field") for e in encodings(drawn)[:2]] == ["before", "after"]


def test_other_numbers_leave_the_specification_as_it_is():
    one = charts.distribution_chart(charts.distribution_frame(SYMBOLS, BEFORE, AFTER), cutoff="1")
    two = charts.distribution_chart(charts.distribution_frame(SYMBOLS, AFTER, BEFORE), selected=2)
    assert one.spec is two.spec
    assert one.spec["data"] == {"name": charts.TABLE}
    assert not any("data" in layer for layer in one.spec["layer"])
    short, longer = (charts.surprisal_frame("x" * n, [1.0] * n, [1.0] * n) for n in (3, 9))
    assert charts.surprisal_line(short).spec is charts.surprisal_line(longer).spec


def test_every_bar_can_be_clicked_by_its_id():
    drawn = charts.distribution_chart(charts.distribution_frame(SYMBOLS, BEFORE, AFTER)).spec
    (parameter,) = drawn["params"]
    assert parameter["name"] == "picked"
    assert parameter["select"]["fields"] == ["id"]
    assert charts.picked_id({"picked": [{"id": 3}]}) == 3
    assert charts.picked_id({"picked": []}) is None
    assert charts.picked_id({}) is None


def cutoff(frame):
    """Return the symbol at the cut-off and what is written there, to its right and to its left."""
    drawn = charts.distribution_chart(frame, cutoff="top-k keeps 2")
    at_edge = drawn.data[drawn.data["cut"]]
    return at_edge[["symbol", "note_right", "note_left"]].values.tolist()


def test_the_cutoff_stands_behind_the_last_symbol_kept():
    after = np.array([0.3, 0.7, 0.0, 0.0])
    frame = charts.distribution_frame(SYMBOLS, BEFORE, after)
    assert cutoff(frame) == [["a", "top-k keeps 2", ""]]
    (rule,) = [
        e
        for e in encodings(charts.distribution_chart(frame).spec)
        if e["x"].get("bandPosition") == 1 and "text" not in e
    ]
    assert rule["opacity"]["condition"]["test"] == "datum.cut"


def test_the_cutoff_is_named_where_there_is_room():
    after = np.array([0.3, 0.4, 0.0, 0.3])
    assert cutoff(charts.distribution_frame(SYMBOLS, BEFORE, after)) == [["b", "", "top-k keeps 2"]]


@pytest.mark.parametrize(
    "after",
    [BEFORE, np.array([0.0, 0.0, 1.0, 0.0])],
    ids=["nothing cut", "not the most probable"],
)
def test_no_cutoff_where_a_line_would_lie(after):
    assert cutoff(charts.distribution_frame(SYMBOLS, BEFORE, after)) == []


def test_the_chosen_symbol_is_marked_at_the_top_of_its_bars():
    frame = charts.distribution_frame(SYMBOLS, BEFORE, AFTER)
    drawn = charts.distribution_chart(frame, selected=1)
    assert drawn.data[drawn.data["selected"]][["id", "top"]].values.tolist() == [[1, 1.0]]
    (mark,) = [e for e in encodings(drawn.spec) if e.get("y", {}).get("field") == "top"]
    assert mark["opacity"]["condition"]["test"] == "datum.selected"


def test_counts_stand_over_two_standard_errors_of_theory():
    frame = charts.counts_frame(["a", "b"], np.array([30, 70]), np.array([0.2, 0.8]))
    assert frame["share"].tolist() == [0.3, 0.7]
    assert frame["expected"].tolist() == pytest.approx([20, 80])
    assert frame["low"].tolist() == pytest.approx([0.12, 0.72])  # sqrt(.2 * .8 / 100) = .04
    assert frame["high"].tolist() == pytest.approx([0.28, 0.88])
    specification = charts.counts_over_theory(frame).spec
    assert {tuple(s["domain"]) for s in scales(specification, "y")} == {(0, 1)}
    assert encodings(specification)[0]["y"]["axis"]["title"] == "share of 100 draws"


def test_counts_need_a_draw():
    with pytest.raises(ValueError, match="at least one draw"):
        charts.counts_frame(["a"], np.array([0]), np.array([1.0]))


# Along the text -------------------------------------------------------------------------------


def test_surprisal_keeps_every_character_from_position_one():
    frame = charts.surprisal_frame("a\nb", [1.0, 2.0, 3.0], [2.0, 2.0, 2.0])
    assert frame["position"].tolist() == [1, 2, 3]
    assert frame["token"].tolist() == ["a", "↵", "b"]
    with pytest.raises(ValueError, match="3 tokens, 2 surprisals, 3 entropies"):
        charts.surprisal_frame("abc", [1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(("length", "end"), [(1, 200), (200, 200), (201, 400)])
def test_surprisal_axes_grow_only_by_whole_windows(length, end):
    frame = charts.surprisal_frame("x" * length, [1.0] * length, [1.0] * length)
    drawn = charts.surprisal_line(frame).spec
    for scale in scales(drawn, "x"):  # with room for the names of the lines
        assert scale["domain"] == [1, pytest.approx(1 + 1.4 * (end - 1))]
    assert {tuple(s["domain"]) for s in scales(drawn, "y")} == {(0, 12.0)}
