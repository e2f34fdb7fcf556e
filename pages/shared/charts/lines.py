"""The line chart of the lab: any quantity of several models, over steps, places or lengths."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import POWER_OF_TEN, TEXT_SIZE, Drawing, filled, specification
from pages.shared.charts.palette import GREY, GUESS, ORANGE, VERMILLION

_LINE, _REFERENCE, _NOW, _BAND = "line", "reference", "now", "band"
_DOT, _RING, _GUESSED, _WAITING = "dot", "ring", "guess", "waiting"
_COLUMN, _BAR = "column", "bar"
_TEXT, _NUMBER = pa.string(), pa.float64()
_COLUMNS = pa.schema(
    {
        "kind": _TEXT,
        "name": _TEXT,
        "x": _NUMBER,
        "y": _NUMBER,
        "colour": _TEXT,
        "dash": pa.int64(),
        "label": _TEXT,
        "label_at": _NUMBER,
        "low": _NUMBER,
        "high": _NUMBER,
        "end": _NUMBER,
    }
)
_DASHES = ([1, 0], [6, 3], [2, 2])
_SHAPES = ("circle", "square", "triangle-up")
_LEAST_APART = 0.065
"""Of the axis: the least distance between two names."""
_LINE_HEIGHT = 1.2
"""Of a name, by the size of its text."""
_AXIS = 60
"""Pixels of a chart's height that its axis takes."""
_REACH = 0.28
"""Of an axis: the length of the longest bar of a class's histogram."""
_ROOM = 0.4
"""Beyond the end of the lines, for their names: enough for twelve letters on a phone."""
_LETTER = _ROOM / 12
_LEADER = 14
"""Pixels from the end of a line to where its name begins."""


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
    form : str
        How its numbers are written, in d3's notation: ``%`` for shares.
    least_name : str
        Written at its lower end in place of the number: 0, on a logarithmic axis.
    """

    title: str
    domain: tuple[float, float]
    is_logarithmic: bool = False
    values: tuple[float, ...] = ()
    form: str = ",~g"
    least_name: str = ""

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


class LineStyle(NamedTuple):
    """How a line is drawn: its colour, and which of three dashes (and marks) it has."""

    colour: str
    dash: int = 0


class Guesses(NamedTuple):
    """Where guesses stand in a picture: a visitor's own, and those of their class.

    Attributes
    ----------
    own : (x, y) pair or None
    of_class : sequence of (x, y, count) triples
        A place for each answer on offer, and how many chose it.
    """

    own: tuple[float, float] | None = None
    of_class: Sequence[tuple[float, float, int]] = ()

    @property
    def along(self) -> Literal["x", "y"]:
        """The axis that was asked about: the upright one where all answers stand at one place of the other."""
        return "y" if len({x for x, _, _ in self.of_class}) == 1 else "x"

    @property
    def counts(self) -> list[tuple[float, int]]:
        """The places of the answers on that axis, and how many chose each."""
        return [(y if self.along == "y" else x, count) for x, y, count in self.of_class]

    @property
    def median(self) -> float | None:
        """The place that half of the class did not exceed; None where nobody answered."""
        chosen = sorted(value for value, count in self.counts for _ in range(count))
        return chosen[(len(chosen) - 1) // 2] if chosen else None


class Waiting(NamedTuple):
    """A line that waits for a guess, and where on an axis it is asked for.

    Attributes
    ----------
    name : str
        Of the line.
    at : float
    along : str
        The axis of `at`.
    """

    name: str
    at: float
    along: Literal["x", "y"] = "x"


class _Layers(NamedTuple):
    """Which layers a chart has beyond lines and references."""

    has_bands: bool
    has_dots: bool
    has_rings: bool
    has_guess: bool
    has_points: bool
    voted: str  # the kind of the histogram's bars; empty without one
    waits: str  # on which side of its rule what waits is named; empty where nothing does


_GUESS_STYLE = LineStyle(VERMILLION, 2)

Points = Sequence[tuple[float, float]]
Band = Sequence[tuple[float, float, float]]


def line_chart(
    lines: Mapping[str, Points],
    styles: Mapping[str, LineStyle],
    x: Axis,
    y: Axis,
    *,
    bands: Mapping[str, Band] | None = None,
    references: Mapping[str, Points] | None = None,
    dots: Mapping[str, Points] | None = None,
    rings: Mapping[str, Points] | None = None,
    guess: Guesses | None = None,
    waiting: Waiting | None = None,
    now: float | None = None,
    has_points: bool = False,
    has_names: bool = True,
    height: int = 320,
) -> Drawing:
    """Draw lines, each with its name at its right end, to which a short rule of its colour leads.

    Parameters
    ----------
    lines : mapping of str to (x, y) pairs
        By rising x. On a logarithmic axis, what is not positive is drawn at its end.
    styles : mapping of str to LineStyle
        Of each line, band and ring.
    x, y : Axis
    bands : mapping of str to (x, low, high) triples, optional
        Shaded, in the colour of the line of that name: a spread over seeds.
    references : mapping of str to (x, y) pairs, optional
        Thin grey lines with their names at their left ends: chance, theory.
    dots : mapping of str to (x, y) pairs, optional
        Grey dots, named in their tooltips: what others have published.
    rings : mapping of str to (x, y) pairs, optional
        Hollow marks in the colour of that name: what is measured just now.
    guess : Guesses, optional
        Where a visitor expected a line to be: a hollow triangle with its name; and a class: its
        histogram along the axis that it was asked about.
    waiting : Waiting, optional
        What is asked for and not drawn: a dashed rule where it is asked for, with its name and a
        question mark.
    now : float, optional
        Where a vertical line marks the present step.
    has_points : bool
        Whether each pair of a line has a mark.
    has_names : bool
        Whether lines have their names, and room for them beyond their ends; a small chart of one
        line says on its upright axis what it is.
    height : int
        In pixels.
    """
    rows: list[tuple] = []
    for name, pairs in (references or {}).items():
        rows += _rows(_REFERENCE, name, pairs, LineStyle(GREY), 0, pairs[0][1])
    for name, triples in (bands or {}).items():
        colour, dash = styles[name]
        rows += [
            (_BAND, name, x, None, colour, dash, "", None, low, high, None)
            for x, low, high in triples
        ]
    for name, pairs in (dots or {}).items():
        rows += _rows(_DOT, name, pairs, LineStyle(GREY))
    for name, pairs in (rings or {}).items():
        rows += _rows(_RING, name, pairs, styles[name])
    own, voted = None, ""
    if guess is not None:
        own = guess.own
        rows += _histogram(guess, x, y)
        voted = {"x": _COLUMN, "y": _BAR}[guess.along] if guess.of_class else ""
    if own is not None:
        rows += _rows(_GUESSED, GUESS, [own], _GUESS_STYLE, 0, own[1])
    waits = ""
    if waiting is not None:
        waits, row = _waiting_row(waiting, x, y)
        rows.append(row)
    if now is not None:
        rows.append((_NOW, "", now, y.domain[0], GREY, 0, "", None, None, None, None))

    def arranged(text_size: int) -> pa.Table:
        """Return all rows, with the names of the lines apart as text of that size needs it."""
        named: list[tuple] = []
        least_apart = max(_LEAST_APART, _LINE_HEIGHT * text_size / max(height - _AXIS, 1))
        for name, height_of_name in _label_heights(lines, x, y, least_apart).items():
            last = len(lines[name]) - 1 if has_names else None
            named += _rows(_LINE, name, lines[name], styles[name], last, height_of_name)
        return _table(named + rows)

    description = f"Lines: {y.title} against {x.title}, one for each name."
    layers = _Layers(
        bool(bands), bool(dots), bool(rings), own is not None, has_points, voted, waits
    )
    spec = _spec(x, y, layers, _ROOM if has_names else 0.0, height)
    return Drawing(spec, arranged(TEXT_SIZE), description, arranged)


def _table(rows: Sequence[tuple]) -> pa.Table:
    columns = [*zip(*rows, strict=True)] or [()] * len(_COLUMNS)
    return pa.table(
        [
            pa.array(column, field.type, from_pandas=True)
            for column, field in zip(columns, _COLUMNS, strict=True)
        ],
        schema=_COLUMNS,
    )


def _rows(
    kind: str,
    name: str,
    pairs: Points,
    style: LineStyle,
    named: int | None = None,
    label_at: float | None = None,
) -> list[tuple]:
    """Return the rows of a line, whose name is beside the pair of index `named`, if any."""
    rows: list[tuple] = [(kind, name, x, y, *style, "", None, None, None, None) for x, y in pairs]
    if named is not None:
        x, y = pairs[named]
        rows[named] = (kind, name, x, y, *style, name, label_at, None, None, None)
    return rows


def _waiting_row(waiting: Waiting, x: Axis, y: Axis) -> tuple[str, tuple]:
    """Return the row of a rule across the picture, and on which side of its beginning it is named."""
    said = f"{waiting.name}: ?"
    if waiting.along == "x":
        side = "left" if x.place(waiting.at) > 0.5 else "right"
        begin, end, low, high = waiting.at, waiting.at, *y.domain
    else:
        side = "right"
        (begin, end), low, high = x.domain, waiting.at, waiting.at
    return side, (_WAITING, waiting.name, begin, None, GREY, 1, said, low, low, high, end)


def _histogram(guess: Guesses, x: Axis, y: Axis) -> list[tuple]:
    """Return a bar for each value that somebody chose, from the axis inwards, with its count."""
    most = max([1, *(count for _, count in guess.counts)])
    middle = guess.median
    rows: list[tuple] = []
    for value, count in guess.counts:
        reach = _REACH * count / most
        said = "" if not count else f"{count} · median" if value == middle else f"{count}"
        if guess.along == "x":
            ends = (y.domain[0], y.value(reach), None)
            rows.append((_COLUMN, "", value, None, ORANGE, 0, said, None, *ends))
        else:
            end = x.value(reach)
            rows.append((_BAR, "", x.domain[0], value, ORANGE, 0, said, None, None, None, end))
    return rows


def _label_heights(
    lines: Mapping[str, Points], x: Axis, y: Axis, least_apart: float
) -> dict[str, float]:
    """Return at which height each line's name is drawn: near its last point, apart from its neighbours."""
    heights = {name: pairs[-1][1] for name, pairs in lines.items()}
    for together in _side_by_side({name: x.place(pairs[-1][0]) for name, pairs in lines.items()}):
        together.sort(key=heights.__getitem__)
        places = spread([y.place(heights[name]) for name in together], least_apart)
        heights |= {name: y.value(place) for name, place in zip(together, places, strict=True)}
    return heights


