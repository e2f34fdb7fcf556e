"""Neighbours, pairs, analogies and maps of words, as rows and as specifications."""

import json

import numpy as np
import pandas as pd
import pytest

from pages.embeddings.word_space_chart import least_crowded_view, space_figure
from pages.shared.charts import word_vectors
from pages.shared.charts.palette import BLUE
from pages.shared.charts.word_maps import map_frame, word_map

POINTS = np.array([[0.0, 0.0], [1.0, 1.0], [4.0, -1.0], [0.02, 0.0]])
WORDS = ["king", "queen", "river", "prince"]


def test_bars_stand_in_their_order_and_the_compared_word_is_outlined():
    frame = word_vectors.neighbour_frame(["queen", "son"], [0.5, 0.25], [9, 3])
    drawn = word_vectors.neighbour_bars(frame, BLUE, chosen="son")
    assert drawn.data["place"].tolist() == [1, 2]
    assert drawn.data["chosen"].tolist() == [False, True]
    assert drawn.data["text"].tolist() == ["0.500", "0.250"]
    scale = drawn.spec["layer"][0]["encoding"]["x"]["scale"]
    assert scale["domain"] == [0.0, 1.0]
    negative = word_vectors.neighbour_bars(frame.assign(cosine=[0.1, -0.2]), BLUE)
    assert negative.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-1.0, 1.0]
    assert negative.data["text"].tolist() == ["0.100", "−0.200"]
    assert word_vectors.neighbour_bars(frame, BLUE).spec == drawn.spec


def test_a_click_names_its_word():
    assert word_vectors.picked_word({"pick": [{"word": "queen"}]}) == "queen"
    for nothing in ({}, {"pick": []}, {"pick": [{"x": 1}]}):
        assert word_vectors.picked_word(nothing) is None


def test_a_matrix_has_every_pair_with_its_number_and_no_negative_zero():
    cosines = np.array([[1.0, -0.001, 0.5], [-0.001, 1.0, -0.25], [0.5, -0.25, 1.0]])
    frame = word_vectors.similarity_frame(["a", "b", "c"], cosines)
    assert len(frame) == 9
    row = frame[(frame["first"] == "c") & (frame["second"] == "a")]
    assert row["cosine"].item() == 0.5
    drawn = word_vectors.similarity_matrix(frame)
    texts = drawn.data["text"].tolist()
    assert texts == ["1.00", ".00", ".50", ".00", "1.00", "−.25", ".50", "−.25", "1.00"]
    assert drawn.data["ink"].tolist()[:2] == ["#ffffff", "#000000"]
    assert drawn.spec["resolve"] == {"scale": {"color": "independent"}}


# Maps -----------------------------------------------------------------------------------------


def drawn_map(**settings):
    frame = map_frame(WORDS, POINTS, ["a", "b", "a", "b"], chosen=0, near=[1], far=[2])
    return frame, word_map(frame, groups=("a", "b"), **settings)


def test_lines_lead_from_the_word_to_its_true_neighbours():
    frame, drawn = drawn_map()
    assert frame["role"].tolist() == ["chosen", "near here", "far here", "other"]
    data = drawn.data
    assert data[["x", "y"]].to_numpy().min() > 0.0
    assert data[["x", "y"]].to_numpy().max() < 1.0
    for i in (1, 2):
        assert data.loc[i, ["from_x", "from_y"]].tolist() == data.loc[0, ["x", "y"]].tolist()
    assert data.loc[[0, 3], "from_x"].isna().all()
    shapes = drawn.spec["layer"][-3]["encoding"]["shape"]["scale"]
    assert len(set(shapes["range"])) == len(shapes["domain"]) == 4


def boxes_of(data, size, letter=0.0085, line=0.042):
    """Where names are written: left, right, bottom, top."""
    shown = data[data[f"{size}_x"].notna()]
    width = letter * (shown["word"].str.len() + 1)
    x, y = shown[f"{size}_x"], shown[f"{size}_y"]
    return np.column_stack([x, x + width, y - line / 2, y + line / 2])


