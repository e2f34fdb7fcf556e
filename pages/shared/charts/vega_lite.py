"""A grammar of charts in plain Vega-Lite: marks with channels, layered over one table.

A specification is a dict of a tenth of a millisecond: a page builds it anew at each move. Whether it is
one that Vega-Lite knows is checked in the tests, on every chart that a page draws.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.shared.charts.drawing import TABLE
from pages.shared.charts.palette import SIGNED, VERMILLION, is_dark

Spec = dict[str, Any]

_KINDS = {"N": "nominal", "O": "ordinal", "Q": "quantitative"}
BARE = {"ticks": False, "domain": False}  # an axis of names alone
UPRIGHT: Spec = {"labelAngle": 0, **BARE}  # the same, with names that are not turned
UNNUMBERED = "slice(datum.label, indexof(datum.label, ' ') + 1)"  # a label of `numbered` tokens
GRADIENT = {"orient": "bottom", "title": None, "gradientLength": 160, "gradientThickness": 8}
"""The legend of a heat map, below it."""
AROUND_ZERO = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Where the colours of `SIGNED` stand on a scale of shares."""


def field(name: str, **options: Any) -> Spec:
    """Return a channel that follows a column, named with its kind, and with how it is written.

    The far end of a span has no kind.

    Examples
    --------
    >>> field("share:Q", title="share")
    {'field': 'share', 'type': 'quantitative', 'title': 'share'}
    >>> field("share:Q .1%")
    {'field': 'share', 'type': 'quantitative', 'format': '.1%'}
    >>> field("end")
    {'field': 'end'}
    """
    column, _, kind = name.partition(":")
    kind, _, form = kind.partition(" ")
    written: Spec = {"format": form} if form else {}
    return {"field": column} | ({"type": _KINDS[kind]} if kind else {}) | written | options


def literal(name: str) -> Spec:
    """Return a channel whose column holds the colour, the size or the angle itself."""
    return field(name, scale=None)


def place(across: Spec, up: Spec, x: str = "x", y: str = "y") -> Spec:
    """Return where a mark stands in a drawing that has scales and no axes, by two columns of numbers."""
    places = ("x", x, across), ("y", y, up)
    return {to: field(f"{column}:Q", scale=along, axis=None) for to, column, along in places}


def value(constant: Any) -> Spec:
    """Return a channel that is the same for all rows."""
    return {"value": constant}


def expression(formula: str) -> Spec:
    """Return a property that Vega computes, from the chart's width and height for example."""
    return {"expr": formula}


def either(test: str, if_true: Any, if_false: Any) -> Spec:
    """Return a channel with one of two values, by a test of the row; a channel may stand for a value."""
    chosen, other = (v if isinstance(v, dict) else {"value": v} for v in (if_true, if_false))
    return {"condition": {"test": test, **chosen}, **other}


def by(column: str) -> Spec:
    """Return the order of an axis of names: by the least number of a column, whichever row comes first."""
    return {"field": column, "op": "min"}


def scale(low: Any, high: Any, **options: Any) -> Spec:
    """Return a scale that ends where it says, and not at a round number."""
    return {"domain": [low, high], "nice": False, **options}


def colours(name: str, range_: Sequence[str] = SIGNED, domain: Sequence[Any] = AROUND_ZERO) -> Spec:
    """Return a fill that follows a number or a kind, without a legend; between two numbers it is mixed in RGB."""
    mixed: Spec = {"interpolate": "rgb"} if name.endswith(":Q") else {}
    shades = {"domain": list(domain), "range": list(range_), **mixed}
    return field(name, scale=shades, legend=None)


def kinds(name: str, domain: Sequence[str], ranges: Mapping[str, Any], **options: Any) -> Spec:
    """Return channels that tell the kinds in a column apart, by colour and shape for example, in one legend.

    `ranges`: mapping of channel to sequence, what each kind has there, in the order of `domain`.
    """
    return {
        channel: field(name, scale={"domain": list(domain), "range": list(range_)}, **options)
        for channel, range_ in ranges.items()
    }