def _side_by_side(starts: Mapping[str, float]) -> list[list[str]]:
    """Return names in groups, of which none reaches as far to the right as the next one begins."""
    groups: list[list[str]] = []
    reach = -1.0
    for name in sorted(starts, key=starts.__getitem__):
        if starts[name] > reach:
            groups.append([])
        groups[-1].append(name)
        reach = max(reach, starts[name] + _LETTER * len(name))
    return groups


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
    for group in groups:
        lowest, _ = _ends(group, least)
        spread_out += [round(lowest + i * least, 6) for i in range(group[1])]
    return spread_out


def _ends(group: tuple[float, int], least: float) -> tuple[float, float]:
    """Return the places of a group's lowest and highest name, between 0 and 1 if there is room."""
    middle, n = group
    half = (n - 1) / 2 * least
    middle = max(half, min(middle, 1.0 - half))
    return middle - half, middle + half


def _overlap(lower: tuple[float, int], upper: tuple[float, int], least: float) -> bool:
    return _ends(upper, least)[0] - _ends(lower, least)[1] < least - 1e-9


class _Ends(NamedTuple):
    """What of an axis is filled into a specification: it follows the data from move to move."""

    title: str
    low: float
    high: float
    labels: str

    @classmethod
    def of(cls, axis: Axis, room: float = 0.0) -> Self:
        """Return those of an axis, with room for names beyond its end."""
        low, high = axis.domain
        form = f"format(datum.value, '{axis.form}')"
        if axis.is_logarithmic:
            far = "datum.value != 0 && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e6)"
            form = f"{far} ? {POWER_OF_TEN} : {form}"
        if axis.least_name:
            form = f"datum.value <= {low} ? '{axis.least_name}' : {form}"
        labels = f"datum.value > {high} ? '' : {form}"
        return cls(axis.title, low, axis.value(1.0 + room), labels)

    def named(self, name: str) -> dict[str, Any]:
        """Return the values by the names that `filled` looks for."""
        return {f"{name}_{part}": value for part, value in self._asdict().items()}


