"""A computation as a graph: boxes with a name, a value and a derivative, and edges with theirs."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import GREY, VERMILLION


class Box(NamedTuple):
    """A value of a computation.

    Attributes
    ----------
    name, value, derivative : str
        Its three lines; the last is empty where it is not known yet.
    reads : tuple of (int, str)
        Places of the boxes that it is computed from, each with what is written at the edge.
    is_current : bool
        Whether it is the one that is computed now; its edges are drawn thick.
    is_known : bool
        Whether its derivative is: it is filled then.
    """

    name: str
    value: str
    derivative: str
    reads: tuple[tuple[int, str], ...] = ()
    is_current: bool = False
    is_known: bool = False


_BOX, _EDGE, _PARTIAL = "box", "edge", "partial"
_LINES = ("name", "value", "derivative")
_COLUMNS = ("kind", "x", "y", "x2", "y2", "text", "state")
_SHARE_ACROSS, _SHARE_UP = 0.66, 0.8
"""Of a box's column and row that the box fills."""


def graph_table(boxes: Sequence[Box]) -> pa.Table:
    """Return one row for each box, edge and text: kind, x, y, x2, y2, text, state."""
    across, up, places = _layout(boxes)
    wide, high = _SHARE_ACROSS / across / 2, _SHARE_UP / up / 2
    rows: list[tuple[Any, ...]] = []
    for i, box in enumerate(boxes):
        x, y = places[i]
        state = "current" if box.is_current else ""
        for start, partial in box.reads:
            begin, end = (places[start][0] + wide, places[start][1]), (x - wide, y)
            rows.append((_EDGE, *begin, *end, "", state))
            at = _in_first_gap(begin, end, across)
            rows.append((_PARTIAL, *at, None, None, partial, state))
    for i, box in enumerate(boxes):
        x, y = places[i]
        known = "known" if box.is_known else "open"
        state = "current" if box.is_current else known
        rows.append((_BOX, x - wide, y - high, x + wide, y + high, "", state))
        for line, text in zip(_LINES, box[:3], strict=True):
            rows.append((line, x, y, None, None, text, state))
    return pa.table(dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


def _in_first_gap(
    start: tuple[float, float], end: tuple[float, float], across: int
) -> tuple[float, float]:
    """Return where an edge's number is written: midway to the next column, before any box on its way."""
    share = (1.0 - _SHARE_ACROSS) / across / 2 / (end[0] - start[0])
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _layout(boxes: Sequence[Box]) -> tuple[int, int, list[tuple[float, float]]]:
    """Return columns, rows, and each box's middle: as far right as its longest way from an input."""
    levels: list[int] = []
    for box in boxes:
        levels.append(max((levels[start] + 1 for start, _ in box.reads), default=0))
    across = max(levels) + 1
    columns: list[list[int]] = [[] for _ in range(across)]
    for i, level in enumerate(levels):
        columns[level].append(i)
    heights: dict[int, float] = {}
    for column in columns:

        def wanted(i: int) -> float:
            read = [heights[start] for start, _ in boxes[i].reads]
            return -sum(read) / len(read) if read else 0.0

        for rank, i in enumerate(sorted(column, key=wanted)):
            heights[i] = 1.0 - (rank + 0.5) / len(column)
    places = [((levels[i] + 0.5) / across, heights[i]) for i in range(len(boxes))]
    return across, max(map(len, columns)), places


def computation_graph(table: pa.Table, *, height: int = 300) -> Drawing:
    """Draw a `graph_table`."""
    kinds = table["kind"].to_pylist()
    lefts = [x for kind, x in zip(kinds, table["x"].to_pylist(), strict=True) if kind == _BOX]
    across = len({round(x, 6) for x in lefts})
    bottoms = [y for kind, y in zip(kinds, table["y"].to_pylist(), strict=True) if kind == _BOX]
    tops = [y for kind, y in zip(kinds, table["y2"].to_pylist(), strict=True) if kind == _BOX]
    high = min(top - bottom for top, bottom in zip(tops, bottoms, strict=True))
    size = f"clamp(min(width / {across} * {_SHARE_ACROSS} / 7.3, height * {high:.4f} / 4), 7, 22)"
    spec = filled(_spec(height), size=size, gap=f"1.25 * {size}", up=f"-1.25 * {size}")
    return Drawing(spec, table, "Graph: each value of a computation, with its derivative.")


@cache
def _spec(height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[0, 1], nice=False)
    x, y = alt.X("x:Q", scale=scale, axis=None), alt.Y("y:Q", scale=scale, axis=None)
    base = alt.Chart().encode(x=x, y=y)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    is_current = "datum.state == 'current'"
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
    boxes = (
        of(_BOX)
        .mark_rect(cornerRadius=6, opacity=1)
        .encode(
            x2="x2:Q",
            y2="y2:Q",
            color=alt.condition(
                "datum.state == 'open'", alt.value("#dbe9f4"), alt.value("#f5b07a")
            ),
            stroke=alt.condition(is_current, alt.value(VERMILLION), alt.value(GREY)),
            strokeWidth=alt.condition(is_current, alt.value(4), alt.value(1)),
        )
    )
    font = alt.ExprRef("$size")
    style: dict[str, Any] = {"baseline": "middle", "fontSize": font, "color": "#1a1a1a"}
    names = of("name").mark_text(dy=alt.ExprRef("$up"), fontWeight="bold", **style)
    values = of("value").mark_text(**style)
    derivatives = of("derivative").mark_text(dy=alt.ExprRef("$gap"), fontWeight="bold", **style)
    texts = [mark.encode(text="text:N") for mark in (names, values, derivatives)]
    partials = of(_PARTIAL).mark_text(baseline="bottom", dy=-3, fontSize=font).encode(text="text:N")
    return specification(alt.layer(edges, boxes, *texts, partials).properties(height=height))
