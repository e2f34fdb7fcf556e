"""What tanh units respond, as a histogram at one step of a training."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import GREY

_TOP = 0.5


def response_table(shares: Sequence[float]) -> pa.Table:
    """Return one row for each equal part of -1..1: low, high, and the share of all responses in it."""
    ends = np.linspace(-1.0, 1.0, len(shares) + 1)
    return pa.table({"low": ends[:-1], "high": ends[1:], "share": list(shares)})


def response_histogram(table: pa.Table, *, colour: str, height: int = 200) -> Drawing:
    """Draw a `response_table` as bars; shares above a half are drawn at the top of the fixed axis."""
    upright = vl.scale(0, _TOP, clamp=True)
    response = {"title": "response h", "values": [-1, -0.5, 0, 0.5, 1], "grid": False}
    share = {"title": "share", "format": "%", "tickCount": 5}
    bar = {
        "x": vl.field("low:Q", scale=vl.scale(-1, 1), axis=response),
        "x2": "high",
        "y": vl.field("share:Q", scale=upright, axis=share),
        "y2": {"datum": 0.0},
        "tooltip": [
            vl.field(f"{column}:Q", format=form)
            for column, form in (("low", ".2f"), ("high", ".2f"), ("share", ".2%"))
        ],
    }
    zero = vl.mark("rule", {"y": {"datum": 0, "scale": upright}}, color=GREY)
    spec = vl.layered(vl.mark("bar", bar, color=colour), zero, height=height)
    return Drawing(spec, table, "Histogram: what the hidden units respond, from -1 to 1.")
