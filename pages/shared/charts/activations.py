"""What tanh units respond, as a histogram at one step of a training."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import GREY

_TOP = 0.5


def response_table(shares: Sequence[float]) -> pa.Table:
    """Return one row for each equal part of -1..1: low, high, and the share of all responses in it."""
    ends = np.linspace(-1.0, 1.0, len(shares) + 1)
    return pa.table({"low": ends[:-1], "high": ends[1:], "share": list(shares)})


def response_histogram(table: pa.Table, *, colour: str, height: int = 200) -> Drawing:
    """Draw a `response_table` as bars; shares above a half are drawn at the top of the fixed axis."""
    spec = filled(_spec(height), colour=colour)
    return Drawing(spec, table, "Histogram: what the hidden units respond, from -1 to 1.")


@lru_cache(maxsize=8)
def _spec(height: int) -> dict[str, Any]:
    x_scale = alt.Scale(domain=[-1, 1], nice=False)
    y_scale = alt.Scale(domain=[0, _TOP], nice=False, clamp=True)
    axis = alt.Axis(title="response h", values=[-1, -0.5, 0, 0.5, 1], grid=False)
    bars = (
        alt.Chart()
        .mark_bar(color="$colour")
        .encode(
            x=alt.X("low:Q", scale=x_scale, axis=axis),
            x2="high:Q",
            y2=alt.datum(0.0),
            y=alt.Y(
                "share:Q",
                scale=y_scale,
                axis=alt.Axis(title="share", format="%", tickCount=5),
            ),
            tooltip=[
                alt.Tooltip("low:Q", format=".2f"),
                alt.Tooltip("high:Q", format=".2f"),
                alt.Tooltip("share:Q", format=".2%"),
            ],
        )
    )
    zero = alt.Chart().mark_rule(color=GREY).encode(y=alt.datum(0, scale=y_scale))
    return specification(alt.layer(bars, zero).properties(height=height))
