"""Lines with their names at their ends: any quantity of several models, over steps, places or lengths."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY

_LINE, _REFERENCE, _NOW = "line", "reference", "now"
_COLUMNS = ("kind", "name", "x", "y", "colour", "dash", "label", "label_at")
_DASHES = ([1, 0], [6, 3], [2, 2])
_SHAPES = ("circle", "square", "triangle-up")
_LEAST_APART = 0.065
"""Of the axis: the least distance between two names."""
_ROOM = 0.4
"""Beyond the end of the lines, for their names: enough for twelve letters on a phone."""


class Axis(NamedTuple):
    """A fixed axis; what lies beyond its ends is drawn at them.

    Attributes
    ----------
    title : str
        With the unit.
    domain : pair of float
    is_logarithmic : bool
    values : tuple of float
        Ticks; by default what fits.
    """

    title: str
    domain: tuple[float, float]
    is_logarithmic: bool = False
    values: tuple[float, ...] = ()

    def place(self, value: float) -> float:
        """Return where on the axis a value is drawn, from 0 to 1."""
        low, high = self.domain
        value = min(max(value, low), high)
        if self.is_logarithmic:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def value(self, place: float) -> float:
        """Return the value that is drawn at a place; the inverse of `place`."""
        low, high = self.domain
        if self.is_logarithmic:
            return low * (high / low) ** place
        return low + (high - low) * place


class Look(NamedTuple):
    """How a line is drawn: its colour, and which of three dashes (and marks) it has."""

    colour: str
    dash: int = 0


Points = Sequence[tuple[float, float]]


def named_lines(
    lines: Mapping[str, Points],
    looks: Mapping[str, Look],
    x: Axis,
    y: Axis,
    *,
    references: Mapping[str, Points] | None = None,
    now: float | None = None,
    has_points: bool = False,
    height: int = 320,
) -> Drawing:
    """Draw lines, each with its name at its right end.

    Parameters
    ----------
    lines : mapping of str to (x, y) pairs
        By rising x, at least one. On a logarithmic axis, what is not positive is drawn at its end.
    looks : mapping of str to Look
    x, y : Axis
    references : mapping of str to (x, y) pairs, optional
        Thin grey lines with their names at their left ends.
    now : float, optional
        Where a vertical line marks the present step.
    has_points : bool
        Whether each pair has a mark.
    height : int
        In pixels.
    """
    rows: list[tuple] = []
    for name, height_of_name in _label_heights(lines, y).items():
        pairs = lines[name]
        rows += _rows(_LINE, name, pairs, looks[name], len(pairs) - 1, height_of_name)
    for name, pairs in (references or {}).items():
        rows += _rows(_REFERENCE, name, pairs, Look(GREY), 0, pairs[0][1])
    if now is not None:
        rows.append((_NOW, "", now, y.domain[0], GREY, 0, "", 0.0))
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    description = f"Lines: {y.title} against {x.title}, one for each model."
    return Drawing(_spec(x, y, has_points, height), frame, description)


def _rows(
    kind: str, name: str, pairs: Points, look: Look, named: int, label_at: float
) -> list[tuple]:
    """Return the rows of a line, whose name stands beside the pair of index `named`."""
    rows = [(kind, name, x, y, look.colour, look.dash, "", 0.0) for x, y in pairs]
    x, y = pairs[named]
    rows[named] = (kind, name, x, y, look.colour, look.dash, name, label_at)
    return rows


def _label_heights(lines: Mapping[str, Points], y: Axis) -> dict[str, float]:
    """Return at which height each line's name stands: near its last point, apart from its neighbours."""
    heights = {name: pairs[-1][1] for name, pairs in lines.items()}
    ends: dict[float, list[str]] = {}
    for name, pairs in lines.items():
        ends.setdefault(pairs[-1][0], []).append(name)
    for together in ends.values():
        together.sort(key=heights.__getitem__)
        places = spread([y.place(heights[name]) for name in together], _LEAST_APART)
        heights |= {name: y.value(place) for name, place in zip(together, places, strict=True)}
    return heights


