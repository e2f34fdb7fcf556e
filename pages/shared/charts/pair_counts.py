"""Neighbours by how often they stand in a text; the pair that is merged next is marked."""

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION

CHOSEN, TIED, OTHER = "merged next", "as frequent", "rarer"
_COLUMNS = ["rank", "left", "right", "left id", "right id", "count", "which"]
_COLOURS = {CHOSEN: VERMILLION, TIED: ORANGE, OTHER: BLUE}


def pair_frame(pairs: Sequence[tuple[str, str, int, int, int]]) -> pd.DataFrame:
    """Return one row per pair: rank, left, right, left id, right id, count, and which it is.

    Parameters
    ----------
    pairs : sequence of (left, right, left id, right id, count)
        The one that is merged next first.
    """
    most = max((pair[-1] for pair in pairs), default=0)
    kinds = [OTHER if pair[-1] < most else TIED for pair in pairs]
    kinds[:1] = [CHOSEN] * len(kinds[:1])
    rows = [
        (rank, *pair, kind) for rank, (pair, kind) in enumerate(zip(pairs, kinds, strict=True), 1)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


def pair_chart(frame: pd.DataFrame, *, most: int, rows: int, height: int = 300) -> Drawing:
    """Draw a `pair_frame` as bars, on an axis that stays from step to step.

    Parameters
    ----------
    frame : DataFrame
    most : int
        The largest count of all steps; the axis ends at the next of 2, 5, 10, 20, 50, ...
    rows : int
        Room for so many pairs.
    """
    notes = {CHOSEN: "  ← merged next", TIED: "  tied", OTHER: ""}
    data = frame.assign(
        top=frame["rank"] - 0.85,
        bottom=frame["rank"] - 0.15,
        middle=frame["rank"] - 0.5,
        colour=[_COLOURS[kind] for kind in frame["which"]],
        pair=[f"{a} + {b}" for a, b in zip(frame["left"], frame["right"], strict=True)],
        note=[f"{n}{notes[k]}" for n, k in zip(frame["count"], frame["which"], strict=True)],
    )
    return Drawing(
        _spec(_end(most), rows, height), data, "Bars: pairs of neighbours by their counts."
    )


def _end(most: int) -> int:
    """Return the least of 2, 5, 10, 20, 50, ... that is not below: few axes serve all texts."""
    end, steps = 2, cycle((5 / 2, 2.0, 2.0))
    while end < most:
        end = round(end * next(steps))
    return end


@cache
def _spec(most: int, rows: int, height: int) -> dict[str, Any]:
    room = 1.45  # for the notes behind the bars
    x_scale = alt.Scale(domain=[-0.42 * most, room * most], nice=False)
    ticks = sorted({0, most // 2, most})
    y_scale = alt.Scale(domain=[0, rows], reverse=True, nice=False)
    x_axis = alt.Axis(values=ticks, title="times in the text", format="d")
    base = alt.Chart().transform_calculate(zero="0")
    tooltip = ["left:N", "right:N", "left id:Q", "right id:Q", "count:Q", "which:N"]
    bars = base.mark_rect(stroke=GREY, strokeWidth=0.5).encode(
        x=alt.X("zero:Q", scale=x_scale, axis=x_axis),
        x2="count:Q",
        y=alt.Y("top:Q", scale=y_scale, axis=None),
        y2="bottom:Q",
        color=alt.Color("colour:N", scale=None),
        tooltip=tooltip,
    )
    middle = alt.Y("middle:Q", scale=y_scale, axis=None)
    notes = base.mark_text(align="left", baseline="middle", dx=5).encode(
        x=alt.X("count:Q", scale=x_scale, axis=x_axis), y=middle, text="note:N"
    )
    names = base.mark_text(align="right", baseline="middle", dx=-6, font="monospace").encode(
        x=alt.X("zero:Q", scale=x_scale, axis=x_axis), y=middle, text="pair:N"
    )
    return specification(alt.layer(bars, notes, names).properties(height=height))