def test_no_name_lies_over_another_and_the_chosen_word_always_has_one():
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(120)]
    frame = map_frame(words, rng.normal(size=(120, 2)), ["a"] * 120, chosen=7)
    data = word_map(frame).data
    boxes = boxes_of(data, "wide")
    assert 60 < len(boxes) < 120
    for i, (left, right, bottom, top) in enumerate(boxes):
        others = np.delete(boxes, i, axis=0)
        beside = (others[:, 0] < right - 1e-9) & (left < others[:, 1] - 1e-9)
        assert not (beside & (others[:, 2] < top - 1e-9) & (bottom < others[:, 3] - 1e-9)).any()
    assert data["narrow_x"].notna().sum() < len(boxes)
    assert data.loc[7, ["wide_x", "narrow_x"]].notna().all()


def test_on_a_narrow_map_larger_text_takes_more_room():
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(40)]
    drawn = word_map(map_frame(words, rng.random((40, 2)), [""] * 40))
    written = {
        size: len(drawn.table_for(size)["narrow_x"].to_pandas().dropna()) for size in (13, 24)
    }
    assert 0 < written[24] < written[13]
    assert drawn.table_for(24)["wide_x"].equals(drawn.table_for(13)["wide_x"])


def test_a_line_leads_to_every_name_that_another_point_could_claim():
    rng = np.random.default_rng(1)
    frame = map_frame([f"word{i}" for i in range(80)], rng.normal(size=(80, 2)), ["a"] * 80)
    data = word_map(frame).data
    shown = data[data["wide_x"].notna()]
    n_lines = 0
    for (i, row), (left, right, bottom, top) in zip(
        shown.iterrows(), boxes_of(data, "wide"), strict=True
    ):
        across = np.maximum(0, np.maximum(left - data["x"], data["x"] - right)) / 0.0085
        along = np.maximum(0, np.maximum(bottom - data["y"], data["y"] - top)) / 0.042
        apart = np.hypot(across, along)
        if (apart.drop(i) <= apart[i]).any():
            assert left - 1e-9 <= row["wide_to_x"] <= right + 1e-9
            assert bottom - 1e-9 <= row["wide_to_y"] <= top + 1e-9
            n_lines += 1
    assert n_lines > 5
    assert data["wide_to_x"].notna().sum() < len(shown), "names beside their points need none"
    assert data.loc[data["wide_x"].isna(), "wide_to_x"].isna().all()


def test_all_names_are_written_where_there_is_room():
    places = np.array([[x, y] for x in range(6) for y in range(7)], float)
    frame = map_frame(["princess"] * 42, places, ["a"] * 42)
    assert word_map(frame).data["wide_x"].notna().all()


def test_on_a_phone_lines_of_text_are_held_apart_by_what_the_legend_leaves():
    rng = np.random.default_rng(0)
    frame = map_frame([f"word{i}" for i in range(40)], rng.random((40, 2)), ["a"] * 40)
    groups = tuple("abcdefg")
    written = [
        len(word_map(frame, groups=groups[:n], height=380).data["narrow_x"].dropna())
        for n in (3, 5, 7)
    ]
    assert sorted(written, reverse=True) == written
    assert len(set(written)) == 3, "each row of a legend takes the room of some words"


def test_a_map_is_set_up_once_whatever_its_axes_are_called():
    drawn = [drawn_map(titles=titles)[1].spec for titles in (("she ← → he", "up"), ("", ""))]
    named = [[layer["encoding"]["x"]["axis"]["title"] for layer in spec["layer"]] for spec in drawn]
    assert named == [["she ← → he"] * 7, [None] * 7]
    marks = [[layer["mark"] for layer in spec["layer"]] for spec in drawn]
    assert marks[0] == marks[1]


def test_where_colours_are_groups_a_chosen_word_and_its_neighbours_keep_theirs():
    frame, groups = drawn_map()[0], ("rulers", "food")
    frame = frame.assign(group=[*groups, *groups])
    lines, *_, words, marked, _, _ = word_map(frame, groups=groups).spec["layer"]
    colours = [layer["encoding"]["color"] for layer in (words, marked)]
    assert [colour["field"] for colour in colours] == ["group", "group"]
    assert colours[0]["scale"] == colours[1]["scale"]
    said = json.dumps(lines["encoding"]["color"])
    assert not any(colour in said for colour in colours[0]["scale"]["range"])


def test_without_a_chosen_word_there_are_no_lines():
    frame = map_frame(WORDS, POINTS, ["a"] * 4)
    drawn = word_map(frame)
    assert drawn.data["from_x"].isna().all()
    assert (frame["role"] == "other").all()


