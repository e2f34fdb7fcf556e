"""What dividing by sqrt(d) does to a softmax: one quantity against the width, on log axes."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION

SCALED, UNSCALED = "divided by √d", "as they are"
_SHOWN = ("low", "median", "high")
_COLOURS = {SCALED: BLUE, UNSCALED: VERMILLION}


class WidthRow(NamedTuple):
    """One quantity of many queries at one width."""

    width: int
    is_scaled: bool
    values: np.ndarray


def scale_frame(rows: Sequence[WidthRow]) -> pd.DataFrame:
    """Return the median and the middle 80 % at each width: width, scores, median, low, high."""
    return pd.DataFrame(
        {
            "width": row.width,
            "scores": SCALED if row.is_scaled else UNSCALED,
            "median": float(np.median(row.values)),
            "low": float(np.quantile(row.values, 0.1)),
            "high": float(np.quantile(row.values, 0.9)),
        }
        for row in rows
    )


def scale_chart(
    frame: pd.DataFrame,
    *,
    title: str,
    domain: tuple[float, float],
    now: int,
    height: int = 340,
) -> Drawing:
    """Draw a `scale_frame` over two logarithmic axes; what lies outside is drawn at its end.

    Parameters
    ----------
    frame : DataFrame
    title : str
        Of the upright axis.
    domain : pair of float
        Of the upright axis, above 0.
    now : int
        The width to mark.
    """
    low, high = domain
    data = frame.assign(
        **{name: frame[name].clip(low, high) for name in ("median", "low", "high")},
        now=frame["width"] == now,
        names=np.where(np.arange(len(frame)) == 0, f"━ {SCALED}\n╌ {UNSCALED}", ""),
    )
    description = f"Lines: {title} against the width, with and without division by its root."
    return Drawing(_spec(title, domain, height), data, description)


@cache
def _spec(title: str, domain: tuple[float, float], height: int) -> dict[str, Any]:
    low, high = domain
    powers = range(round(np.floor(np.log10(low))), round(np.ceil(np.log10(high))) + 1)
    x = alt.X(
        "width:Q",
        scale=alt.Scale(type="log", base=2, domain=[1, 1024], nice=False),
        axis=alt.Axis(title="width d", values=[2**p for p in range(0, 11, 2)], format="~f"),
    )
    scale = alt.Scale(type="log", domain=list(domain), nice=False, clamp=True)
    axis = alt.Axis(title=title, values=[10.0**p for p in powers], format="~g")
    colours = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    base = alt.Chart().encode(x=x, color=alt.Color("scores:N", scale=colours, legend=None))
    band = (
        alt.Chart()
        .mark_area(opacity=0.18)
        .encode(
            x,
            alt.Y("low:Q", scale=scale, axis=axis),
            y2="high:Q",
            fill=alt.Fill("scores:N", scale=colours, legend=None),
        )
    )
    dash = alt.StrokeDash(
        "scores:N", scale=alt.Scale(domain=list(_COLOURS), range=[[1, 0], [6, 4]]), legend=None
    )
    tooltip = ["scores:N", "width:Q", *(alt.Tooltip(f"{n}:Q", format=".3g") for n in _SHOWN)]
    lines = base.mark_line(strokeWidth=2.5).encode(
        alt.Y("median:Q", scale=scale, axis=axis), strokeDash=dash, tooltip=tooltip
    )
    points = (
        base.transform_filter("datum.now")
        .mark_point(filled=True, size=110, opacity=1)
        .encode(alt.Y("median:Q", scale=scale), tooltip=tooltip)
    )
    rule = (
        alt.Chart().transform_filter("datum.now").mark_rule(color=GREY, strokeWidth=1).encode(x=x)
    )
    return specification(alt.layer(band, rule, lines, points, _names()).properties(height=height))


def _names() -> alt.Chart:
    """Return the layer that says in the lower corner which line is which."""
    return (
        alt.Chart()
        .transform_filter("datum.names != ''")
        .mark_text(align="left", baseline="bottom", lineBreak="\n")
        .encode(x=alt.value(8), y=alt.value(alt.ExprRef("0.88 * height")), text="names:N")
    )