@lru_cache(maxsize=64)
def _spec(x: Axis, y: Axis, layers: _Layers, room: float, height: int) -> dict[str, Any]:
    of_x, of_y = _Ends.of(x, room).named("x"), _Ends.of(y).named("y")
    kinds = (x.is_logarithmic, y.is_logarithmic)
    return filled(_template(*kinds, x.values, y.values, layers, height), **of_x, **of_y)


@lru_cache(maxsize=64)
def _template(
    x_is_logarithmic: bool,
    y_is_logarithmic: bool,
    x_values: tuple[float, ...],
    y_values: tuple[float, ...],
    layers: _Layers,
    height: int,
) -> dict[str, Any]:
    x_channel, _ = _channel(alt.X, "x", x_is_logarithmic, x_values)
    y_channel, y_scale = _channel(alt.Y, "y", y_is_logarithmic, y_values)
    base = alt.Chart().encode(x_channel)
    colour = alt.Color("colour:N", scale=None)
    order = list(range(len(_DASHES)))
    dash = alt.StrokeDash("dash:N", legend=None, scale=alt.Scale(domain=order, range=_DASHES))
    shape = alt.Shape("dash:N", legend=None, scale=alt.Scale(domain=order, range=_SHAPES))
    tooltip = [
        "name:N",
        alt.Tooltip("x:Q", title="$x_title", format=","),
        alt.Tooltip("y:Q", title="$y_title", format=".3~g"),
    ]

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    label_at = alt.Y("label_at:Q", scale=y_scale)
    low = alt.Y("low:Q", scale=y_scale)
    drawn = [
        of(_REFERENCE).mark_line(color=GREY, strokeWidth=1).encode(y_channel, detail="name:N"),
        of(_REFERENCE).mark_text(align="left", dx=4, dy=-9).encode(y=label_at, text="label:N"),
        of(_NOW).mark_rule(color=GREY, strokeDash=[3, 3], strokeWidth=1.5),
        of(_LINE)
        .mark_line(strokeWidth=2)
        .encode(y_channel, color=colour, strokeDash=dash, detail="name:N", tooltip=tooltip),
        of(_LINE).mark_text(align="left", dx=_LEADER + 3).encode(y=label_at, text="label:N"),
        # In the line's colour from its end to its name, which may have been moved apart from others.
        of(_LINE)
        .transform_filter("datum.label != ''")
        .mark_rule(strokeWidth=1.5, xOffset=2, x2Offset=_LEADER)
        .encode(y_channel, x2="x:Q", y2="label_at:Q", color=colour),
    ]
    if layers.has_bands:
        band = of(_BAND).mark_area(opacity=0.18)
        drawn.append(band.encode(low, y2="high:Q", color=colour, detail="name:N"))
    if layers.has_points:
        points = of(_LINE).mark_point(size=45, filled=True, opacity=1)
        drawn.append(points.encode(y_channel, color=colour, shape=shape, tooltip=tooltip))
    if layers.has_dots:
        dots = of(_DOT).mark_point(size=45, filled=True, opacity=1, color=GREY)
        drawn.append(dots.encode(y_channel, tooltip=tooltip))
    if layers.has_rings:
        rings = of(_RING).mark_point(size=130, filled=False, strokeWidth=2)
        drawn.append(rings.encode(y_channel, color=colour, shape=shape, tooltip=tooltip))
    if layers.has_guess:
        guess = of(_GUESSED).mark_point(size=130, filled=False, strokeWidth=2.5, opacity=1)
        drawn.append(guess.encode(y_channel, color=colour, shape=shape, tooltip=tooltip))
        name = of(_GUESSED).mark_text(dy=-15)
        drawn.append(name.encode(y=label_at, text="label:N"))
    if layers.waits:
        rule = of(_WAITING).mark_rule(color=GREY, strokeDash=[6, 4], strokeWidth=2)
        drawn.append(rule.encode(low, y2="high:Q", x2="end:Q"))
        is_left = layers.waits == "left"
        name = of(_WAITING).mark_text(
            align="right" if is_left else "left",
            dx=-7 if is_left else 7,
            baseline="bottom",
            dy=-5,
            fontWeight="bold",
        )
        drawn.append(name.encode(y=label_at, text="label:N"))
    if layers.voted:
        drawn += _histogram_marks(of(layers.voted), layers.voted, y_channel, y_scale)
    return specification(alt.layer(*drawn).properties(height=height))