def test_maps_of_one_training_share_their_ends():
    _, drawn = drawn_map(bounds=((-5.0, 5.0), (-1.0, 1.0)))
    assert drawn.data.loc[0, ["x", "y"]].tolist() == [0.5, 0.5]
    assert drawn.data.loc[1, ["x", "y"]].tolist() == pytest.approx([0.6, 1.0])


def test_an_analogys_second_arrow_is_the_first_moved():
    points = np.array([[3.0, 1.0], [0.0, 0.0], [1.0, 2.0], [4.0, 3.0]])
    frame = word_vectors.analogy_frame(["a", "b", "c", "a − b + c"], points, [(1, 0), (2, 3)])
    drawn = word_vectors.analogy_plane(frame)
    arrows = drawn.data[drawn.data["kind"] != "word"]
    steps = pd.DataFrame({"x": arrows["to_x"] - arrows["x"], "y": arrows["to_y"] - arrows["y"]})
    assert steps.iloc[0].tolist() == pytest.approx(steps.iloc[1].tolist())
    assert steps.iloc[0]["x"] / steps.iloc[0]["y"] == pytest.approx(3.0)
    assert arrows["word"].tolist() == ["b → a", "c → a − b + c"]
    assert drawn.data[["x", "y"]].abs().to_numpy().max() < 1.0


def test_a_space_is_seen_from_its_angle_with_a_line_to_each_true_neighbour():
    frame = map_frame(WORDS, POINTS, ["a", "b", "a", "b"], chosen=0, near=[1], far=[2])
    frame = frame.assign(z=[0.0, 1.0, 2.0, 3.0])
    drawn = space_figure(frame, groups=("a", "b"), turn=90, tilt=30, ink="#111111", text_size=13)
    eye = drawn["layout"]["scene"]["camera"]["eye"]
    assert eye["z"] / eye["x"] == pytest.approx(np.tan(np.pi / 6))
    assert eye["y"] == pytest.approx(0.0, abs=1e-12)
    lines = [trace for trace in drawn["data"] if trace["mode"] == "lines"]
    assert [(line["x"], line["line"]["dash"]) for line in lines] == [
        ([0.0, 1.0], "solid"),
        ([0.0, 4.0], "dash"),
    ]
    points = {t["name"]: t["hovertext"] for t in drawn["data"] if t["mode"] != "lines"}
    assert points == {
        "b": ["prince"],
        "true neighbour, near here": ["queen"],
        "true neighbour, far here": ["river"],
        "king": ["king"],
    }


def test_each_context_has_a_mark_for_both_words_and_the_widest_row_names_them():
    frame = word_vectors.context_frame([("throne", 5.0, 3.0), ("court", 2.0, 2.5)])
    data = word_vectors.context_chart(frame, names=("king", "queen")).data
    assert len(data) == 4
    assert sorted(data.query("label != ''")["word"]) == ["king", "queen"]
    assert set(data.query("label != ''")["context"]) == {"throne"}
    assert data.query("word == 'queen'")["bits"].tolist() == [3.0, 2.5]


def test_the_strips_shade_every_number_by_the_largest():
    frame = word_vectors.vector_frame(["a", "b"], np.array([[0.5, -1.0], [0.0, 0.25]]))
    data = word_vectors.vector_strips(frame).data
    assert data["shade"].tolist() == [0.5, -1.0, 0.0, 0.25]
    assert data["place"].tolist() == [1, 2, 1, 2]


def test_a_space_opens_where_names_that_hide_each_other_from_the_front_stand_apart():
    behind = np.array([(0.0, 0.2 * i, 0.0) for i in range(6)])  # one behind the other
    turn, tilt = least_crowded_view(np.vstack([behind, [(1.0, 0.5, 1.0)]]))
    yaw, pitch = np.radians(turn), np.radians(tilt)
    across = behind @ [np.cos(yaw), np.sin(yaw), 0.0]
    up = behind @ [-np.sin(pitch) * np.sin(yaw), np.sin(pitch) * np.cos(yaw), np.cos(pitch)]
    gaps = np.abs(np.diff(across)) / 0.16 + np.abs(np.diff(up)) / 0.05
    assert gaps.min() > 1.0
    assert least_crowded_view(behind[:1]) == (30, 15), "where all are alike"
