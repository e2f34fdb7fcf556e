"""Networks between vectors and sequences: unrolled in time, with the letters and classes they predict."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, VERMILLION

_END = "⊣"
_INPUT, _STATE, _OUTPUT, _WRONG = "input", "state", "output", "wrong"
_COLOURS = {_INPUT: GREY, _STATE: GREEN, _OUTPUT: BLUE, _WRONG: VERMILLION}
_ROOM_FOR_BOXES, _ROOM_FOR_NAMES = 13, 20
"""Pixels a column: with less, letters have no boxes, and states no names."""
_PIXELS_PER_LETTER = 11
_POSITION = "characters read"
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


def letters_table(
    letters: Sequence[str], probabilities: Sequence[Sequence[float]], symbols: str
) -> pa.Table:
    """Return every probability of every step: step, letter, probability, chosen.

    Parameters
    ----------
    letters : sequence of T str, the generated letters; empty for the end of the word
    probabilities : T rows of 1 + len(symbols) floats, the end first
    """
    names = [_END, *symbols]
    steps = [f"{i:02d} {letter or _END}" for i, letter in enumerate(letters, 1)]
    return pa.table(
        {
            "step": np.repeat(steps, len(names)),
            "letter": names * len(steps),
            "probability": np.concatenate([np.asarray(row, float) for row in probabilities]),
            "chosen": [name == (letter or _END) for letter in letters for name in names],
        }
    )


def letters_chart(table: pa.Table, *, height: int = 250) -> Drawing:
    """Draw a `letters_table` as a heat map: a column for each letter, a row for each step."""
    axis: vl.Spec = {
        "labelAngle": 0,
        "labelOverlap": False,
        "labelFont": "monospace",
        "labelPadding": 2,
    }
    letters = table["letter"].unique().to_pylist()
    rows = {"title": "step and letter", "labelOverlap": False}
    place = {
        "x": vl.field("letter:N", sort=letters, axis={"title": "letter", **axis}),
        "y": vl.field("step:N", axis=rows),
        "tooltip": ["step:N", "letter:N", "probability:Q .2%"],
    }
    shades = {"domain": [0, 1], "scheme": "viridis"}
    legend = {"title": None, "format": "%", "orient": "top", "gradientLength": 140}
    colour = {"color": vl.field("probability:Q", scale=shades, legend=legend)}
    cells = vl.mark("rect", place, colour)
    spec = vl.layered(cells, vl.outlined(place, when="datum.chosen"), height=height)
    return Drawing(spec, table, "Heat map: the probability of each letter at each step.")


def probability_lines(
    characters: str, probabilities: Mapping[str, Sequence[float]], *, title: str, height: int = 260
) -> Drawing:
    """Draw a probability after each character, a line for each model.

    The characters are written below the lines where the chart is wide enough for all of them.

    Parameters
    ----------
    characters : str, N of them
    probabilities : mapping of str to sequence of N floats, by the model's name; at most three
    title : str, of the axis: what is probable
    """
    n = len(characters)
    drawing = line_chart(
        {name: list(enumerate(values, 1)) for name, values in probabilities.items()},
        {
            name: LineStyle(colour, dash)
            for dash, (name, colour) in enumerate(
                zip(probabilities, (GREEN, BLUE, ORANGE), strict=False)
            )
        },
        Axis(_POSITION, (1, max(2, n))),
        Axis(title, (-0.15, 1.0), values=(0, 0.25, 0.5, 0.75, 1), form=".0%"),
        references={"": [(1, 0.5), (max(2, n), 0.5)]},
        height=height,
    )
    below = pa.table(
        {
            "kind": ["character"] * n,
            "name": list(characters.replace(" ", "·")),
            "x": np.arange(1.0, n + 1),
        }
    )
    rows = pa.concat_tables([drawing.table, below], promote_options="default")
    spec = drawing.spec | {"layer": [*drawing.spec["layer"], _characters_below(n)]}
    return Drawing(spec, rows, drawing.description)


def _characters_below(n: int) -> vl.Spec:
    """Return the layer that writes n characters at the foot of a line chart, if there is room."""
    place = {"x": vl.field("x:Q", title=_POSITION), "y": vl.value("height"), "text": "name:N"}
    when = f"datum.kind == 'character' && width >= {_PIXELS_PER_LETTER * n}"
    size = vl.expression(f"clamp(1.4 * width / {n}, 12, 18)")  # these letters are narrow
    return vl.mark("text", place, when=when, font="monospace", fontSize=size, dy=-10)
