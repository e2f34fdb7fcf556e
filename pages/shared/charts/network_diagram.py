"""A small network as circles and arrows, with all its numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import GREY, VERMILLION


class Node(NamedTuple):
    """A circle of a network."""

    # x and y: where, between 0 and 1; y counts upwards
    x: float
    y: float
    value: str  # written in the circle
    name: str  # written above it, and below
    note: str = ""  # written above it, and below
    # is_on and is_current: whether it is filled as one that fires, and outlined as the one that is
    # computed now
    is_on: bool = False
    is_current: bool = False


class Edge(NamedTuple):
    """An arrow from one node to another, with its weight; thick where something passes now."""

    start: Node
    end: Node
    weight: str
    is_current: bool = False


_COLUMNS = ("kind", "x", "y", "x2", "y2", "text", "state")
_NODE, _NAME, _NOTE, _EDGE, _WEIGHT = "node", "name", "note", "edge", "weight"
_ALONG, _ALONG_CROSSING = 0.5, 0.32
"""Where on an arrow its weight is written; nearer to its start where arrows cross half-way."""


def diagram_table(nodes: Sequence[Node], edges: Sequence[Edge]) -> pa.Table:
    """Return one row for each circle, arrow and text: kind, x, y, x2, y2, text, state."""
    rows: list[tuple[Any, ...]] = []
    ends = {(edge.end.x, edge.end.y) for edge in edges}
    for edge in edges:
        (x, y), (x2, y2) = edge.start[:2], edge.end[:2]
        state = "current" if edge.is_current else ""
        rows.append((_EDGE, x, y, x2, y2, "", state))
        crosses = sum(other == x2 for other, _ in ends) > 1
        along = _ALONG_CROSSING if crosses else _ALONG
        at = x + along * (x2 - x), y + along * (y2 - y)
        rows.append((_WEIGHT, *at, None, None, edge.weight, state))
    for node in nodes:
        state = "current" if node.is_current else "on" if node.is_on else ""
        rows.append((_NODE, node.x, node.y, None, None, node.value, "on" if node.is_on else "off"))
        if node.is_current:
            rows.append(("outline", node.x, node.y, None, None, "", state))
        rows.append((_NAME, node.x, node.y, None, None, node.name, ""))
        rows.append((_NOTE, node.x, node.y, None, None, node.note, ""))
    return table_of_rows(_COLUMNS, rows)


def network_diagram(table: pa.Table, *, height: int = 320) -> Drawing:
    """Draw a `diagram_table`."""
    return Drawing(_spec(height), table, "Diagram: the units of a network and their weights.")


def _spec(height: int) -> vl.Spec:
    place = vl.place(vl.scale(-0.12, 1.16), vl.scale(-0.28, 1.24))
    is_current = "datum.state == 'current'"
    arrow = {
        "x2": "x2",
        "y2": "y2",
        "color": vl.either(is_current, VERMILLION, GREY),
        "strokeWidth": vl.either(is_current, 3, 1.2),
    }
    size = vl.expression(f"pow(clamp(width / 9, 34, {height} / 5), 2)")
    circle: vl.Spec = {"shape": "circle", "opacity": 1, "size": size}
    fires = {"color": vl.either("datum.state == 'on'", "#f5b07a", "#dbe9f4")}
    radius = f"clamp(width / 18, 17, {height} / 10)"

    def of(mark: str, kind: str, *encodings: vl.Spec, **look: Any) -> vl.Spec:
        return vl.mark(mark, place, *encodings, when=f"datum.kind === '{kind}'", **look)

    def text(kind: str, **look: Any) -> vl.Spec:
        return of("text", kind, {"text": "text:N"}, **look)

    return vl.layered(
        of("rule", _EDGE, arrow),
        of("point", _NODE, fires, filled=True, stroke=GREY, strokeWidth=1.5, **circle),
        of("point", "outline", filled=False, stroke=VERMILLION, strokeWidth=4, **circle),
        text(_NODE, baseline="middle", fontWeight="bold", color="#1a1a1a"),
        text(_NAME, baseline="bottom", dy=vl.expression(f"-{radius} - 5"), fontWeight="bold"),
        text(_NOTE, baseline="top", dy=vl.expression(f"{radius} + 5")),
        text(_WEIGHT, baseline="bottom", dy=-3),
        height=height,
    )
