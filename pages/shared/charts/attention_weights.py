"""The weights that one query gives its keys: bars, with given weights to compare them with."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import PURPLE, VERMILLION


def weights_frame(
    keys: Sequence[str],
    scores: Sequence[float],
    weights: Sequence[float],
    printed: Sequence[float] | None = None,
) -> pd.DataFrame:
    """Return one row per key: key, score, weight, and where weights were printed, these and the gap.

    Parameters
    ----------
    keys : sequence of str
        Names that are all different.
    scores, weights, printed : sequences of float
    """
    frame = pd.DataFrame({"key": list(keys), "score": list(scores), "weight": list(weights)})
    if printed is None:
        return frame
    return frame.assign(printed=list(printed), gap=frame["weight"] - list(printed))


def weights_chart(frame: pd.DataFrame, *, height: int = 300) -> Drawing:
    """Draw a `weights_frame`, one bar a key from the top.

    A tick stands at a printed weight, and how far the computed one lies from it beside the bar.
    """
    has_printed = "printed" in frame
    notes = frame["weight"].map("{:.3f}".format)
    if has_printed:
        notes += frame["gap"].map(" ({:+.2f})".format).str.replace("-", "−")
    data = frame.assign(note=notes)
    description = "Bars: the weight of each key" + (
        ", with a mark at the printed one." if has_printed else "."
    )
    return Drawing(_spec(tuple(frame["key"]), has_printed, height), data, description)


@cache
def _spec(keys: tuple[str, ...], has_printed: bool, height: int) -> dict[str, Any]:
    y = alt.Y(
        "key:N",
        sort=list(keys),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelFont="monospace"),
    )
    scale = alt.Scale(domain=[0, 1.35 if has_printed else 1.1], nice=False)
    x = alt.X(
        "weight:Q",
        scale=scale,
        axis=alt.Axis(title="weight", format="~g", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    printed = [alt.Tooltip("printed:Q", format=".2f")] if has_printed else []
    tooltip = ["key:N", "score:Q", alt.Tooltip("weight:Q", format=".4f"), *printed]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    layers = [
        base.mark_bar(color=PURPLE).encode(x=x),
        base.mark_text(align="right").encode(x=alt.value("width"), text="note:N"),
    ]
    if has_printed:
        layers.append(
            base.mark_tick(color=VERMILLION, thickness=4, size=22).encode(
                x=alt.X("printed:Q", scale=scale)
            )
        )
    return specification(alt.layer(*layers).properties(height=height))
