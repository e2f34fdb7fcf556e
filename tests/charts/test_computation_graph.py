"""The graph of a computation: columns by what is read, numbers at edges, states of boxes."""

import json

from pages.shared.charts import Box, computation_graph, graph_table

BOXES = [
    Box("x", "2", "adjoint 1"),
    Box("y", "5", "", is_known=True),
    Box("v1 = x · y", "10", "", ((0, "5"), (1, "2")), is_current=True),
    Box("v2 = v1 + x", "12", "", ((2, "1"), (0, "1"))),
]


def rows(kind):
    return [row for row in graph_table(BOXES).to_pylist() if row["kind"] == kind]


def test_every_box_is_right_of_what_it_reads():
    boxes = rows("box")
    assert len(boxes) == len(BOXES)
    for i, box in enumerate(BOXES):
        for start, _ in box.reads:
            assert boxes[start]["x2"] < boxes[i]["x"]
    assert boxes[0]["x"] == boxes[1]["x"]
    assert boxes[0]["y"] > boxes[1]["y2"]


def test_edges_end_at_boxes_and_carry_their_numbers_in_the_first_gap():
    edges, partials, boxes = rows("edge"), rows("partial"), rows("box")
    assert [row["text"] for row in partials] == ["5", "2", "1", "1"]
    for edge, (start, end) in zip(edges, [(0, 2), (1, 2), (2, 3), (0, 3)], strict=True):
        assert (edge["x"], edge["x2"]) == (boxes[start]["x2"], boxes[end]["x"])
    far = partials[3]
    assert boxes[0]["x2"] < far["x"] < boxes[2]["x"]


def test_the_current_box_and_its_edges_are_marked_and_all_lines_are_written():
    assert [row["state"] for row in rows("box")] == ["open", "known", "current", "open"]
    assert [row["state"] for row in rows("edge")] == ["current", "current", "", ""]
    for line, of in (("name", 0), ("value", 1), ("derivative", 2)):
        assert [row["text"] for row in rows(line)] == [box[of] for box in BOXES]
    drawing = computation_graph(graph_table(BOXES))
    assert '"$size"' not in json.dumps(drawing.spec)
    assert len(computation_graph(graph_table(BOXES[:1])).table) == 4
