"""The line chart of the lab: any quantity of several models, over steps, places or lengths."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import POWER_OF_TEN, TEXT_SIZE, Drawing
from pages.shared.charts.line_layers import (
    BAND,
    BAR,
    BEYOND,
    COLUMN,
    DOT,
    GUESSED,
    LINE,
    NOW,
    REFERENCE,
    RING,
    WAITING,
    LineLayers,
)
from pages.shared.charts.names_apart import side_by_side, spread
from pages.shared.charts.palette import GREY, GUESS, ORANGE, VERMILLION

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
_LEAST_APART = 0.065
"""Of the axis: the least distance between two names."""
_LINE_HEIGHT = 1.2  # of a name, by the size of its text
_AXIS, _OF_LARGE = 94, 60
"""Pixels of a chart's height that its axis takes; less are allowed for text for the back row, where charts are higher."""
_REACH = 0.28
"""Of an axis: the length of the longest bar of a class's histogram."""
_ROOM = 0.4
"""Beyond the end of the lines, for their names: enough for twelve letters on a phone."""
_LETTER = _ROOM / 12


class Axis(NamedTuple):
    """A fixed axis; what lies beyond its ends is drawn at them, on an upright one with an arrowhead."""

    title: str  # with the unit
    domain: tuple[float, float]
    is_logarithmic: bool = False
    values: tuple[float, ...] = ()  # ticks; by default what fits
    form: str = ",.6~r"  # how its numbers are written, in d3's notation: ``%`` for shares
    # written at its lower end in place of the number: 0, on a logarithmic axis
    least_name: str = ""
    # written in place of the numbers 0, 1, 2, ...: words, along a sentence
    names: tuple[str, ...] = ()

    @classmethod
    def around(cls, title: str, values: Sequence[float]) -> "Axis":
        """Return an axis of these values with a twentieth of their range beyond each end; never empty."""
        low, high = min(values), max(values)
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return cls(title, (low - margin, high + margin))

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
    """Where guesses stand in a picture: a visitor's own, and those of their class."""

    own: tuple[float, float] | None = None  # (x, y) pair or None
    # sequence of (x, y, count) triples: a place for each answer on offer, and how many chose it
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
    """A line that waits for a guess, and where on an axis it is asked for."""

    name: str  # of the line
    at: float
    along: Literal["x", "y"] = "x"  # the axis of `at`


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
    styles : mapping of str to LineStyle, of each line, band and ring
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
    now : float, where a vertical line marks the present step
    has_points : bool, whether each pair of a line has a mark
    has_names : bool
        Whether lines have their names, and room for them beyond their ends; a small chart of one
        line says on its upright axis what it is.
    height : int, in pixels
    """
    level, upright = _channel("x", x, _ROOM if has_names else 0.0), _channel("y", y)
    titled = [
        "name:N",
        vl.field("x:Q", title=x.title, format=","),
        vl.field("y:Q", title=y.title, format=",.3~r"),
    ]
    draw = LineLayers({"x": level}, {"y": upright}, {"tooltip": titled})
    layers = draw.lines()
    rows: list[tuple] = [
        row for name, pairs in lines.items() for row in _beyond(name, pairs, styles[name], y)
    ]
    layers += draw.beyond() if rows else []
    for name, pairs in (references or {}).items():
        rows += _rows(REFERENCE, name, pairs, LineStyle(GREY), 0, pairs[0][1])
    if bands:
        layers.append(draw.bands())
    for name, triples in (bands or {}).items():
        colour, dash = styles[name]
        rows += [
            (BAND, name, x, None, colour, dash, "", None, low, high, None)
            for x, low, high in triples
        ]
    if has_points:
        layers.append(draw.points())
    if dots:
        layers.append(draw.dots())
    for name, pairs in (dots or {}).items():
        rows += _rows(DOT, name, pairs, LineStyle(GREY))
    if rings:
        layers.append(draw.rings())
    for name, pairs in (rings or {}).items():
        rows += _rows(RING, name, pairs, styles[name])
    if guess is not None:
        rows += _histogram(guess, x, y)
    if guess is not None and guess.own is not None:
        rows += _rows(GUESSED, GUESS, [guess.own], _GUESS_STYLE, 0, guess.own[1])
        layers += draw.guess()
    if waiting is not None:
        side, row = _waiting_row(waiting, x, y)
        rows.append(row)
        layers += draw.waiting(side)
    if guess is not None and guess.of_class:
        layers += draw.histogram(guess.along)
    if now is not None:
        rows.append((NOW, "", now, y.domain[0], GREY, 0, "", None, None, None, None))

    def arranged(text_size: int) -> pa.Table:
        """Return all rows, with the names of the lines apart as text of that size needs it."""
        named: list[tuple] = []
        axis = _AXIS if text_size == TEXT_SIZE else _OF_LARGE
        least_apart = max(_LEAST_APART, _LINE_HEIGHT * text_size / max(height - axis, 1))
        for name, height_of_name in _label_heights(lines, x, y, least_apart).items():
            last = len(lines[name]) - 1 if has_names else None
            named += _rows(LINE, name, lines[name], styles[name], last, height_of_name)
        return _table(named + rows)

    spec = vl.layered(*layers, height=height)
    description = f"Lines: {y.title} against {x.title}, one for each name."
    # A reference that begins at the axis's end has its name beyond it as well.
    at_end = [name for name, pairs in (references or {}).items() if x.place(pairs[0][0]) >= 1.0]
    longest = max(map(len, [*lines, *at_end]), default=0) if has_names else 0
    return Drawing(spec, arranged(TEXT_SIZE), description, arranged, longest)


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


def _beyond(name: str, pairs: Points, style: LineStyle, axis: Axis) -> Iterator[tuple]:
    """Yield a row in the middle of each stretch of a line that lies beyond an end of the axis."""
    low, high = -math.inf if axis.least_name else axis.domain[0], axis.domain[1]
    finite = [pair for pair in pairs if math.isfinite(pair[1])]
    for side, stretch in groupby(finite, lambda pair: (pair[1] > high) - (pair[1] < low)):
        own = list(stretch)
        x, y = own[len(own) // 2]
        if side:
            yield BEYOND, name, x, y, style.colour, max(side, 0), "", None, None, None, None


def _waiting_row(waiting: Waiting, x: Axis, y: Axis) -> tuple[Literal["left", "right"], tuple]:
    """Return the row of a rule across the picture, and on which side of its beginning it is named."""
    said = f"{waiting.name}: ?"
    side: Literal["left", "right"] = "right"
    if waiting.along == "x":
        side = "left" if x.place(waiting.at) > 0.5 else "right"
        begin, end, low, high = waiting.at, waiting.at, *y.domain
    else:
        (begin, end), low, high = x.domain, waiting.at, waiting.at
    return side, (WAITING, waiting.name, begin, None, GREY, 1, said, low, low, high, end)


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
            rows.append((COLUMN, "", value, None, ORANGE, 0, said, None, *ends))
        else:
            end = x.value(reach)
            rows.append((BAR, "", x.domain[0], value, ORANGE, 0, said, None, None, None, end))
    return rows


def _label_heights(
    lines: Mapping[str, Points], x: Axis, y: Axis, least_apart: float
) -> dict[str, float]:
    """Return at which height each line's name is drawn: near its last point, apart from its neighbours."""
    heights = {name: pairs[-1][1] for name, pairs in lines.items()}
    reaches = {
        name: (x.place(pairs[-1][0]), x.place(pairs[-1][0]) + _LETTER * len(name))
        for name, pairs in lines.items()
    }
    for together in side_by_side(reaches):
        together.sort(key=heights.__getitem__)
        places = spread([y.place(heights[name]) for name in together], least_apart)
        heights |= {name: y.value(place) for name, place in zip(together, places, strict=True)}
    return heights


