"""A computation as a graph: boxes with a name, a value and a derivative, and edges with theirs."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import GREY, VERMILLION


class Box(NamedTuple):
    """A value of a computation."""

    # name, value and derivative: its three lines; the last is empty where it is not known yet
    name: str
    value: str
    derivative: str
    # tuple of (int, str): places of the boxes that it is computed from, each with what is written
    # at the edge
    reads: tuple[tuple[int, str], ...] = ()
    # whether it is the one that is computed now; its edges are drawn thick
    is_current: bool = False
    is_known: bool = False  # whether its derivative is: it is filled then


_BOX, _EDGE, _PARTIAL = "box", "edge", "partial"
_LINES = ("name", "value", "derivative")
_COLUMNS = ("kind", "x", "y", "x2", "y2", "text", "state")
_SHARE_ACROSS, _SHARE_UP = 0.66, 0.8  # of a box's column and row that the box fills
_LANE = 0.4  # height of the row in which an edge passes a column of boxes, in rows of a box
_AT_NUMBER = 0.6
"""Share of the last gap after which an edge's number is written: edges part before they arrive."""

Stop = tuple[int, int]
"""A box, and the column in which it stands, or through which an edge from it passes."""


class _Layout(NamedTuple):
    """Where boxes and the bends of edges stand."""

    across: int  # columns
    up: float  # rows that the fullest column needs
    levels: list[int]  # column of each box
    # of each box, and of each edge in the columns that it passes, from 0 to 1
    heights: dict[Stop, float]

    def middle(self, stop: Stop) -> tuple[float, float]:
        return (stop[1] + 0.5) / self.across, self.heights[stop]


def graph_table(boxes: Sequence[Box]) -> pa.Table:
    """Return one row for each box, stretch of an edge and text: kind, x, y, x2, y2, text, state."""
    layout = _layout(boxes)
    wide, high = _SHARE_ACROSS / layout.across / 2, _SHARE_UP / layout.up / 2
    rows: list[tuple[Any, ...]] = []
    for i, box in enumerate(boxes):
        state = "current" if box.is_current else ""
        for arrival, start, partial in _arrivals(layout, boxes, i):
            points = _bends(layout, start, i, wide, arrival * high)
            for begin, end in pairwise(points):
                rows.append((_EDGE, *begin, *end, "", state))
            at = tuple(b + _AT_NUMBER * (e - b) for b, e in zip(*points[-2:], strict=True))
            rows.append((_PARTIAL, *at, None, None, partial, state))
    for i, box in enumerate(boxes):
        x, y = layout.middle((i, layout.levels[i]))
        known = "known" if box.is_known else "open"
        state = "current" if box.is_current else known
        rows.append((_BOX, x - wide, y - high, x + wide, y + high, "", state))
        for line, text in zip(_LINES, box[:3], strict=True):
            rows.append((line, x, y, None, None, text, state))
    return table_of_rows(_COLUMNS, rows)


def _arrivals(layout: _Layout, boxes: Sequence[Box], end: int) -> Iterator[tuple[float, int, str]]:
    """Yield what a box reads with the place on its side where each edge arrives, from -1 to 1, in their order."""
    reads, last = boxes[end].reads, layout.levels[end] - 1
    by_height = sorted(range(len(reads)), key=lambda k: layout.heights[reads[k][0], last])
    for k, (start, partial) in enumerate(reads):
        yield (2 * by_height.index(k) + 1) / len(reads) - 1.0, start, partial


def _bends(
    layout: _Layout, start: int, end: int, wide: float, above: float
) -> list[tuple[float, float]]:
    """Return the points of an edge: straight through every column, so that it meets no box on its way."""
    x, y = layout.middle((start, layout.levels[start]))
    points = [(x + wide, y)]
    for level in range(layout.levels[start] + 1, layout.levels[end]):
        x, y = layout.middle((start, level))
        points += [(x - wide, y), (x + wide, y)]
    x, y = layout.middle((end, layout.levels[end]))
    return [*points, (x - wide, y + above)]


