"""A recurrent network unrolled in time: what each step reads, and what it writes."""

from functools import cache
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREEN, GREY

_READ, _STATE, _WRITTEN = "read", "state", "written"
_ROOM_FOR_BOXES, _ROOM_FOR_NAMES = 13, 20
"""Pixels a column: with less, letters stand without boxes, and states without their names."""


class Unrolled(NamedTuple):
    """A network unrolled in time: one column per step, what it reads below, what it writes above."""

    read: tuple[str, ...]  # empty where nothing is read
    written: tuple[str, ...]  # empty where nothing is written
    backwards: bool = False  # whether a second row of states reads from the end
    pooled: bool = False  # whether all states, and not the last alone, lead to what is written last
    handed_over: int | None = None  # step from which on a second network goes on


def unrolled_frame(network: Unrolled) -> pd.DataFrame:
    """Return the nodes and arrows of a diagram: kind, role, label, x, y, x2, y2."""
    rows: list[dict[str, Any]] = []
    last = len(network.read) - 1
    top = 2.0 if network.backwards else 1.0
    for x, (read, written) in enumerate(zip(network.read, network.written, strict=True)):
        if read:
            rows += [_node(_READ, read, x, 0.0), _arrow(x, 0.0, x, 1.0)]
        rows.append(_node(_STATE, "", x, 1.0, x == network.handed_over))
        if x < last:
            rows.append(_arrow(x, 1.0, x + 1, 1.0))
        if network.backwards:
            rows.append(_node(_STATE, "", x, 2.0))
            if x < last:
                rows.append(_arrow(x + 1, 2.0, x, 2.0))
        if written:
            rows += [_node(_WRITTEN, written, x, top + 1), _arrow(x, top, x, top + 1)]
        elif network.pooled:
            rows.append(_arrow(x, top, last, top + 1))
    return pd.DataFrame(rows)


def _node(role: str, label: str, x: float, y: float, is_second: bool = False) -> dict[str, Any]:
    return {
        "kind": "node",
        "role": role,
        "label": label or ("h'" if is_second else "h"),
        "x": x,
        "y": y,
        "x2": x,
        "y2": y,
    }


def _arrow(x: float, y: float, x2: float, y2: float) -> dict[str, Any]:
    """Return an arrow that ends before its target's box."""
    length = float(np.hypot(x2 - x, y2 - y)) or 1.0
    reach = 0.28 / length
    return {
        "kind": "arrow",
        "role": "arrow",
        "label": "",
        "x": x + reach * (x2 - x),
        "y": y + reach * (y2 - y),
        "x2": x2 - reach * (x2 - x),
        "y2": y2 - reach * (y2 - y),
    }


def unrolled_chart(frame: pd.DataFrame, *, height: int = 210) -> Drawing:
    """Draw an `unrolled_frame`: grey squares are read, green ones are states, blue ones written."""
    columns, top = int(frame["x"].max()) + 1, int(frame["y"].max())
    spec = _unrolled_spec(max(8, columns), top, height)
    return Drawing(spec, frame, "Diagram: the network, step by step.")


@cache
def _unrolled_spec(columns: int, top: int, height: int) -> dict[str, Any]:
    scale_x = alt.Scale(domain=[-0.6, columns - 0.4], nice=False)
    room = f"width / {columns}"  # pixels for each column: it decides what is drawn of a box
    scale_y = alt.Scale(domain=[-0.45, top + 0.45], nice=False)
    base = alt.Chart().encode(
        x=alt.X("x:Q", scale=scale_x, axis=None), y=alt.Y("y:Q", scale=scale_y, axis=None)
    )
    arrows = (
        base.transform_filter("datum.kind == 'arrow'")
        .mark_rule(color=GREY, strokeWidth=1.2, opacity=0.8)
        .encode(x2="x2:Q", y2="y2:Q")
    )
    ends = (
        alt.Chart()
        .transform_filter("datum.kind == 'arrow'")
        .transform_calculate(
            angle="datum.x2 > datum.x + 0.01 ? 90 : datum.x2 < datum.x - 0.01 ? 270 : 0"
        )
        .mark_point(shape="triangle", filled=True, size=34, color=GREY, opacity=1)
        .encode(
            x=alt.X("x2:Q", scale=scale_x, axis=None),
            y=alt.Y("y2:Q", scale=scale_y, axis=None),
            angle=alt.Angle("angle:Q", scale=None),
        )
    )
    nodes = base.transform_filter("datum.kind == 'node'")
    boxes = (
        nodes.transform_filter(f"datum.role == '{_STATE}' || {room} >= {_ROOM_FOR_BOXES}")
        .mark_point(
            shape="square",
            size=alt.ExprRef(f"min(560, pow(0.62 * {room}, 2))"),
            strokeWidth=2,
            filled=False,
            opacity=1,
        )
        .encode(
            stroke=alt.Stroke(
                "role:N",
                scale=alt.Scale(domain=[_READ, _STATE, _WRITTEN], range=[GREY, GREEN, BLUE]),
                legend=alt.Legend(
                    orient="top",
                    title=None,
                    symbolType="square",
                    symbolSize=120,
                    symbolStrokeWidth=2,
                ),
            )
        )
    )
    labels = (
        nodes.transform_filter(f"datum.role != '{_STATE}' || {room} >= {_ROOM_FOR_NAMES}")
        .mark_text(font="monospace", fontSize=alt.ExprRef(f"clamp(0.9 * {room}, 9, 13)"))
        .encode(text="label:N")
    )
    return specification(alt.layer(arrows, ends, boxes, labels).properties(height=height))
