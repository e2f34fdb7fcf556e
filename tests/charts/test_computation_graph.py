"""The graph of a computation: columns by what is read, edges that meet no box, states of boxes."""

import json

import pytest

from pages.shared.charts.computation_graph import Box, computation_graph, graph_table

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

BOXES = [
    Box("x", "2", "adjoint 1"),
    Box("y", "5", "", is_known=True),
    Box("v1 = x · y", "10", "", ((0, "5"), (1, "2")), is_current=True),
    Box("v2 = v1 + x", "12", "", ((2, "1"), (0, "1"))),
]
OF_TWO_READERS = [
    Box("x", "2", ""),
    Box("y", "5", ""),
    *(
        Box(name, "", "", tuple((start, f"{name} by {start}") for start in reads))
        for name, reads in (
            ("x·y", (0, 1)),
            ("exp x", (0,)),
            ("x·y·x", (2, 0)),
            ("sin x·y", (2,)),
            ("sum", (4, 3)),
            ("quotient", (5, 1)),
            ("all", (6, 7)),
            ("square", (8, 8)),
        )
    ),
]
"""x*y*x + exp(x) - sin(x*y)/y, squared."""


def rows(kind, boxes=BOXES):
    return [row for row in graph_table(boxes).to_pylist() if row["kind"] == kind]


def test_every_box_is_right_of_what_it_reads():
    boxes = rows("box")
    assert len(boxes) == len(BOXES)
    for i, box in enumerate(BOXES):
        for start, _ in box.reads:
            assert boxes[start]["x2"] < boxes[i]["x"]
    assert boxes[0]["x"] == boxes[1]["x"]
    assert boxes[0]["y"] > boxes[1]["y2"]


def stretches(boxes):
    """Return the stretches of each edge, in the order in which boxes name what they read."""
    edges, at = [], -1.0
    for row in rows("edge", boxes):
        is_next = edges and (row["x"], row["y"]) == (at["x2"], at["y2"])
        edges[-1].append(row) if is_next else edges.append([row])
        at = row
    return edges


def test_edges_lead_from_box_to_box_and_carry_their_numbers_before_the_box_that_reads():
    edges, partials, boxes = stretches(BOXES), rows("partial"), rows("box")
    assert [row["text"] for row in partials] == ["5", "2", "1", "1"]
    ends = [(0, 2), (1, 2), (2, 3), (0, 3)]
    for edge, partial, (start, end) in zip(edges, partials, ends, strict=True):
        assert (edge[0]["x"], edge[-1]["x2"]) == (boxes[start]["x2"], boxes[end]["x"])
        assert boxes[end]["y"] <= edge[-1]["y2"] <= boxes[end]["y2"]
        assert edge[-1]["x"] < partial["x"] < boxes[end]["x"]


@pytest.mark.parametrize("boxes", [BOXES, OF_TWO_READERS], ids=["four", "ten"])
def test_no_edge_meets_a_box_and_no_two_numbers_share_a_place(boxes):
    for edge in rows("edge", boxes):
        for box in rows("box", boxes):
            for share in (0.01, 0.25, 0.5, 0.75, 0.99):
                x = edge["x"] + share * (edge["x2"] - edge["x"])
                y = edge["y"] + share * (edge["y2"] - edge["y"])
                assert not (box["x"] < x < box["x2"] and box["y"] < y < box["y2"])
    (height,) = {round(box["y2"] - box["y"], 9) for box in rows("box", boxes)}
    partials = rows("partial", boxes)
    for i, one in enumerate(partials):
        for other in partials[:i]:
            is_beside = one["x"] != other["x"] or abs(one["y"] - other["y"]) > 0.2 * height
            assert is_beside, (one["text"], other["text"])


def test_the_current_box_and_its_edges_are_marked_and_all_lines_are_written():
    assert [row["state"] for row in rows("box")] == ["open", "known", "current", "open"]
    assert [edge[0]["state"] for edge in stretches(BOXES)] == ["current", "current", "", ""]
    for line, of in (("name", 0), ("value", 1), ("derivative", 2)):
        assert [row["text"] for row in rows(line)] == [box[of] for box in BOXES]
    drawing = computation_graph(graph_table(BOXES))
    assert '"$size"' not in json.dumps(drawing.spec)
    assert len(computation_graph(graph_table(BOXES[:1])).table) == 4
