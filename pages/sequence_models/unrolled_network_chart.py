"""Networks between vectors and sequences, unrolled in time."""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import BLUE, GREEN, GREY, VERMILLION

_INPUT, _STATE, _OUTPUT, _WRONG = "input", "state", "output", "wrong"
_COLOURS = {_INPUT: GREY, _STATE: GREEN, _OUTPUT: BLUE, _WRONG: VERMILLION}
_ROOM_FOR_BOXES, _ROOM_FOR_NAMES = 13, 20
"""Pixels a column: with less, letters have no boxes, and states no names."""
_Row: TypeAlias = tuple[str, str, str, float, float, float, float]


class Unrolled(NamedTuple):
    """A network unrolled in time: a column for each step, inputs below and outputs above the states."""

    inputs: tuple[str, ...]  # empty where a step has none
    outputs: tuple[str, ...]  # empty where a step has none
    backwards: bool = False  # whether a second row of states reads from the end
    pooled: bool = False  # whether all states, and not the last alone, lead to the last output
    decoder_from: int | None = None  # step from which on a second network takes over
    wrong: frozenset[int] = frozenset()  # steps whose output is not the right one


def unrolled_table(network: Unrolled) -> pa.Table:
    """Return the nodes and arrows of a diagram: kind, role, label, x, y, x2, y2."""
    rows: list[_Row] = []
    last = len(network.inputs) - 1
    top = 2.0 if network.backwards else 1.0
    for x, (symbol, output) in enumerate(zip(network.inputs, network.outputs, strict=True)):
        if symbol:
            rows += [_node(_INPUT, symbol, x, 0.0), _arrow(x, 0.0, x, 1.0)]
        rows.append(_node(_STATE, "", x, 1.0, x == network.decoder_from))
        if x < last:
            rows.append(_arrow(x, 1.0, x + 1, 1.0))
        if network.backwards:
            rows.append(_node(_STATE, "", x, 2.0))
            if x < last:
                rows.append(_arrow(x + 1, 2.0, x, 2.0))
        if output:
            role = _WRONG if x in network.wrong else _OUTPUT
            rows += [_node(role, output, x, top + 1), _arrow(x, top, x, top + 1)]
        elif network.pooled:
            rows.append(_arrow(x, top, last, top + 1))
    names = ("kind", "role", "label", "x", "y", "x2", "y2")
    return table_of_rows(names, rows)


def _node(role: str, label: str, x: float, y: float, is_second: bool = False) -> _Row:
    return "node", role, label or ("h'" if is_second else "h"), x, y, x, y


def _arrow(x: float, y: float, x2: float, y2: float) -> _Row:
    """Return an arrow that ends before its target's box."""
    reach = 0.28 / (math.hypot(x2 - x, y2 - y) or 1.0)
    across, up = reach * (x2 - x), reach * (y2 - y)
    return "arrow", "arrow", "", x + across, y + up, x2 - across, y2 - up


def unrolled_chart(table: pa.Table, *, height: int = 210) -> Drawing:
    """Draw an `unrolled_table`: grey squares are inputs, green ones states, blue or red ones outputs."""
    columns, top = (int(table[name].to_numpy().max()) for name in ("x", "y"))
    found = set(table["role"].to_pylist())
    roles = [role for role in _COLOURS if role in found or role != _WRONG]
    spec = _unrolled_spec(max(8, columns + 1), top, roles, height)
    return Drawing(spec, table, "Diagram: the network, step by step.")


def _unrolled_spec(columns: int, top: int, roles: Sequence[str], height: int) -> vl.Spec:
    across, up = vl.scale(-0.6, columns - 0.4), vl.scale(-0.45, top + 0.45)
    room = f"width / {columns}"  # pixels for each column: it decides what is drawn of a box
    start, end = (vl.place(across, up, *at) for at in (("x", "y"), ("x2", "y2")))
    is_arrow, is_node = "datum.kind == 'arrow'", "datum.kind == 'node'"
    turn = "datum.x2 > datum.x + 0.01 ? 90 : datum.x2 < datum.x - 0.01 ? 270 : 0"
    has_box = f"{is_node} && (datum.role == '{_STATE}' || {room} >= {_ROOM_FOR_BOXES})"
    has_name = f"{is_node} && (datum.role != '{_STATE}' || {room} >= {_ROOM_FOR_NAMES})"
    head: vl.Spec = {"shape": "triangle", "filled": True, "size": 34, "color": GREY, "opacity": 1}
    box: vl.Spec = {"shape": "square", "strokeWidth": 2, "filled": False, "opacity": 1}
    inks = {"domain": list(roles), "range": [_COLOURS[role] for role in roles]}
    symbol: vl.Spec = {"symbolType": "square", "symbolSize": 120, "symbolStrokeWidth": 2}
    role = vl.field("role:N", scale=inks, legend={"orient": "top", "title": None, **symbol})
    size = vl.expression(f"min(560, pow(0.62 * {room}, 2))")
    letter = vl.expression(f"clamp(0.9 * {room}, 9, 26)")
    far = {"x2": "x2", "y2": "y2"}
    angle = {"angle": vl.literal("angle:Q")}
    return vl.layered(
        vl.mark("rule", start, far, when=is_arrow, color=GREY, strokeWidth=1.2, opacity=0.8),
        vl.mark("point", end, angle, when=is_arrow, computed={"angle": turn}, **head),
        vl.mark("point", start, {"stroke": role}, when=has_box, size=size, **box),
        vl.mark(
            "text", start, {"text": "label:N"}, when=has_name, font="monospace", fontSize=letter
        ),
        height=height,
    )
