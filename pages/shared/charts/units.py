"""Units of a network that reads: one over a text, all as a matrix, and the best beside chance."""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION

_ROOM = 0.12
"""Of an axis, beyond the numbers on it: above them are the names of marks."""


_LOW = 200
"""Pixels of a chart that leave no room for titles."""


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


def activation_frame(
    starts: Sequence[float],
    mean: np.ndarray,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    around: Sequence[str] | None = None,
) -> pd.DataFrame:
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
    return pd.DataFrame(
        {
            "character": np.asarray(starts) + 1,
            "activation": mean,
            "least": mean if low is None else low,
            "largest": mean if high is None else high,
            "text": [""] * len(mean) if around is None else list(around),
        }
    )


def activation_chart(
    frame: pd.DataFrame,
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
    """Draw an `activation_frame` as a line in a band, over a text whose spans are shaded.

    Parameters
    ----------
    frame : DataFrame
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
    rows = [frame.assign(kind="value", x=frame["character"])]
    rows += [
        pd.DataFrame({"kind": [kind], "x": [start + 1.0], "end": [end + 1.0], "name": [name]})
        for kind, start, end, name in (
            *(("span", start, end, "") for start, end in spans),
            *(("line", place, place, "") for place in lines),
            *(("guess" if m.is_guess else "mark", m.place, m.place, m.name) for m in marks),
        )
    ]
    data = pd.concat(rows, ignore_index=True).reindex(columns=_COLUMNS)
    data["from_left"] = data["x"] < 0.7 * n_characters
    spec = filled(
        _activation_spec(title, is_reversed, height),
        low=round(low, 3),
        high=round(high, 3),
        n=n_characters,
        top=low if is_reversed else high,
    )
    return Drawing(spec, data, "Line: the activation of one unit over the characters of a text.")


_COLUMNS = ["kind", "x", "end", "name", "character", "activation", "least", "largest", "text"]


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
        for is_left, align, dx in (("true", "left", 4), ("false", "right", -4)):
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


# All units ------------------------------------------------------------------------------------
def matrix_picture(values: np.ndarray, target: np.ndarray) -> str:
    """Return a picture of units over characters as the address of a PNG.

    Parameters
    ----------
    values : ndarray of shape (units, T)
        From -1 (blue) through 0 (white) to 1 (orange).
    target : ndarray of shape (T,)
        From 0 (white) to 1 (black): drawn above the units, as a tenth of their height.
    """
    signed = np.clip(np.nan_to_num(values), -1, 1)[..., None]
    white, low, high = (np.array(c, float) for c in ((244, 244, 244), (8, 81, 156), (160, 74, 5)))
    colours = white + np.where(signed < 0, -signed * (low - white), signed * (high - white))
    strip = np.repeat((255 * (1 - np.clip(target, 0, 1)))[None, :, None], 3, axis=2)
    n_strip = max(1, round(len(values) * TARGET_SHARE / (1 - TARGET_SHARE)))
    rows = np.concatenate([np.repeat(strip, n_strip, axis=0), colours])
    return _png(rows.round().astype(np.uint8))


TARGET_SHARE = 0.06
"""Of the height of a matrix, for the target above it."""


def _png(pixels: np.ndarray) -> str:
    """Return pixels (rows, columns, 3) of a byte each as the address of a PNG."""
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    content += chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b"")
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def unit_matrix(frame: pd.DataFrame, picture: str, *, chosen: int, height: int) -> Drawing:
    """Draw all units over a text, a row each; a row can be clicked: the selection is called ``row``.

    Parameters
    ----------
    frame : DataFrame
        A row for each unit, from the top: unit (its number), name, correlation.
    picture : str
        As `matrix_picture` returns it, of the same rows.
    chosen : int
        The unit whose row is outlined.
    height : int
    """
    n = len(frame)
    first = TARGET_SHARE / (1 - TARGET_SHARE) * n
    data = frame.assign(
        top=first + np.arange(n),
        bottom=first + np.arange(n) + 1.0,
        is_chosen=frame["unit"] == chosen,
        picture=[picture] + [""] * (n - 1),
    )
    spec = filled(_matrix_spec(height), n=first + n)
    return Drawing(spec, data, "Heat map: every unit over the characters of the text, a row each.")


@lru_cache(maxsize=8)
def _matrix_spec(height: int) -> dict[str, Any]:
    scale = alt.Scale(nice=False, zero=False, reverse=True)
    size = {"width": alt.ExprRef("width"), "height": alt.ExprRef("height")}
    image = (
        alt.Chart()
        .transform_filter("datum.picture != ''")
        .mark_image(align="left", baseline="top", aspect=False, **size)
        .encode(x=alt.value(0), y=alt.value(0), url="picture:N")
    )
    picked = alt.selection_point(name="row", fields=["unit"], on="click", toggle=False)
    rows = (
        alt.Chart()
        .mark_rect(opacity=1, cursor="pointer", strokeWidth=2)
        .encode(
            y=alt.Y("top:Q", scale=scale, axis=None),
            y2="bottom:Q",
            fill=alt.value("transparent"),
            stroke=alt.condition("datum.is_chosen", alt.value(VERMILLION), alt.value(None)),
            tooltip=["name:N", alt.Tooltip("correlation:Q", format="+.2f")],
        )
        .add_params(picked)
    )
    spec = specification(alt.layer(image, rows).properties(height=height))
    spec["layer"][1]["encoding"]["y"]["scale"]["domain"] = [0, "$n"]
    return spec


# The best units -------------------------------------------------------------------------------
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
        label=[f"{value:+.2f}" for value in frame["held_out"]],
        place=range(len(frame)),
        chance=chance,
    )
    return Drawing(
        _bars_spec(len(frame) * height_of_row + 46), data, "Bars: correlation of the best units."
    )


@lru_cache(maxsize=8)
def _bars_spec(height: int) -> dict[str, Any]:
    x_scale = alt.Scale(domain=[0, 1])
    base = alt.Chart().encode(
        y=alt.Y(
            "name:N",
            sort=alt.EncodingSortField("place", op="min"),
            axis=alt.Axis(title=None, labelLimit=150, ticks=False, domain=False),
        )
    )
    x = alt.X(
        "size:Q",
        scale=x_scale,
        axis=alt.Axis(title="correlation, held out", values=[0, 0.5, 1], grid=False),
    )
    bars = base.mark_bar(height=alt.RelativeBandSize(0.66)).encode(
        x=x,
        color=alt.condition("datum.is_chosen", alt.value(ORANGE), alt.value(BLUE)),
        tooltip=["name:N", alt.Tooltip("held_out:Q", format="+.3f")],
    )
    labels = base.mark_text(align="left", dx=4).encode(x=x, text="label:N")
    rule = (
        alt.Chart()
        .transform_filter("datum.place == 0")
        .mark_rule(color=GREY, strokeDash=[4, 3], strokeWidth=2)
        .encode(x=alt.X("chance:Q", scale=x_scale), tooltip=["chance:Q"])
    )
    return specification(alt.layer(bars, labels, rule).properties(height=height))
