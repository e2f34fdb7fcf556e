"""Pairs of sine and cosine as clock hands: a position, and the position a shift further on."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION

_BEFORE, _AFTER = "position", "shifted"
_NUMBERS = ("sine", "cosine")
_HAND = "M0,0L0,-1.04"
"""Straight up, to just inside the rim: where a circle's radius is 2 / sqrt(pi) = 1.13."""


def clock_frame(
    code: np.ndarray, shifted: np.ndarray, periods: Sequence[float], now: int
) -> pd.DataFrame:
    """Return two hands for each pair: pair (from 0), hand, sine, cosine, period, now.

    Parameters
    ----------
    code, shifted : ndarray of shape (d,)
        Sine and cosine of each pair in turn, of a position and of the one a shift further on.
    periods : sequence of d / 2 float
        Positions in which each hand goes round once.
    now : int
        The pair to mark.
    """
    rows = []
    for hand, vector in ((_BEFORE, code), (_AFTER, shifted)):
        for pair, (sine, cosine) in enumerate(vector.reshape(-1, 2).tolist()):
            rows.append(
                {
                    "pair": pair,
                    "hand": hand,
                    "sine": sine,
                    "cosine": cosine,
                    "period": periods[pair],
                    "now": pair == now,
                }
            )
    return pd.DataFrame(rows)


def clock_chart(frame: pd.DataFrame, *, height: int = 280) -> Drawing:
    """Draw a `clock_frame`: a clock for each pair, cosine up, sine to the right, as on a clock face.

    The hand of the shifted position is dashed; the marked pair's clock has a thick rim.
    """
    period = frame["period"].map(lambda n: f"{n:,.0f}" if n >= 100 else f"{n:.1f}")
    title = "pair " + frame["pair"].astype(str) + "\nround in " + period
    data = frame.assign(
        centre=2.5 * frame["pair"],
        zero=0.0,
        degrees=np.degrees(np.arctan2(frame["sine"], frame["cosine"])),
        title=title.where(frame["hand"] == _BEFORE, ""),
    )
    description = "Clocks: each pair of sine and cosine as a hand, at a position and shifted."
    return Drawing(_clock_spec(int(frame["pair"].max()) + 1, height), data, description)


@cache
def _clock_spec(pairs: int, height: int) -> dict[str, Any]:
    width = 2.5 * pairs
    x_scale = alt.Scale(domain=[-1.25, width - 1.25], nice=False)
    y_scale = alt.Scale(domain=[-1.1, 1.95], nice=False)
    radius = alt.ExprRef(f"PI * pow(min(width / {width}, height / 3.2), 2)")
    base = alt.Chart().encode(
        x=alt.X("centre:Q", scale=x_scale, axis=None), y=alt.Y("zero:Q", scale=y_scale, axis=None)
    )
    faces = base.mark_point(shape="circle", size=radius, filled=False, opacity=1).encode(
        color=alt.condition("datum.now", alt.value(VERMILLION), alt.value(GREY)),
        strokeWidth=alt.condition("datum.now", alt.value(3), alt.value(1.2)),
    )
    hands = base.mark_point(shape=_HAND, size=radius, strokeWidth=3.5, opacity=1).encode(
        angle=alt.Angle("degrees:Q", scale=None),
        stroke=alt.Stroke(
            "hand:N",
            scale=alt.Scale(domain=[_BEFORE, _AFTER], range=[BLUE, VERMILLION]),
            legend=alt.Legend(orient="bottom", title=None, symbolType="stroke"),
        ),
        strokeDash=alt.condition(f"datum.hand == '{_AFTER}'", alt.value([5, 5]), alt.value([1, 0])),
        tooltip=["pair:Q", "hand:N", *(alt.Tooltip(f"{n}:Q", format=".4f") for n in _NUMBERS)],
    )
    size = alt.ExprRef(f"clamp(width / {pairs} / 8, 9, 20)")
    titles = (
        alt.Chart()
        .mark_text(baseline="top", fontSize=size, lineBreak="\n")
        .encode(
            x=alt.X("centre:Q", scale=x_scale, axis=None),
            y=alt.datum(1.95, scale=y_scale),
            text="title:N",
        )
    )
    return specification(alt.layer(faces, hands, titles).properties(height=height))
