"""Along a text: how surprising each character was, and how uncertain the model had been."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

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
) -> alt.LayerChart:
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
    x = alt.X("position:Q", title="character", scale=alt.Scale(domain=[1, last], nice=False))
    y_scale = alt.Scale(domain=[0, most_bits], clamp=True)
    base = alt.Chart(frame).encode(x=x)
    entropy = base.mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1.5).encode(
        alt.Y("entropy:Q", scale=y_scale, title="bits")
    )
    surprisal = base.mark_line(color=BLUE, strokeWidth=1.5, interpolate="step").encode(
        alt.Y("surprisal:Q", scale=y_scale),
        tooltip=["position:Q", "character:N", "surprisal:Q", "entropy:Q"],
    )
    names = pd.DataFrame({"text": ["━ surprisal\n╌ entropy: its expected value"]})
    legend = alt.Chart(names).mark_text(align="right", baseline="top", lineBreak="\n")
    layers = [
        entropy,
        surprisal,
        legend.encode(text="text:N", x=alt.value("width"), y=alt.value(0)),
    ]
    if highlight is not None:
        chosen = alt.Chart(frame[frame["position"] == highlight]).encode(x=x)
        layers.append(chosen.mark_rule(color=ORANGE))
        layers.append(
            chosen.mark_point(color=ORANGE, filled=True, size=70).encode(
                alt.Y("surprisal:Q", scale=y_scale)
            )
        )
    return alt.layer(*layers).properties(height=height)
