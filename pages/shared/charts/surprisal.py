"""Along a text: how surprising each token was, and how uncertain the model had been."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, ORANGE, visible


def surprisal_frame(
    tokens: Sequence[str], surprisal_bits: Sequence[float], entropy_bits: Sequence[float]
) -> pd.DataFrame:
    """Return one row per written token: position (from 1), token, surprisal, entropy."""
    if not len(tokens) == len(surprisal_bits) == len(entropy_bits):
        raise ValueError(
            f"one value per token: {len(tokens)} tokens, {len(surprisal_bits)}"
            f" surprisals, {len(entropy_bits)} entropies"
        )
    return pd.DataFrame(
        {
            "position": np.arange(1, len(tokens) + 1),
            "token": [visible(token) for token in tokens],
            "surprisal": np.asarray(surprisal_bits, float),
            "entropy": np.asarray(entropy_bits, float),
        }
    )


def surprisal_line(
    frame: pd.DataFrame,
    *,
    highlight: int | None = None,
    most_bits: float = 12.0,
    window: int = 200,
    height: int = 190,
    unit: str = "character",
) -> Drawing:
    """Draw a `surprisal_frame`: surprisal (blue) along entropy, what was expected (dashed grey).

    Parameters
    ----------
    frame : DataFrame
    highlight : int, optional
        Position, from 1, of a token to mark.
    most_bits : float
        Top of the fixed axis; what lies above is drawn at it.
    window : int
        So many tokens fit before the axis grows, in steps of as many.
    unit : str
        What a token is called.
    """
    last = window * max(1, -(-len(frame) // window))
    data = frame.assign(highlight=frame["position"] == highlight)
    description = f"Lines: the surprisal of each {unit} in bits, along the entropy before it."
    return Drawing(_surprisal_spec(last, most_bits, height, unit), data, description)


@cache
def _surprisal_spec(last: int, most_bits: float, height: int, unit: str) -> dict[str, Any]:
    x = alt.X("position:Q", title=unit, scale=alt.Scale(domain=[1, last], nice=False))
    y_scale = alt.Scale(domain=[0, most_bits], clamp=True)
    base = alt.Chart().encode(x=x)
    entropy = base.mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1.5).encode(
        alt.Y("entropy:Q", scale=y_scale, title="bits")
    )
    surprisal = base.mark_line(color=BLUE, strokeWidth=1.5, interpolate="step").encode(
        alt.Y("surprisal:Q", scale=y_scale),
        tooltip=["position:Q", "token:N", "surprisal:Q", "entropy:Q"],
    )
    is_first = alt.condition("datum.position == 1", alt.value(1), alt.value(0))
    legend = (
        alt.Chart()
        .mark_text(
            align="right",
            baseline="top",
            lineBreak="\n",
            text="━ surprisal\n╌ entropy: its expected value",
        )
        .encode(x=alt.value("width"), y=alt.value(0), opacity=is_first)
    )
    is_highlight = alt.condition("datum.highlight", alt.value(1), alt.value(0))
    marks = (
        base.mark_rule(color=ORANGE).encode(opacity=is_highlight),
        base.mark_point(color=ORANGE, filled=True, size=70).encode(
            alt.Y("surprisal:Q", scale=y_scale), opacity=is_highlight
        ),
    )
    return specification(alt.layer(entropy, surprisal, legend, *marks).properties(height=height))