def _channel(column: Literal["x", "y"], axis: Axis, room: float = 0.0) -> vl.Spec:
    """Return an axis's channel, with room for names beyond its end."""
    low, high = axis.domain
    form = f"format(datum.value, '{axis.form}')"
    if axis.is_logarithmic:
        far = "datum.value != 0 && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e6)"
        form = f"{far} ? {POWER_OF_TEN} : {form}"
    if axis.least_name:
        form = f"datum.value <= {low} ? '{axis.least_name}' : {form}"
    if axis.names:
        form = f"{json.dumps(list(axis.names))}[datum.value]"
    kind = "log" if axis.is_logarithmic else "linear"
    shown = {
        "title": axis.title,
        "labelExpr": f"datum.value > {high} ? '' : {form}",
        "labelOverlap": True,
        "grid": column == "y",
    }
    if axis.names:
        apart = vl.expression(
            f"clamp(width / {2.1 * (1.0 + room) / 1.4 * len(axis.names):.3g}, 9, 15)"
        )
        shown |= {
            "labelOverlap": False,
            "labelAngle": -35,
            "labelAlign": "right",
            "labelFontSize": apart,
        }
    values = axis.values or tuple(map(float, range(len(axis.names))))
    ticks = {"values": list(values)} if values else {"tickCount": 6}
    scale = vl.scale(low, axis.value(1.0 + room), type=kind, clamp=True)
    return vl.field(f"{column}:Q", scale=scale, axis=shown | ticks)
