"""What a class has guessed, with the truth, the class's median and one's own guess marked."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, visible

_ROW = 28
"""Height of a bar with its gap, in pixels."""
_MOST_BARS = 10
_RIGHT, _OWN, _MEDIAN = "right", "yours", "median"
_DY = alt.ExprRef(f"datum.mark === '{_MEDIAN}' ? 14 : -6")
"""Where a name stands, so that two points that are close keep theirs apart."""
_COLOURS = {_RIGHT: GREEN, _OWN: ORANGE, _MEDIAN: GREY}


def class_bars(counts: Mapping[str, int], own: str | None, right: Collection[str]) -> Drawing:
    """Draw how many chose each answer: a bar each, the right one green, with a tick; one's own is named.

    Parameters
    ----------
    counts : mapping of str to int
        In the order of the bars; of many, the first ten, and those marked.
    own : str or None
    right : collection of str
    """
    kept = [s for i, s in enumerate(counts) if i < _MOST_BARS or s == own or s in right]
    total = max(1, sum(counts.values()))
    rows = [
        {
            "answer": visible(said) if said != said.strip() else said,
            "rank": i,
            "count": counts[said],
            "colour": GREEN if said in right else BLUE,
            "text": " ".join([f"{counts[said]}", *_marks(said, own, right)]),
        }
        for i, said in enumerate(kept)
    ]
    spec = filled(_bars_spec(), most=float(max(counts.values(), default=1) + 0.35 * total))
    drawn = spec | {"height": 12 + _ROW * len(kept)}
    return Drawing(
        drawn, pa.Table.from_pylist(rows), "Bars: how many of the class gave each answer."
    )


def _marks(said: str, own: str | None, right: Collection[str]) -> list[str]:
    return ["✓"] * (said in right) + [f"◀ {_OWN}"] * (said == own)


@cache
def _bars_spec() -> dict[str, Any]:
    names = alt.Axis(title=None, labelLimit=230, labelOverlap=False, ticks=False, domain=False)
    y = alt.Y("answer:N", sort=alt.EncodingSortField("rank", op="min"), axis=names)
    x = alt.X("count:Q", scale=alt.Scale(domain=[0, "$most"], nice=False), axis=None)
    base = alt.Chart().encode(y=y, x=x)
    bars = base.mark_bar(height=alt.RelativeBandSize(0.62)).encode(
        color=alt.Color("colour:N", scale=None)
    )
    return specification(alt.layer(bars, base.mark_text(align="left", dx=6).encode(text="text:N")))


def class_histogram(
    bins: Sequence[tuple[float, float, int]],
    median: Sequence[float],
    own: float | None,
    right: float | None,
) -> Drawing:
    """Draw numbers as a histogram along their axis; lines mark the right one, the median and one's own.

    Parameters
    ----------
    bins : sequence of (low, high, count)
        In order, without gaps.
    median : sequence of float
        One number, or none.
    own, right : float or None
    """
    most = max([count for *_, count in bins] + [1])
    bars: list[dict[str, Any]] = [
        {"low": low, "high": high, "count": float(count), "zero": 0.0} for low, high, count in bins
    ]
    marks = [(_MEDIAN, next(iter(median), None)), (_OWN, own), (_RIGHT, right)]
    rules: list[dict[str, Any]] = [
        {
            "at": at,
            "mark": f"{name} {at:g}",
            "colour": _COLOURS[name],
            "top": most * (1.12 + 0.14 * i),
        }
        for i, (name, at) in enumerate(marks)
        if at is not None
    ]
    spec = filled(_histogram_spec(), **_beyond(bins[0][0], bins[-1][1]), most=1.5 * most)
    description = "Histogram: the numbers of the class along their axis."
    return Drawing(spec, _table(bars + rules), description)


@cache
def _histogram_spec() -> dict[str, Any]:
    scale = alt.Scale(domain=["$low", "$high"], nice=False)
    counts = alt.Y(
        "count:Q",
        title="answers",
        scale=alt.Scale(domain=[0, "$most"]),
        axis=alt.Axis(tickMinStep=1, tickCount=4),
    )
    base = alt.Chart()
    bars = base.mark_bar(color=BLUE, stroke="white", strokeWidth=1).encode(
        x=alt.X("low:Q", scale=scale, title=None), x2="high:Q", y=counts, y2="zero:Q"
    )
    colour = alt.Color("colour:N", scale=None)
    rules = base.mark_rule(strokeWidth=3).encode(x=alt.X("at:Q", scale=scale), color=colour)
    texts = base.mark_text(align="left", dx=5).encode(
        x=alt.X("at:Q", scale=scale), y=alt.Y("top:Q"), text="mark:N"
    )
    return specification(alt.layer(bars, rules, texts).properties(height=190))


def class_points(
    points: Sequence[tuple[float, float]],
    median: Sequence[float],
    own: tuple[float, float] | None,
    right: tuple[float, float] | None,
    axes: tuple[str, ...],
    ends: tuple[float, float],
) -> Drawing:
    """Draw points in a plane; the right one, the median and one's own are named.

    Parameters
    ----------
    points : sequence of (x, y)
    median : sequence of float
        Two coordinates, or none.
    own, right : (x, y) or None
    axes : pair of str
        Names of the axes.
    ends : pair of float
        Of both axes.
    """
    dots = [{"x": x, "y": y, "colour": BLUE, "mark": "", "size": 60} for x, y in points]
    marks = [(_MEDIAN, tuple(median) or None), (_OWN, own), (_RIGHT, right)]
    named = [
        {"x": at[0], "y": at[1], "colour": _COLOURS[name], "mark": name, "size": 180}
        for name, at in marks
        if at is not None
    ]
    spec = filled(_points_spec(), **_beyond(*ends), x=axes[0], y=axes[1])
    return Drawing(spec, _table(dots + named), "Points: where the class put theirs in the plane.")


@cache
def _points_spec() -> dict[str, Any]:
    scale = alt.Scale(domain=["$low", "$high"], nice=False)
    base = alt.Chart().encode(
        x=alt.X("x:Q", scale=scale, title="$x"), y=alt.Y("y:Q", scale=scale, title="$y")
    )
    dots = base.mark_point(filled=True, opacity=0.8).encode(
        color=alt.Color("colour:N", scale=None), size=alt.Size("size:Q", scale=None)
    )
    names = base.mark_text(align="left", dx=9, dy=_DY, fontWeight="bold").encode(text="mark:N")
    return specification(alt.layer(dots, names).properties(height=300))


def _beyond(low: float, high: float) -> dict[str, float]:
    """Return the ends of an axis, with room for half of what is written at each."""
    room = 0.03 * (high - low)
    return {"low": low - room, "high": high + room}


def _table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows of several kinds as one table: what a row does not have is missing."""
    columns = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in columns})