def _layout(boxes: Sequence[Box]) -> _Layout:
    """Place each box as far right as its longest way from an input, and a lane where an edge passes a column.

    Sugiyama, Tagawa & Toda (1981): what stands in a column is ordered by the mean height of what it reads.
    """
    levels: list[int] = []
    for box in boxes:
        levels.append(max((levels[start] + 1 for start, _ in box.reads), default=0))
    across = max(levels) + 1
    columns: list[dict[Stop, float]] = [{} for _ in range(across)]
    for i, level in enumerate(levels):
        columns[level][i, level] = 1.0
    for i, box in enumerate(boxes):
        for start, _ in box.reads:
            for level in range(levels[start] + 1, levels[i]):
                columns[level][start, level] = _LANE
    up = max(sum(column.values()) for column in columns)
    heights: dict[Stop, float] = {}

    def read_height(stop: Stop) -> float:
        i, level = stop
        if level > levels[i]:
            return heights[i, level - 1]
        read = [heights[start, level - 1] for start, _ in boxes[i].reads]
        return sum(read) / len(read) if read else 0.0

    for column in columns:
        top, room = 1.0, sum(column.values())
        for stop in sorted(column, key=read_height, reverse=True):
            heights[stop] = top - column[stop] / room / 2
            top -= column[stop] / room
    return _Layout(across, up, levels, heights)


def computation_graph(table: pa.Table, *, height: int = 300) -> Drawing:
    """Draw a `graph_table`."""
    kinds = table["kind"].to_pylist()
    lefts = [x for kind, x in zip(kinds, table["x"].to_pylist(), strict=True) if kind == _BOX]
    across = len({round(x, 6) for x in lefts})
    bottoms = [y for kind, y in zip(kinds, table["y"].to_pylist(), strict=True) if kind == _BOX]
    tops = [y for kind, y in zip(kinds, table["y2"].to_pylist(), strict=True) if kind == _BOX]
    high = min(top - bottom for top, bottom in zip(tops, bottoms, strict=True))
    size = f"clamp(min(width / {across} * {_SHARE_ACROSS} / 6.4, height * {high:.4f} / 4), 7, 22)"
    spec = _spec(size, height)
    return Drawing(spec, table, "Graph: each value of a computation, with its derivative.")


def _spec(size: str, height: int) -> vl.Spec:
    whole = vl.scale(0, 1)
    place = {name: vl.field(f"{name}:Q", scale=whole, axis=None) for name in ("x", "y")}
    span = place | {"x2": "x2", "y2": "y2"}
    is_current = "datum.state == 'current'"
    edge = {
        "color": vl.either(is_current, VERMILLION, GREY),
        "strokeWidth": vl.either(is_current, 3, 1.2),
    }
    box = {
        "color": vl.either("datum.state == 'open'", "#dbe9f4", "#f5b07a"),
        "stroke": vl.either(is_current, VERMILLION, GREY),
        "strokeWidth": vl.either(is_current, 4, 1),
    }
    font: vl.Spec = {"fontSize": vl.expression(size)}

    def text(kind: str, **look: Any) -> vl.Spec:
        when = f"datum.kind === '{kind}'"
        return vl.mark("text", place, {"text": "text:N"}, when=when, **font, **look)

    inside: vl.Spec = {"baseline": "middle", "color": "#1a1a1a"}
    bold: vl.Spec = {"fontWeight": "bold", **inside}
    return vl.layered(
        vl.mark("rule", span, edge, when=f"datum.kind === '{_EDGE}'"),
        vl.mark("rect", span, box, when=f"datum.kind === '{_BOX}'", cornerRadius=6, opacity=1),
        text("name", dy=vl.expression(f"-1.25 * {size}"), **bold),
        text("value", **inside),
        text("derivative", dy=vl.expression(f"1.25 * {size}"), **bold),
        text(_PARTIAL, baseline="bottom", dy=-3),
        height=height,
    )
