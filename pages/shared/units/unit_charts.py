"""Units of a network that reads: one over a text, and the best beside chance."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.numbers import written

_ROOM = 0.12
"""Of an axis, beyond the numbers on it: above them are the names of marks."""

_LOW = 200  # pixels of a chart that leave no room for titles
_FIGURES_AT = 1.32
"""Where a bar's figure ends, in correlations: clear of the bars and of the line of chance."""


class Mark(NamedTuple):
    """A place of the text with a name: what a visitor expected, and what happened."""

    place: float  # in characters
    name: str
    is_guess: bool = False


def activation_table(
    starts: Sequence[float],
    mean: np.ndarray,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    around: Sequence[str] | None = None,
) -> pa.Table:
    """Return one row for each character or bin: character (from 1), activation, least, largest, text.

    Parameters
    ----------
    starts : sequence of float, the first character of each, from 0
    mean : ndarray of shape (n,)
    low, high : ndarray of shape (n,), optional
        Of the characters of a bin; by default one character, with its activation.
    around : sequence of n str, what the text is there
    """
    return pa.table(
        {
            "character": np.asarray(starts) + 1,
            "activation": mean,
            "least": mean if low is None else low,
            "largest": mean if high is None else high,
            "text": [""] * len(mean) if around is None else list(around),
        }
    )


def activation_chart(
    table: pa.Table,
    *,
    n_characters: int,
    domain: tuple[float, float],
    title: str,
    is_reversed: bool = False,
    spans: Iterable[tuple[int, int]] = (),
    marks: Iterable[Mark] = (),
    height: int = 150,
) -> Drawing:
    """Draw an `activation_table` as a line in a band, over a text whose spans are shaded.

    Parameters
    ----------
    n_characters : int, of the whole text: the end of the axis, also while less of it was read
    domain : pair of float, of the activation
    title : str
        Of its axis. A low chart has room for a letter, and for no title of the other axis.
    is_reversed : bool, whether the least is drawn on top, for a unit that is on where its number is low
    spans : iterable of (start, end)
        Shaded stretches, in characters from 0. One without length is a thin upright line: the end of a paragraph.
    """
    room = _ROOM * (domain[1] - domain[0])
    low, high = (domain[0] - room, domain[1]) if is_reversed else (domain[0], domain[1] + room)
    x = table["character"].cast(pa.float64())
    values = with_columns(table, kind=["value"] * len(table), x=x)
    upright = [
        {"kind": kind, "x": start + 1.0, "end": end + 1.0, "name": name}
        for kind, start, end, name in (
            *(("span" if start < end else "line", start, end, "") for start, end in spans),
            *(("guess" if m.is_guess else "mark", m.place, m.place, m.name) for m in marks),
        )
    ]
    others = pa.Table.from_pylist(upright, _UPRIGHT)
    data = pa.concat_tables([values, others], promote_options="default")
    data = with_columns(data, from_left=np.asarray(data["x"]) < 0.7 * n_characters)
    spec = _activation_spec(
        title, n_characters, round(low, 3), round(high, 3), is_reversed=is_reversed, height=height
    )
    return Drawing(spec, data, "Line: the activation of one unit over the characters of a text.")


_UPRIGHT = pa.schema(
    {"kind": pa.string(), "x": pa.float64(), "end": pa.float64(), "name": pa.string()}
)


def _activation_spec(
    title: str, n_characters: int, low: float, high: float, *, is_reversed: bool, height: int
) -> vl.Spec:
    has_room = height > _LOW
    level = {"title": "character" if has_room else None, "grid": False, "tickCount": 8}
    upright = {"title": title, "tickCount": 4, "grid": False, "titleAngle": -90 if has_room else 0}
    up = vl.scale(low, high, zero=False, reverse=is_reversed)
    x = {"x": vl.field("x:Q", scale=vl.scale(1, n_characters, zero=False), axis=level)}
    value = {
        "tooltip": [
            *("text:N", "character:Q ,.0f"),
            *(f"{name}:Q .2f" for name in ("activation", "least", "largest")),
        ]
    }
    band = {"y": vl.field("least:Q", scale=up, axis=upright), "y2": "largest"}
    y = {"y": vl.field("activation:Q", scale=up, axis=upright)}

    def of(mark: str, kind: str, *encodings: vl.Spec, **look: Any) -> vl.Spec:
        return vl.mark(mark, *encodings, when=f"datum.kind == '{kind}'", **look)

    line: vl.Spec = {"color": BLUE, "strokeWidth": 1.8, "interpolate": "step-after"}
    return vl.layered(
        of("rect", "span", x, {"x2": "end"}, color=GREY, opacity=0.22),
        of("rule", "line", x, color=GREY, opacity=0.6, strokeDash=[2, 3]),
        vl.mark("rule", {"y": {"datum": 0, "scale": up}}, color=GREY, opacity=0.7),
        of("area", "value", x, value, band, color=ORANGE, opacity=0.45),
        of("line", "value", x, value, y, **line),
        *_named("guess", x, VERMILLION, [4, 3], 15),
        *_named("mark", x, BLUE, [1, 0], 0),
        height=height,
    )


def _named(kind: str, x: vl.Spec, colour: str, dash: list[int], dy: int) -> list[vl.Spec]:
    """Return upright lines with their names, on the side where there is room."""
    when = f"datum.kind == '{kind}'"
    name = {"y": vl.value(0), "text": "name:N"}
    look: vl.Spec = {"baseline": "top", "dy": dy}
    return [
        vl.mark("rule", x, when=when, color=colour, strokeWidth=2, strokeDash=dash),
        *(
            vl.mark("text", x, name, when=f"{when} && {side}", align=align, dx=dx, **look)
            for side, align, dx in (
                ("datum.from_left == true", "left", 4),
                ("datum.from_left == false", "right", -4),
            )
        ),
    ]


def unit_bars(frame: pd.DataFrame, chance: float, *, height_of_row: int = 26) -> Drawing:
    """Draw how well some units go with a target, as bars, beside what the best does by chance.

    `frame`: DataFrame, from the best: name, held_out (its correlation, signed), is_chosen.
    """
    data = frame.assign(
        size=frame["held_out"].abs(),
        label=[written(value, "+.2f") for value in frame["held_out"]],
        place=range(len(frame)),
        chance=chance,
    )
    across = {"domain": [0, _FIGURES_AT]}
    names = {"title": None, "labelLimit": 150, "labelOverlap": False, **vl.BARE}
    row = {"y": vl.field("name:N", sort=vl.by("place"), axis=names)}
    axis = {"title": "correlation, held out", "values": [0, 0.5, 1], "format": "~g", "grid": False}
    bar = {
        "x": vl.field("size:Q", scale=across, axis=axis),
        "color": vl.either("datum.is_chosen", ORANGE, BLUE),
        "tooltip": ["name:N", "held_out:Q +.3f"],
    }
    figure = {"x": {"datum": _FIGURES_AT, "scale": across}, "text": "label:N"}
    by_chance = {"x": vl.field("chance:Q", scale=across), "tooltip": ["chance:Q"]}
    rule: vl.Spec = {"color": GREY, "strokeDash": [4, 3], "strokeWidth": 2}
    spec = vl.layered(
        vl.mark("bar", row, bar, height={"band": 0.66}),
        vl.mark("text", row, figure, align="right", dx=-8),
        vl.mark("rule", by_chance, when="datum.place == 0", **rule),
        height=len(frame) * height_of_row + 46,
    )
    return Drawing(spec, data, "Bars: correlation of the best units.")