def spread(places: Sequence[float], least: float) -> list[float]:
    """Move rising places between 0 and 1 apart to the least distance, each as little as may be.

    They stay between 0 and 1 as long as there is room.

    Examples
    --------
    >>> spread([0.5, 0.5], 0.2)
    [0.4, 0.6]
    """
    groups: list[tuple[float, int]] = []  # of each: the middle, and how many names it holds
    for place in places:
        groups.append((place, 1))
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], least):
            middle, n = groups.pop()
            before, n_before = groups.pop()
            together = n + n_before
            groups.append(((middle * n + before * n_before) / together, together))
    spread_out = []
    for middle, n in groups:
        half = (n - 1) / 2 * least
        middle = max(half, min(middle, 1.0 - half))
        spread_out += [round(middle - half + i * least, 6) for i in range(n)]
    return spread_out


def _overlap(lower: tuple[float, int], upper: tuple[float, int], least: float) -> bool:
    return upper[0] - lower[0] < least * (lower[1] + upper[1]) / 2 - 1e-9


@lru_cache(maxsize=32)
def _spec(x: Axis, y: Axis, has_points: bool, height: int) -> dict[str, Any]:
    x_channel, _ = _channel(alt.X, "x:Q", x, room=_ROOM)
    y_channel, y_scale = _channel(alt.Y, "y:Q", y)
    base = alt.Chart().encode(x_channel)
    colour = alt.Color("colour:N", scale=None)
    order = list(range(len(_DASHES)))
    dash = alt.StrokeDash("dash:N", legend=None, scale=alt.Scale(domain=order, range=_DASHES))
    shape = alt.Shape("dash:N", legend=None, scale=alt.Scale(domain=order, range=_SHAPES))
    tooltip = [
        "name:N",
        alt.Tooltip("x:Q", title=x.title, format=","),
        alt.Tooltip("y:Q", title=y.title, format=".3~g"),
    ]

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    label_at = alt.Y("label_at:Q", scale=y_scale)
    layers = [
        of(_REFERENCE).mark_line(color=GREY, strokeWidth=1).encode(y_channel, detail="name:N"),
        of(_REFERENCE).mark_text(align="left", dx=4, dy=-9).encode(y=label_at, text="label:N"),
        of(_NOW).mark_rule(color=GREY, strokeDash=[3, 3], strokeWidth=1.5),
        of(_LINE)
        .mark_line(strokeWidth=2)
        .encode(y_channel, color=colour, strokeDash=dash, detail="name:N", tooltip=tooltip),
        of(_LINE).mark_text(align="left", dx=8).encode(y=label_at, text="label:N"),
    ]
    if has_points:
        points = of(_LINE).mark_point(size=45, filled=True, opacity=1)
        layers.append(points.encode(y_channel, color=colour, shape=shape, tooltip=tooltip))
    return specification(alt.layer(*layers).properties(height=height))


def _channel(kind: type, field: str, axis: Axis, room: float = 0.0) -> tuple[Any, alt.Scale]:
    """Return an axis's channel and scale, with room for names beyond its end."""
    scale = alt.Scale(
        type="log" if axis.is_logarithmic else "linear",
        domain=[axis.domain[0], axis.value(1.0 + room)],
        clamp=True,
        nice=False,
    )
    ticks = {"values": list(axis.values)} if axis.values else {"tickCount": 6}
    shown = alt.Axis(
        title=axis.title,
        labelExpr="format(datum.value, abs(datum.value) < 1e-3 && datum.value != 0 ? '.0e' : ',~g')"
        if axis.is_logarithmic
        else "format(datum.value, ',~g')",
        labelOverlap=True,
        grid=field == "y:Q",
        **ticks,
    )
    return kind(field, scale=scale, axis=shown), scale
