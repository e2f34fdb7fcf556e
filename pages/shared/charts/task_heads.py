"""Four heads on one encoder: which of its vectors each reads, as small diagrams side by side."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import GREY, PURPLE, VERMILLION

_TOKEN, _VECTOR, _HEAD, _ARROW = "token", "vector", "head", "arrow"
_NAME, _NOTE, _FRAME = "name", "note", "frame"
_COLUMNS = ("kind", "x", "y", "x2", "y2", "text", "state")
_ROWS = {_TOKEN: 0.1, _VECTOR: 0.31, "mean": 0.49, _HEAD: 0.67}
"""Height of each in a panel, from 0 at its foot to 1."""
_NAMED, _NOTED = 0.96, 0.84
_READ, _UNREAD = "read", "unread"


class HeadPanel(NamedTuple):
    """A head on the vectors of some tokens.

    Attributes
    ----------
    name : str
        Of the task.
    tokens : tuple of str
        A few letters each.
    read : tuple of int
        Places of the tokens whose vectors the head reads.
    outputs : tuple of str
        One for each vector that is read; or a single one, for their mean.
    note : str
        What comes out, in a few words.
    """

    name: str
    tokens: tuple[str, ...]
    read: tuple[int, ...]
    outputs: tuple[str, ...]
    note: str


def heads_diagram(panels: Sequence[HeadPanel], chosen: str, *, height: int = 300) -> Drawing:
    """Draw heads two in a row, the chosen one framed.

    Parameters
    ----------
    panels : sequence of HeadPanel
    chosen : str
        Name of one of them.
    height : int
        In pixels.
    """
    rows = [
        row
        for number, panel in enumerate(panels)
        for row in _panel(panel, number % 2, -(number // 2), is_chosen=panel.name == chosen)
    ]
    table = pa.table(dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    n_rows = (len(panels) + 1) // 2
    spec = filled(_spec(height), foot=1.0 - n_rows)
    return Drawing(spec, table, "Diagram: which of the encoder's vectors each task's head reads.")


def _panel(panel: HeadPanel, left: int, foot: int, *, is_chosen: bool) -> list[tuple[Any, ...]]:
    """Return the rows of one head in the unit square whose lower left corner is given."""
    n = len(panel.tokens)
    xs = [left + (i + 0.75) / (n + 0.5) for i in range(n)]
    token, vector, mean, head = (foot + height for height in _ROWS.values())
    rows: list[tuple[Any, ...]] = [
        (_NAME, left + 0.5, foot + _NAMED, None, None, panel.name, ""),
        (_NOTE, left + 0.5, foot + _NOTED, None, None, panel.note, ""),
    ]
    if is_chosen:
        rows.append((_FRAME, left + 0.015, foot + 0.015, left + 0.985, foot + 0.99, "", ""))
    for i, (x, text) in enumerate(zip(xs, panel.tokens, strict=True)):
        state = _READ if i in panel.read else _UNREAD
        rows += [
            (_TOKEN, x, token, None, None, text, state),
            (_ARROW, x, token + 0.07, x, vector - 0.06, "", _UNREAD),
            (_VECTOR, x, vector, None, None, "", state),
        ]
    is_mean = len(panel.outputs) < len(panel.read)
    ends = [left + 0.5] * len(panel.read) if is_mean else [xs[i] for i in panel.read]
    top = mean - 0.05 if is_mean else head - 0.07
    rows += [
        (_ARROW, xs[i], vector + 0.06, end, top, "", _READ)
        for i, end in zip(panel.read, ends, strict=True)
    ]
    if is_mean:
        rows.append((_HEAD, left + 0.5, mean, None, None, "mean", _READ))
        rows.append((_ARROW, left + 0.5, mean + 0.05, left + 0.5, head - 0.06, "", _READ))
    at = [left + 0.5] if is_mean else ends
    rows += [
        (_HEAD, x, head, None, None, text, _READ) for x, text in zip(at, panel.outputs, strict=True)
    ]
    return rows


@cache
def _spec(height: int) -> dict[str, Any]:
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, 2], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=["$foot", 1], nice=False), axis=None)
    base = alt.Chart().encode(x=x, y=y)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    is_read = f"datum.state == '{_READ}'"
    size = alt.ExprRef("clamp(width / 25, 9, 22)")
    layers = (
        of(_ARROW)
        .mark_rule()
        .encode(
            x2="x2:Q",
            y2="y2:Q",
            color=alt.condition(is_read, alt.value(PURPLE), alt.value(GREY)),
            strokeWidth=alt.condition(is_read, alt.value(1.6), alt.value(0.8)),
        ),
        of(_VECTOR)
        .mark_point(shape="square", size=90, strokeWidth=1.2, stroke=GREY, opacity=1, filled=True)
        .encode(color=alt.condition(is_read, alt.value(PURPLE), alt.value("#dddddd"))),
        of(_TOKEN).mark_text(baseline="middle", fontSize=size).encode(text="text:N"),
        of(_HEAD).mark_text(baseline="middle", fontSize=size).encode(text="text:N"),
        of(_NAME).mark_text(baseline="top", fontWeight="bold").encode(text="text:N"),
        of(_NOTE).mark_text(baseline="top", fontSize=size).encode(text="text:N"),
        of(_FRAME)
        .mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2, cornerRadius=6)
        .encode(x2="x2:Q", y2="y2:Q"),
    )
    return specification(alt.layer(*layers).properties(height=height))
