"""The tree of a beam search: places, parents, and the paths that are marked."""

from typing import NamedTuple

import pytest

from pages.cross_attention.beam_tree_chart import beam_frame, beam_tree_chart, path_in

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


class Node(NamedTuple):
    depth: int
    parent: int | None
    token: int
    symbol: str
    log_probability: float
    fate: str


NODES = (
    Node(1, None, 7, " un", -0.1, "kept"),
    Node(1, None, 8, " une", -2.0, "kept"),
    Node(1, None, 9, " le", -5.0, "dropped"),
    Node(2, 1, 5, " femme", -2.1, "kept"),
    Node(2, 0, 5, " femme", -2.4, "kept"),
    Node(2, 0, 3, "", -3.0, "dropped"),
    Node(3, 3, 3, "", -2.2, "finished"),
)


def test_candidates_lie_in_columns_by_their_probability_and_know_their_parent():
    frame = beam_frame(NODES, (8, 5, 3), (7, 5, 6))
    assert frame["token"].tolist() == [1, 1, 1, 2, 2, 2, 3]
    assert frame["place"].tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert frame["from_token"].tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert frame["from_place"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert frame["symbol"].tolist()[:2] == ["·un", "·une"]
    assert frame["symbol"].iloc[-1] == "■"


def test_a_path_is_marked_as_far_as_the_tree_has_it():
    assert path_in(NODES, (8, 5, 3)) == [1, 3, 6]
    assert path_in(NODES, (7, 5, 6)) == [0, 4]
    assert path_in(NODES, (4,)) == []
    frame = beam_frame(NODES, (8, 5, 3), (7, 5, 6))
    assert frame.index[frame["is_best"]].tolist() == [1, 3, 6]
    assert frame.index[frame["is_greedy"]].tolist() == [0, 4]


def test_a_window_keeps_places_and_marks():
    whole = beam_frame(NODES, (8, 5, 3), ())
    part = beam_frame(NODES, (8, 5, 3), (), first=2, most=1)
    assert part.reset_index(drop=True).equals(whole[whole["token"] == 2].reset_index(drop=True))


def test_the_axes_hold_all_columns_and_rows():
    spec = beam_tree_chart(beam_frame(NODES, (), (), first=2)).spec
    for layer in spec["layer"]:
        low, high = layer["encoding"]["x"]["scale"]["domain"]
        assert low < 2
        assert high > 3
        if "y" not in layer["encoding"]:
            continue  # the frame of a guess is as high as the tree
        low, high = layer["encoding"]["y"]["scale"]["domain"]
        assert low < 0
        assert high > 2


def test_a_guess_frames_the_columns_between_two_tokens_within_the_tree():
    def frame_of(guess):
        layer = beam_tree_chart(beam_frame(NODES, (), ()), guess=guess).spec["layer"][-1]
        ends = [layer["encoding"][end]["datum"] for end in ("x", "x2")]
        return layer["mark"]["opacity"], *ends

    seen, start, end = frame_of((1, 9))
    assert seen == 1.0
    assert 1 < start < 2 < end < 5
    assert frame_of(None)[0] == 0.0
