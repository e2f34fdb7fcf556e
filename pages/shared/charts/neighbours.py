"""Words near a word: bars of cosines, all pairs of a few words, and how cosines came about."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, SIGNED, VERMILLION

_INKS = "#ffffff", "#1a1a1a"
"""On a strong and on a pale colour."""


def neighbour_frame(
    words: Sequence[str], cosines: Sequence[float], counts: Sequence[int]
) -> pd.DataFrame:
    """Return one row per word: place (from 1), word, cosine, count (how often it stands)."""
    places = range(1, len(words) + 1)
    columns = (places, words, cosines, counts)
    return pd.DataFrame(dict(zip(("place", "word", "cosine", "count"), columns, strict=True)))


def neighbour_bars(
    frame: pd.DataFrame, colour: str, *, chosen: str = "", height: int = 290
) -> Drawing:
    """Draw a `neighbour_frame`, the nearest above; a bar can be clicked: the selection is ``pick``.

    Parameters
    ----------
    frame : DataFrame
    colour : str
    chosen : str
        A word whose bar is outlined, if it is there.
    """
    data = frame.assign(
        chosen=frame["word"] == chosen,
        text=frame["cosine"].map("{:.3f}".format).str.replace("-", "−"),
    )
    low = -1.0 if (frame["cosine"] < 0).any() else 0.0
    description = "Bars: the cosine of each neighbour, the nearest above."
    return Drawing(_bar_spec(colour, low, height), data, description)


@cache
def _bar_spec(colour: str, low: float, height: int) -> dict[str, Any]:
    y = alt.Y(
        "word:N",
        sort=alt.EncodingSortField("place"),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelLimit=130, labelOverlap=False),
    )
    scale = alt.Scale(domain=[low, 1.0], nice=False)
    x = alt.X("cosine:Q", scale=scale, axis=alt.Axis(title="cosine", tickCount=5, format="~g"))
    tooltip = ["word:N", alt.Tooltip("cosine:Q", format=".4f"), alt.Tooltip("count:Q", format=",")]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    bars = (
        base.mark_bar(color=colour, height={"band": 0.72}, cursor="pointer")
        .encode(
            x=x,
            stroke=alt.condition("datum.chosen", alt.value(VERMILLION), alt.value(None)),
            strokeWidth=alt.condition("datum.chosen", alt.value(3), alt.value(0)),
        )
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )
    numbers = base.mark_text(align="left", dx=5).encode(x=x, text="text:N")
    return specification(alt.layer(bars, numbers).properties(height=height))


def picked_word(selection: Mapping[str, Any]) -> str | None:
    """Return the word that was clicked in a chart of this package, if any."""
    points = selection.get("pick") or []
    return str(points[0]["word"]) if points and "word" in points[0] else None


# All pairs ------------------------------------------------------------------------------------


def similarity_frame(words: Sequence[str], cosines: np.ndarray) -> pd.DataFrame:
    """Return one row per pair: row, column (places from 0), first, second, cosine."""
    row, column = np.indices(cosines.shape)
    names = np.array(words, object)
    return pd.DataFrame(
        {
            "row": row.ravel(),
            "column": column.ravel(),
            "first": names[row.ravel()],
            "second": names[column.ravel()],
            "cosine": cosines.ravel().astype(float),
        }
    )


def similarity_matrix(frame: pd.DataFrame, *, height: int = 400) -> Drawing:
    """Draw a `similarity_frame` as a heat map with its numbers: blue is negative, orange positive."""
    cosines = frame["cosine"]
    data = frame.assign(
        text=(cosines.round(2) + 0.0)
        .map("{:.2f}".format)
        .str.replace("-", "−")
        .str.replace("0.", ".", regex=False),
        ink=np.where(cosines.abs() > 0.75, *_INKS),
    )
    n = int(frame["row"].max()) + 1
    return Drawing(_matrix_spec(n, height), data, "Heat map: the cosine of every pair of words.")


@cache
def _matrix_spec(n: int, height: int) -> dict[str, Any]:
    plain = {"title": None, "ticks": False, "domain": False, "labelLimit": 110}
    x = alt.X(
        "second:N",
        sort=alt.EncodingSortField("column", op="min"),
        axis=alt.Axis(orient="top", labelAngle=-60, labelOverlap=False, **plain),
    )
    y = alt.Y("first:N", sort=alt.EncodingSortField("row", op="min"), axis=alt.Axis(**plain))
    colour = alt.Color(
        "cosine:Q",
        scale=alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED)),
        legend=None,
    )
    base = alt.Chart().encode(
        x=x, y=y, tooltip=["first:N", "second:N", alt.Tooltip("cosine:Q", format=".4f")]
    )
    cells = base.mark_rect(stroke=GREY, strokeWidth=0.4).encode(color=colour)
    size = alt.ExprRef(f"clamp(0.36 * width / {n}, 9, 17)")
    numbers = base.mark_text(fontSize=size).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    chart = alt.layer(cells, numbers).resolve_scale(color="independent")
    return specification(chart.properties(height=height))


# Over the training ----------------------------------------------------------------------------


def snapshot_frame(lines: Mapping[str, Sequence[float]], shares: Sequence[float]) -> pd.DataFrame:
    """Return one row per word and snapshot: snapshot (from 0), share, word, cosine."""
    rows = [
        (snapshot, share, word, cosine)
        for word, cosines in lines.items()
        for snapshot, (share, cosine) in enumerate(zip(shares, cosines, strict=True))
    ]
    return pd.DataFrame(rows, columns=["snapshot", "share", "word", "cosine"])


def snapshot_lines(frame: pd.DataFrame, now: int, *, thick: str = "", height: int = 290) -> Drawing:
    """Draw a `snapshot_frame`: a line for each word, named at its end, and the snapshot of now.

    Parameters
    ----------
    frame : DataFrame
        Of at most six words.
    now : int
    thick : str
        The word whose line is drawn thicker.
    """
    last = frame["snapshot"].max()
    ends = frame[frame["snapshot"] == last].sort_values("cosine")
    heights: list[float] = []
    for cosine in ends["cosine"]:
        heights.append(max(cosine, heights[-1] + 0.1) if heights else cosine)
    beyond = max(0.0, heights[-1] - 1.0)
    label_at = dict(zip(ends["word"], [at - beyond for at in heights], strict=True))
    data = frame.assign(
        percent=frame["share"].map("{:.0%}".format),
        is_last=frame["snapshot"] == last,
        label_at=frame["word"].map(label_at),
        is_now=frame["snapshot"] == now,
        thickness=np.where(frame["word"] == thick, 4.0, 2.0),
    )
    low = -1.0 if frame["cosine"].min() < -0.25 else -0.25
    return Drawing(
        _moment_spec(low, height), data, "Lines: cosines with the word, over the training."
    )


@cache
def _moment_spec(low: float, height: int) -> dict[str, Any]:
    x = alt.X(
        "percent:O",
        sort=alt.EncodingSortField("snapshot", op="min"),
        axis=alt.Axis(title="share of the training", labelAngle=0),
        scale=alt.Scale(paddingOuter=0.3),
    )
    scale = alt.Scale(domain=[low, 1.0], nice=False, clamp=True)
    y = alt.Y("cosine:Q", scale=scale, axis=alt.Axis(title="cosine", tickCount=6, format="~g"))
    colour = alt.Color("word:N", legend=None)
    tooltip = ["word:N", "percent:O", alt.Tooltip("cosine:Q", format=".3f")]
    base = alt.Chart().encode(x=x)
    layers = [
        base.transform_filter("datum.is_now")
        .mark_rule(color=GREY, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(),
        base.mark_line(point=True).encode(
            y=y, color=colour, tooltip=tooltip, size=alt.Size("thickness:Q", scale=None)
        ),
        base.transform_filter("datum.is_last")
        .mark_text(align="left", dx=9)
        .encode(y=alt.Y("label_at:Q", scale=scale), text="word:N"),
    ]
    chart = alt.layer(*layers).properties(height=height)
    return specification(chart)
