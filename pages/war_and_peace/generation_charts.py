"""Draws from a prediction, over their theory."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, visible

_ROW = 25  # height of a bar with its gap, in pixels


def counts_over_theory(frame: pd.DataFrame, n_draws: int, *, unit: str = "character") -> Drawing:
    """Draw a `counts_frame`, or its first rows: how often each symbol was drawn over how often it should have been.

    Grey ticks are the theory, grey lines its range of two standard errors, sqrt(p (1 - p) / n).
    """
    symbol = {"title": unit, "labelFont": "monospace", **vl.BARE}
    share = {"format": "%", "title": f"share of {n_draws:,} draws", "tickCount": 5}
    whole = {"domain": [0, 1]}
    # The order as a column: without it an axis keeps the order of the first rows it saw.
    row = {"y": vl.field("symbol:N", sort=vl.by("rank"), axis=symbol)}
    bar = {
        "x": vl.field("share:Q", scale=whole, axis=share),
        "tooltip": [
            vl.field("symbol:N", title=unit),
            vl.field("count:Q", title="drawn"),
            "expected:Q .1f",
        ],
    }
    span = {"x": vl.field("low:Q", scale=whole), "x2": "high"}
    theory = {"x": vl.field("theory:Q", scale=whole)}
    spec = vl.layered(
        vl.mark("bar", row, bar, color=BLUE, opacity=0.85),
        vl.mark("rule", row, span, color=GREY, strokeWidth=2),
        vl.mark("tick", row, theory, color=GREY, thickness=2),
        height=45 + _ROW * len(frame),
    )
    description = f"Bars: how often each {unit} was drawn, over how often it should have been."
    return Drawing(spec, frame.assign(rank=np.arange(len(frame))), description)


def counts_frame(
    symbols: Sequence[str], counts: np.ndarray, probabilities: np.ndarray
) -> pd.DataFrame:
    """Return counts, (V,), beside the theory: symbol, count, expected, share, theory, low, high."""
    counts, theory = np.asarray(counts), np.asarray(probabilities, float)
    n = counts.sum()
    if n < 1:
        raise ValueError("counts must hold at least one draw")
    spread = 2 * np.sqrt(theory * (1 - theory) / n)
    return pd.DataFrame(
        {
            "symbol": [visible(symbol) for symbol in symbols],
            "count": counts,
            "expected": n * theory,
            "share": counts / n,
            "theory": theory,
            "low": np.clip(theory - spread, 0, 1),
            "high": np.clip(theory + spread, 0, 1),
        }
    )
