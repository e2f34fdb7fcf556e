"""Units of a network that reads: one over a text, and the best beside chance."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.numbers import written

_ROOM = 0.12
"""Of an axis, beyond the numbers on it: above them are the names of marks."""

_LOW = 200
"""Pixels of a chart that leave no room for titles."""
_FIGURES_AT = 1.32
"""Where a bar's figure ends, in correlations: clear of the bars and of the line of chance."""


class Mark(NamedTuple):
    """A place of the text with a name: what a visitor expected, and what happened.

    Attributes
    ----------
    place : float
        In characters.
    name : str
    is_guess : bool
    """

    place: float
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
    starts : sequence of float
        The first character of each, from 0.
    mean : ndarray of shape (n,)
    low, high : ndarray of shape (n,), optional
        Of the characters of a bin; by default one character, with its activation.
    around : sequence of n str, optional
        What the text is there.
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
    lines: Iterable[int] = (),
    marks: Iterable[Mark] = (),
    height: int = 150,
) -> Drawing:
    """Draw an `activation_table` as a line in a band, over a text whose spans are shaded.

    Parameters
    ----------
    table : Table
    n_characters : int
        Of the whole text: the end of the axis, also while less of it was read.
    domain : pair of float
        Of the activation.
    title : str
        Of its axis. A low chart has room for a letter, and for no title of the other axis.
    is_reversed : bool
        Whether the least is drawn on top, for a unit that is on where its number is low.
    spans : iterable of (start, end)
        Shaded stretches, in characters from 0.
    lines : iterable of int
        Places with a thin upright line: ends of paragraphs.
    marks : iterable of Mark
    height : int
    """
    room = _ROOM * (domain[1] - domain[0])
    low, high = (domain[0] - room, domain[1]) if is_reversed else (domain[0], domain[1] + room)
    x = table["character"].cast(pa.float64())
    values = with_columns(table, kind=["value"] * len(table), x=x)
    upright = [
        {"kind": kind, "x": start + 1.0, "end": end + 1.0, "name": name}
        for kind, start, end, name in (
            *(("span", start, end, "") for start, end in spans),
            *(("line", place, place, "") for place in lines),
            *(("guess" if m.is_guess else "mark", m.place, m.place, m.name) for m in marks),
        )
    ]
    others = pa.Table.from_pylist(upright, _UPRIGHT)
    data = pa.concat_tables([values, others], promote_options="default")
    data = with_columns(data, from_left=np.asarray(data["x"]) < 0.7 * n_characters)
    spec = filled(
        _activation_spec(title, is_reversed, height),
        low=round(low, 3),
        high=round(high, 3),
        n=n_characters,
        top=low if is_reversed else high,
    )
    return Drawing(spec, data, "Line: the activation of one unit over the characters of a text.")


_UPRIGHT = pa.schema(
    {"kind": pa.string(), "x": pa.float64(), "end": pa.float64(), "name": pa.string()}
)


