"""What a model generates: draws from a prediction over their theory, surprisal along a text."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, visible

_ROW = 25
"""Height of a bar with its gap, in pixels."""
_BY_RANK = alt.EncodingSortField("rank", op="min")
"""The order of the rows, as a column: without it an axis keeps the order of the first rows it saw."""


def counts_over_theory(frame: pd.DataFrame, n_draws: int, *, unit: str = "character") -> Drawing:
    """Draw a `counts_frame`, or its first rows: how often each symbol was drawn over how often it should have been.

    Grey ticks are the theory, grey lines its range of two standard errors, sqrt(p (1 - p) / n).
    """
    title = f"share of {n_draws:,} draws"
    data = frame.assign(rank=np.arange(len(frame)))
    description = f"Bars: how often each {unit} was drawn, over how often it should have been."
    return Drawing(_counts_spec(title, 45 + _ROW * len(frame), unit), data, description)


@cache
def _counts_spec(title: str, height: int, unit: str) -> dict[str, Any]:
    axis = alt.Axis(labelFont="monospace", ticks=False, domain=False)
    y = alt.Y("symbol:N", sort=_BY_RANK, axis=axis, title=unit)
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart().encode(y=y)
    drawn = base.mark_bar(color=BLUE, opacity=0.85).encode(
        alt.X("share:Q", scale=scale, axis=alt.Axis(format="%", title=title, tickCount=5)),
        tooltip=[
            alt.Tooltip("symbol:N", title=unit),
            alt.Tooltip("count:Q", title="drawn"),
            alt.Tooltip("expected:Q", format=".1f"),
        ],
    )
    band = base.mark_rule(color=GREY, strokeWidth=2).encode(
        alt.X("low:Q", scale=scale), x2="high:Q"
    )
    theory = base.mark_tick(color=GREY, thickness=2).encode(alt.X("theory:Q", scale=scale))
    return specification(alt.layer(drawn, band, theory).properties(height=height))


def counts_frame(
    symbols: Sequence[str], counts: np.ndarray, probabilities: np.ndarray
) -> pd.DataFrame:
    """Return counts beside the theory: symbol, count, expected, share, theory, low, high.

    Parameters
    ----------
    symbols : sequence of V str
        In the order of the bars.
    counts : ndarray of int, shape (V,)
        Their sum n is at least 1.
    probabilities : ndarray of shape (V,)
    """
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


def surprisal_table(
    tokens: Sequence[str], surprisal_bits: Sequence[float], entropy_bits: Sequence[float]
) -> pa.Table:
    """Return one row per written token: position (from 1), token, surprisal, entropy."""
    if not len(tokens) == len(surprisal_bits) == len(entropy_bits):
        raise ValueError(
            f"one value per token: {len(tokens)} tokens, {len(surprisal_bits)}"
            f" surprisals, {len(entropy_bits)} entropies"
        )
    return pa.table(
        {
            "position": np.arange(1, len(tokens) + 1),
            "token": [visible(token) for token in tokens],
            "surprisal": np.asarray(surprisal_bits, float),
            "entropy": np.asarray(entropy_bits, float),
        }
    )


def surprisal_line(
    table: pa.Table,
    *,
    most_bits: float = 12.0,
    window: int = 200,
    height: int = 190,
    unit: str = "character",
) -> Drawing:
    """Draw a `surprisal_table`: surprisal (blue) along entropy, its expected value (dashed grey).

    Parameters
    ----------
    table : Table
    most_bits : float
        Top of the fixed axis; what lies above is drawn at it.
    window : int
        So many tokens fit before the axis grows, in steps of as many.
    unit : str
        What a token is called.
    """
    last = window * max(1, -(-len(table) // window))
    lines = {name: list(enumerate(table[name].to_pylist(), 1)) for name in ("entropy", "surprisal")}
    styles = {"entropy": LineStyle(GREY, 1), "surprisal": LineStyle(BLUE)}
    x, y = Axis(unit, (1, last)), Axis("bits", (0, most_bits))
    return line_chart(lines, styles, x, y, height=height)