def _histogram_marks(base: alt.Chart, voted: str, y: alt.Y, scale: alt.Scale) -> list[alt.Chart]:
    bars = base.mark_rule(strokeWidth=16, opacity=0.45, color=ORANGE)
    if voted == _COLUMN:
        counts = base.mark_text(dy=-9).encode(y=alt.Y("high:Q", scale=scale), text="label:N")
        return [bars.encode(alt.Y("low:Q", scale=scale), y2="high:Q"), counts]
    counts = base.mark_text(align="left", dx=6).encode(y, x="end:Q", text="label:N")
    return [bars.encode(y, x2="end:Q"), counts]


def _channel(
    kind: type, field: str, is_logarithmic: bool, values: tuple[float, ...]
) -> tuple[Any, alt.Scale]:
    """Return an axis's channel and scale; its ends are filled in."""
    scale = alt.Scale(
        type="log" if is_logarithmic else "linear",
        domain=[f"${field}_low", f"${field}_high"],
        clamp=True,
        nice=False,
    )
    ticks = {"values": list(values)} if values else {"tickCount": 6}
    shown = alt.Axis(
        title=f"${field}_title",
        labelExpr=f"${field}_labels",
        labelOverlap=True,
        grid=field == "y",
        **ticks,
    )
    return kind(f"{field}:Q", scale=scale, axis=shown), scale