def ink(share: str, colours: Sequence[str] = SIGNED, lowest: float = -1.0) -> Spec:
    """Return the colour of what is written on a share's colour: black or white, whichever is legible."""
    return either(is_dark(f"datum.{share}", colours, lowest), "#ffffff", "#000000")


def mark(
    kind: str,
    *encodings: Mapping[str, Any],
    when: str = "",
    computed: Mapping[str, str] | None = None,
    **look: Any,
) -> Spec:
    """Return one layer: marks of a kind, one for each row.

    Parameters
    ----------
    kind : str, Vega-Lite's name: ``bar``, ``rect``, ``text``, ...
    *encodings : mapping of str to channel
        By Vega-Lite's name of the channel, later ones over earlier ones; a text stands for its `field`.
    when : str, test of the rows that are drawn
    computed : mapping of str to str, columns with their formulas, for this layer
    **look
        Properties of the mark.
    """
    channels = {name: _channel(said) for each in encodings for name, said in each.items()}
    transform: list[Spec] = [{"filter": when}] if when else []
    transform += [{"calculate": formula, "as": name} for name, formula in (computed or {}).items()]
    changed = {"transform": transform} if transform else {}
    return changed | {"mark": {"type": kind, **look}, "encoding": channels}


def _channel(said: Any) -> Any:
    if isinstance(said, list | tuple):
        return [_channel(each) for each in said]
    return field(said) if isinstance(said, str) else said


def outlined(
    *encodings: Mapping[str, Any], when: str, colour: str = VERMILLION, **look: Any
) -> Spec:
    """Return frames around what a test chooses."""
    frame: Spec = {"filled": False, "stroke": colour, "strokeWidth": 2.5}
    return mark("rect", *encodings, when=when, **frame | look)


def guessed(*encodings: Mapping[str, Any], **look: Any) -> list[Spec]:
    """Return dashed frames around what a visitor expected, the rows with a ``guess``, and its words."""
    when = "datum.guess != ''"
    words = mark("text", *encodings, {"text": "guess:N"}, when=when, fontWeight="bold", **look)
    return [outlined(*encodings, when=when, strokeDash=[4, 3]), words]


def picture(**look: Any) -> Spec:
    """Return an image that fills the chart: the one in the column ``picture``, of cells too many to draw."""
    side: Spec = {name: expression(name) for name in ("width", "height")}
    place = {"x": value(0), "y": value(0), "url": "picture:N"}
    fills: Spec = {"align": "left", "baseline": "top", "aspect": False}
    return mark("image", place, when="datum.picture != ''", **fills, **side, **look)


def looked_up(layer: Spec, place: str, count: int, absent: Mapping[str, Any]) -> Spec:
    """Return a layer with a mark for each place from 0 to `count`, whether or not the table has a row of it.

    Parameters
    ----------
    place : str, the column that says which place a row is of
    absent : mapping of str to value, the columns that are looked up, with what holds where there is no row
    """
    lookups = [
        {
            "lookup": place,
            "from": {"data": {"name": TABLE}, "key": place, "fields": [column]},
            "default": default,
        }
        for column, default in absent.items()
    ]
    places = {"sequence": {"start": 0, "stop": count, "as": place}}
    return layer | {"data": places, "transform": [*lookups, *layer["transform"]]}


def clickable(layer: Spec, selection: str, *fields: str, **options: Any) -> Spec:
    """Return a layer whose marks can be clicked: the selection holds these fields of the mark's row."""
    select = {"type": "point", "fields": list(fields), "on": "click", **options}
    return layer | {"name": f"{selection}_marks", "params": [{"name": selection, "select": select}]}


def layered(*layers: Spec, height: int, **whole: Any) -> Spec:
    """Return a chart of layers, the last on top, over the one table of a `Drawing`."""
    # What can be clicked is said of the whole chart, where Streamlit looks for it.
    clicks = [
        click | {"views": [layer["name"]]} for layer in layers for click in layer.get("params", ())
    ]
    drawn = [{key: part for key, part in layer.items() if key != "params"} for layer in layers]
    params = {"params": clicks} if clicks else {}
    return {"data": {"name": TABLE}, "height": height, "layer": drawn} | params | whole