@lru_cache(maxsize=16)
def _activation_spec(title: str, is_reversed: bool, height: int) -> dict[str, Any]:
    x_scale = alt.Scale(nice=False, zero=False)
    x_axis = alt.Axis(title="character" if height > _LOW else None, grid=False, tickCount=8)
    x = alt.X("x:Q", scale=x_scale, axis=x_axis)
    y_scale = alt.Scale(nice=False, zero=False, reverse=is_reversed)
    y_axis = alt.Axis(title=title, tickCount=4, grid=False, titleAngle=-90 if height > _LOW else 0)
    y = alt.Y("activation:Q", scale=y_scale, axis=y_axis)

    def layer(kind: str) -> alt.Chart:
        return alt.Chart().transform_filter(f"datum.kind == '{kind}'")

    shaded = layer("span").mark_rect(color=GREY, opacity=0.22).encode(x=x, x2="end:Q")
    ends = layer("line").mark_rule(color=GREY, opacity=0.6, strokeDash=[2, 3]).encode(x=x)
    zero = alt.Chart().mark_rule(color=GREY, opacity=0.7).encode(y=alt.datum(0, scale=y_scale))
    tooltip = [
        alt.Tooltip("text:N"),
        alt.Tooltip("character:Q", format=",.0f"),
        *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("activation", "least", "largest")),
    ]
    value = layer("value").encode(x=x, tooltip=tooltip)
    band = value.mark_area(color=ORANGE, opacity=0.45).encode(
        y=alt.Y("least:Q", scale=y_scale, axis=y_axis), y2="largest:Q"
    )
    line = value.mark_line(color=BLUE, strokeWidth=1.8, interpolate="step-after").encode(y=y)
    named = []
    for kind, colour, dash in (("guess", VERMILLION, [4, 3]), ("mark", BLUE, [1, 0])):
        marks = layer(kind)
        named.append(marks.mark_rule(color=colour, strokeWidth=2, strokeDash=dash).encode(x=x))
        sides: tuple[tuple[str, Literal["left", "right"], int], ...] = (
            ("true", "left", 4),
            ("false", "right", -4),
        )
        for is_left, align, dx in sides:
            named.append(
                marks.transform_filter(f"datum.from_left == {is_left}")
                .mark_text(align=align, dx=dx, baseline="top", dy=0 if kind == "mark" else 15)
                .encode(x=x, y=alt.value(0), text="name:N")
            )
    chart = alt.layer(shaded, ends, zero, band, line, *named).properties(height=height)
    spec = specification(chart)
    return _with_domains(spec)


def _with_domains(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a specification whose axes end where `filled` says."""
    for layer in spec["layer"]:
        for channel, domain in (("x", [1, "$n"]), ("y", ["$low", "$high"])):
            if "scale" in layer["encoding"].get(channel, {}):
                layer["encoding"][channel]["scale"]["domain"] = domain
    return spec


def unit_bars(frame: pd.DataFrame, chance: float, *, height_of_row: int = 26) -> Drawing:
    """Draw how well some units go with a target, as bars, beside what the best does by chance.

    Parameters
    ----------
    frame : DataFrame
        From the best: name, held_out (its correlation, signed), is_chosen.
    chance : float
    """
    data = frame.assign(
        size=frame["held_out"].abs(),
        label=[written(value, "+.2f") for value in frame["held_out"]],
        place=range(len(frame)),
        chance=chance,
    )
    return Drawing(
        _bars_spec(len(frame) * height_of_row + 46), data, "Bars: correlation of the best units."
    )


@lru_cache(maxsize=8)
def _bars_spec(height: int) -> dict[str, Any]:
    x_scale = alt.Scale(domain=[0, _FIGURES_AT])
    base = alt.Chart().encode(
        y=alt.Y(
            "name:N",
            sort=alt.EncodingSortField("place", op="min"),
            axis=alt.Axis(
                title=None, labelLimit=150, labelOverlap=False, ticks=False, domain=False
            ),
        )
    )
    x = alt.X(
        "size:Q",
        scale=x_scale,
        axis=alt.Axis(title="correlation, held out", values=[0, 0.5, 1], format="~g", grid=False),
    )
    bars = base.mark_bar(height=alt.RelativeBandSize(0.66)).encode(
        x=x,
        color=alt.condition("datum.is_chosen", alt.value(ORANGE), alt.value(BLUE)),
        tooltip=["name:N", alt.Tooltip("held_out:Q", format="+.3f")],
    )
    labels = base.mark_text(align="right", dx=-8).encode(
        x=alt.datum(_FIGURES_AT, scale=x_scale), text="label:N"
    )
    rule = (
        alt.Chart()
        .transform_filter("datum.place == 0")
        .mark_rule(color=GREY, strokeDash=[4, 3], strokeWidth=2)
        .encode(x=alt.X("chance:Q", scale=x_scale), tooltip=["chance:Q"])
    )
    return specification(alt.layer(bars, labels, rule).properties(height=height))
