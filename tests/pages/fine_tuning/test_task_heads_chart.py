"""Four heads on one encoder: which vectors each reads."""

import pytest

from pages.fine_tuning.task_heads_chart import HeadPanel, heads_diagram

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

MEAN = HeadPanel("class", ("CLS", "a", "SEP"), (0, 1, 2), ("one",), "a class")
EACH = HeadPanel("tags", ("CLS", "the", "gar", "den"), (1, 2), ("DET", "NOUN"), "a tag each")


def test_vectors_that_are_read_differ_from_the_others():
    rows = heads_diagram((MEAN, EACH), "tags").data
    vectors = rows[rows["kind"] == "vector"].sort_values("x")
    assert vectors["state"].tolist() == ["read"] * 3 + ["unread", "read", "read", "unread"]
    arrows = rows[(rows["kind"] == "arrow") & (rows["state"] == "read")]
    assert len(arrows) == 3 + 1 + 2


def test_a_mean_is_one_and_each_output_is_above_its_vector():
    rows = heads_diagram((MEAN, EACH), "tags").data
    heads = rows[rows["kind"] == "head"]
    assert heads["text"].tolist() == ["mean", "one", "DET", "NOUN"]
    read = rows[(rows["kind"] == "vector") & (rows["state"] == "read") & (rows["x"] > 1)]
    assert heads["x"].tolist()[2:] == read["x"].tolist()


def test_the_chosen_head_is_framed_and_panels_lie_two_in_a_row():
    rows = heads_diagram((MEAN, EACH, MEAN._replace(name="third")), "third").data
    (frame,) = rows[rows["kind"] == "frame"].to_dict("records")
    assert 0 < frame["x"] < frame["x2"] < 1
    assert -1 < frame["y"] < frame["y2"] < 0
    names = rows[rows["kind"] == "name"]
    assert names["text"].tolist() == ["class", "tags", "third"]
    assert (names["y"] > 0).tolist() == [True, True, False]
