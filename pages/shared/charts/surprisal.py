"""Along a text: how surprising each character was, and how uncertain the model had been."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, ORANGE, visible


def surprisal_frame(
    characters: str, surprisal_bits: Sequence[float], entropy_bits: Sequence[float]
) -> pd.DataFrame:
    """Return one row per written character: position (from 1), character, surprisal, entropy."""
    if not len(characters) == len(surprisal_bits) == len(entropy_bits):
        raise ValueError(
            f"one value per character: {len(characters)} characters, {len(surprisal_bits)}"
            f" surprisals, {len(entropy_bits)} entropies"
        )
    return pd.DataFrame(
        {
            "position": np.arange(1, len(characters) + 1),
            "character": [visible(character) for character in characters],
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
) -> Drawing:
    """Draw a `surprisal_frame`: surprisal (blue) along entropy, what was expected (dashed grey).

    Parameters
    ----------
    frame : DataFrame
    highlight : int, optional
        Position, from 1, of a character to mark.
    most_bits : float
        Top of the fixed axis; what lies above is drawn at it.
    window : int
        So many characters fit before the axis grows, in steps of as many.
    """
    last = window * max(1, -(-len(frame) // window))
    data = frame.assign(highlight=frame["position"] == highlight)
    description = "Lines: the surprisal of each character in bits, along the entropy before it."
    return Drawing(_surprisal_spec(last, most_bits, height), data, description)


@cache
def _surprisal_spec(last: int, most_bits: float, height: int) -> dict[str, Any]:
    x = alt.X("position:Q", title="character", scale=alt.Scale(domain=[1, last], nice=False))
    y_scale = alt.Scale(domain=[0, most_bits], clamp=True)
    base = alt.Chart().encode(x=x)
    entropy = base.mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1.5).encode(
        alt.Y("entropy:Q", scale=y_scale, title="bits")
    )
    surprisal = base.mark_line(color=BLUE, strokeWidth=1.5, interpolate="step").encode(
        alt.Y("surprisal:Q", scale=y_scale),
        tooltip=["position:Q", "character:N", "surprisal:Q", "entropy:Q"],
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
