"""What a class has guessed, with the truth, the class's median and one's own guess marked."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, visible

_TEXT, _LINE, _CHARACTERS = 16, 19, 26
"""Size of the letters and height of a line in pixels; characters of a line beside a picture."""
_BAR, _GAP = 18, 12
_MOST_BARS = 10
_RIGHT, _OWN, _MEDIAN = "right", "yours", "median"
_COLOURS = {_RIGHT: GREEN, _OWN: ORANGE, _MEDIAN: GREY}


def class_bars(counts: Mapping[str, int], own: Collection[str], right: Collection[str]) -> Drawing:
    """Draw how many chose each answer: a bar each, the right one green, with a tick; one's own is named.

    `counts`: mapping of str to int, in the order of the bars; of many, the first ten, and those marked.
    """
    kept = [s for i, s in enumerate(counts) if i < _MOST_BARS or s in own or s in right]
    named = [visible(said) if said != said.strip() else said for said in kept]
    lines = [textwrap.wrap(name, _CHARACTERS) or [name] for name in named]
    rows = [
        {
            "answer": name,
            "name": "\n".join(of_name),
            "rank": i,
            "count": counts[said],
            "colour": GREEN if said in right else BLUE,
            "text": " ".join([f"{counts[said]}", *_marks(said, own, right)]),
        }
        for i, (said, name, of_name) in enumerate(zip(kept, named, lines, strict=True))
    ]
    most = float(max(counts.values(), default=1) + 0.35 * max(1, sum(counts.values())))
    height = _LINE * max(map(len, lines), default=1) + 4 + _BAR + _GAP
    top = vl.expression("-bandwidth('y') / 2")
    bar_at = vl.expression(f"bandwidth('y') / 2 - {_GAP + _BAR / 2}")
    place = {
        "y": vl.field("answer:N", sort=vl.by("rank"), axis=None, scale={"padding": 0}),
        "x": vl.field("count:Q", scale=vl.scale(0, most), axis=None),
    }
    above = {"y": place["y"], "x": {"value": 0}, "text": "name:N"}
    text: vl.Spec = {"align": "left", "fontSize": _TEXT}
    spec = vl.layered(
        vl.mark("text", above, baseline="top", lineBreak="\n", yOffset=top, **text),
        vl.mark("bar", place, {"color": vl.literal("colour:N")}, height=_BAR, yOffset=bar_at),
        vl.mark("text", place, {"text": "text:N"}, dx=6, yOffset=bar_at, **text),
        height=12 + height * len(kept),
    )
    return Drawing(
        spec, pa.Table.from_pylist(rows), "Bars: how many of the class gave each answer."
    )


def _marks(said: str, own: Collection[str], right: Collection[str]) -> list[str]:
    return ["✓"] * (said in right) + [f"◀ {_OWN}"] * (said in own)


def class_histogram(
    bins: Sequence[tuple[float, float, int]],
    median: Sequence[float],
    own: float | None,
    right: float | None,
) -> Drawing:
    """Draw numbers as a histogram along their axis; lines mark the right one, the median and one's own.

    Parameters
    ----------
    bins : sequence of (low, high, count), in order, without gaps
    median : sequence of float, one number, or none
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
    across = _beyond(bins[0][0], bins[-1][1])
    bar = {
        "x": vl.field("low:Q", scale=across, title=None),
        "x2": "high",
        "y": vl.field(
            "count:Q",
            title="answers",
            scale={"domain": [0, 1.5 * most]},
            axis={"tickMinStep": 1, "tickCount": 4},
        ),
        "y2": "zero",
    }
    at = {"x": vl.field("at:Q", scale=across)}
    name = {"y": "top:Q", "text": "mark:N"}
    spec = vl.layered(
        vl.mark("bar", bar, color=BLUE, stroke="white", strokeWidth=1),
        vl.mark("rule", at, {"color": vl.literal("colour:N")}, strokeWidth=3),
        vl.mark("text", at, name, align="left", dx=5),
        height=190,
    )
    description = "Histogram: the numbers of the class along their axis."
    return Drawing(spec, _table(bars + rules), description)


def class_points(
    points: Sequence[tuple[float, float]],
    median: Sequence[float],
    own: tuple[float, float] | None,
    right: tuple[float, float] | None,
    axes: tuple[str, ...],
    ends: tuple[float, float],
    names: Sequence[str] = (),
) -> Drawing:
    """Draw points in a plane; the right one, the median and one's own are named.

    Parameters
    ----------
    points : sequence of (x, y)
    median : sequence of float, two coordinates, or none
    own, right : (x, y) or None
    axes : pair of str, names of the axes
    ends : pair of float, of both axes
    names : sequence of str, of the points; empty where they have none
    """
    dots = [
        {"x": x, "y": y, "colour": BLUE, "mark": name, "size": 60}
        for (x, y), name in zip(points, names or [""] * len(points), strict=True)
    ]
    marks = [(_MEDIAN, tuple(median) or None), (_OWN, own), (_RIGHT, right)]
    named = [
        {"x": at[0], "y": at[1], "colour": _COLOURS[name], "mark": name, "size": 180}
        for name, at in marks
        if at is not None
    ]
    square = _beyond(*ends)
    place = {
        channel: vl.field(f"{channel}:Q", scale=square, title=title)
        for channel, title in zip("xy", axes, strict=True)
    }
    look = {"color": vl.literal("colour:N"), "size": vl.literal("size:Q")}
    # Two points that are close keep their names apart.
    aside = vl.expression(f"datum.mark === '{_MEDIAN}' ? 14 : -6")
    spec = vl.layered(
        vl.mark("point", place, look, filled=True, opacity=0.8),
        vl.mark("text", place, {"text": "mark:N"}, align="left", dx=9, dy=aside, fontWeight="bold"),
        height=300,
    )
    return Drawing(spec, _table(dots + named), "Points: where the class put theirs in the plane.")


def _beyond(low: float, high: float) -> vl.Spec:
    """Return the scale of an axis with room for half of what is written at each end."""
    room = 0.03 * (high - low)
    return vl.scale(low - room, high + room)


def _table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows of several kinds as one table: what a row does not have is missing."""
    columns = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in columns})
