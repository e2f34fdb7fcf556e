"""Where many starts led: each a mark, stacked where they led to the same."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, VERMILLION

_BINS = 40
PICKED = "start"
"""The chart's selection, by the number of the start."""


def outcome_frame(numbers: Sequence[int], values: Sequence[float]) -> pd.DataFrame:
    """Return where each start led: start, value, times (how many led to the same place).

    Parameters
    ----------
    numbers : sequence of int
        Of the starts.
    values : sequence of float
        Infinite ones are left out. Values that differ by less than a fortieth of their range count
        as the same.
    """
    pairs = [(n, v) for n, v in zip(numbers, values, strict=True) if math.isfinite(v)]
    frame = pd.DataFrame(pairs, columns=["start", "value"])
    bins = _bins(frame["value"].tolist())
    counts = Counter(bins)
    return frame.assign(times=[counts[place] for place in bins])


def outcome_histogram(
    frame: pd.DataFrame, *, title: str, chosen: int | None, height: int = 220
) -> Drawing:
    """Draw an `outcome_frame` as a histogram of marks, each of which can be clicked.

    Parameters
    ----------
    frame : DataFrame
    title : str
        Of the axis across, with the unit.
    chosen : int, optional
        The start to mark.
    """
    values = frame["value"].tolist()
    bins, seen, stack = _bins(values), Counter(), []
    for place in bins:
        seen[place] += 1
        stack.append(seen[place])
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    middle = [low + (place + 0.5) / _BINS * (high - low) for place in bins]
    data = frame.assign(place=middle, stack=stack, chosen=frame["start"] == chosen)
    return Drawing(_spec(title, height), data, f"Marks: {title} that each start led to.")


def picked_start(selection: Mapping[str, Any]) -> int | None:
    """Return the start that was clicked in an `outcome_histogram`, None if none was."""
    points = selection.get(PICKED) or []
    return int(points[0]["start"]) if points else None


def _bins(values: Sequence[float]) -> list[int]:
    if not values:
        return []
    low, high = min(values), max(values)
    width = (high - low) / _BINS
    if width <= 1e-9 * max(abs(low), abs(high), 1.0):
        return [_BINS // 2] * len(values)
    return [min(_BINS - 1, int((value - low) / width)) for value in values]


@cache
def _spec(title: str, height: int) -> dict[str, Any]:
    x = alt.X(
        "place:Q",
        axis=alt.Axis(title=title, tickCount=6, format=",.5~g"),
        scale=alt.Scale(zero=False, nice=False, padding=14),
    )
    y = alt.Y(
        "stack:Q",
        axis=alt.Axis(title="starts", tickMinStep=1, format="d"),
        scale=alt.Scale(domainMin=0, nice=False, padding=8),
    )
    tooltip = ["start:Q", alt.Tooltip("value:Q", format=",.5~g"), "times:Q"]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    click = alt.selection_point(name=PICKED, fields=["start"], on="click", clear=False)
    marks = base.mark_point(filled=True, size=70, opacity=0.9, color=BLUE, cursor="pointer")
    marks = marks.add_params(click)
    ring = base.transform_filter("datum.chosen").mark_point(
        filled=False, size=260, strokeWidth=3, color=VERMILLION, shape="square"
    )
    return specification(alt.layer(marks, ring).properties(height=height))
