"""A small network as circles and arrows, with all its numbers."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, VERMILLION


class Node(NamedTuple):
    """A circle of a network.

    Attributes
    ----------
    x, y : float
        Where, between 0 and 1; y counts upwards.
    value : str
        Written in the circle.
    name, note : str
        Written above it, and below.
    is_on, is_current : bool
        Whether it is filled as one that fires, and outlined as the one that is computed now.
    """

    x: float
    y: float
    value: str
    name: str
    note: str = ""
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
_ALONG = 0.32
"""Where on an arrow its weight is written."""


def diagram_table(nodes: Sequence[Node], edges: Sequence[Edge]) -> pa.Table:
    """Return one row for each circle, arrow and text: kind, x, y, x2, y2, text, state."""
    rows: list[tuple[Any, ...]] = []
    for edge in edges:
        (x, y), (x2, y2) = edge.start[:2], edge.end[:2]
        state = "current" if edge.is_current else ""
        rows.append((_EDGE, x, y, x2, y2, "", state))
        at = x + _ALONG * (x2 - x), y + _ALONG * (y2 - y)
        rows.append((_WEIGHT, *at, None, None, edge.weight, state))
    for node in nodes:
        state = "current" if node.is_current else "on" if node.is_on else ""
        rows.append((_NODE, node.x, node.y, None, None, node.value, "on" if node.is_on else "off"))
        if node.is_current:
            rows.append(("outline", node.x, node.y, None, None, "", state))
        rows.append((_NAME, node.x, node.y, None, None, node.name, ""))
        rows.append((_NOTE, node.x, node.y, None, None, node.note, ""))
    return pa.table(dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


def network_diagram(table: pa.Table, *, height: int = 320) -> Drawing:
    """Draw a `diagram_table`."""
    return Drawing(_spec(height), table, "Diagram: the units of a network and their weights.")


@cache
def _spec(height: int) -> dict[str, Any]:
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.12, 1.16], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[-0.28, 1.24], nice=False), axis=None)
    base = alt.Chart().encode(x=x, y=y)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    is_current = "datum.state == 'current'"
    size = alt.ExprRef(f"pow(clamp(width / 9, 34, {height} / 5), 2)")
    edges = (
        of(_EDGE)
        .mark_rule()
        .encode(
            x2="x2:Q",
            y2="y2:Q",
            color=alt.condition(is_current, alt.value(VERMILLION), alt.value(GREY)),
            strokeWidth=alt.condition(is_current, alt.value(3), alt.value(1.2)),
        )
    )
    circles = (
        of(_NODE)
        .mark_point(shape="circle", filled=True, opacity=1, stroke=GREY, strokeWidth=1.5, size=size)
        .encode(
            color=alt.condition("datum.state == 'on'", alt.value("#f5b07a"), alt.value("#dbe9f4"))
        )
    )
    outline = of("outline").mark_point(
        shape="circle", filled=False, stroke=VERMILLION, strokeWidth=4, opacity=1, size=size
    )
    values = (
        of(_NODE)
        .mark_text(baseline="middle", fontWeight="bold", color="#1a1a1a")
        .encode(text="text:N")
    )
    above = alt.ExprRef(f"-clamp(width / 18, 17, {height} / 10) - 5")
    below = alt.ExprRef(f"clamp(width / 18, 17, {height} / 10) + 5")
    names = (
        of(_NAME).mark_text(baseline="bottom", dy=above, fontWeight="bold").encode(text="text:N")
    )
    notes = of(_NOTE).mark_text(baseline="top", dy=below).encode(text="text:N")
    weights = of(_WEIGHT).mark_text(baseline="bottom", dy=-3).encode(text="text:N")
    layers = (edges, circles, outline, values, names, notes, weights)
    return specification(alt.layer(*layers).properties(height=height))
