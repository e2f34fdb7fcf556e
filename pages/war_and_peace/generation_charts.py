"""What a model generates: draws from a prediction over their theory, surprisal along a text."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, visible

_ROW = 25
"""Height of a bar with its gap, in pixels."""


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
            vl.field("expected:Q", format=".1f"),
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
