"""Accuracy against the length of a sequence: means with a band over seeds, and what to compare with."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION

_SKY = "#56B4E9"
_LOOKS = {
    "RNN": (VERMILLION, "circle", [1, 0]),
    "RNN, wide": (VERMILLION, "square", [5, 3]),
    "IRNN": (ORANGE, "triangle-up", [1, 0]),
    "GRU": (GREEN, "diamond", [1, 0]),
    "LSTM": (BLUE, "square", [1, 0]),
    "LSTM, open": (_SKY, "triangle-down", [5, 3]),
    "attention": (PURPLE, "cross", [1, 0]),
}
"""Colour, mark and dashes of each model, the same wherever it is drawn."""
_TICKS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 30, 40, 50, 70, 100]
_LEAST_APART = 0.062
MEASURED, LIVE, REFERENCE, CHANCE = "measured", "live", "source", "chance"


class AccuracyRow(NamedTuple):
    """One mark of the chart.

    Attributes
    ----------
    kind : str
        MEASURED (a mean, with its band), LIVE (one network), REFERENCE or CHANCE.
    model : str
        Short title, as in the legend; of a reference what it is.
    length : int
        L, in symbols.
    accuracy, low, high : float
        0 to 1; low and high are the accuracy itself where there is one value only.
    seeds : int
        Networks behind it; 0 for chance.
    """

    kind: str
    model: str
    length: int
    accuracy: float
    low: float
    high: float
    seeds: int


def accuracy_frame(rows: Sequence[AccuracyRow]) -> pd.DataFrame:
    """Return rows as a table with names: at the last mean of a model, at the first of a chance.

    Names of models that end close together are moved a little apart.
    """
    frame = pd.DataFrame(rows, columns=AccuracyRow._fields)
    frame["label"], frame["label_at"] = "", frame["accuracy"]
    by_model = frame[frame["kind"] == MEASURED].groupby("model")["length"]
    last = frame.loc[by_model.idxmax()].sort_values("accuracy")
    first = frame[frame["kind"] == CHANCE].groupby("model")["length"].idxmin()
    frame.loc[last.index, "label_at"] = _apart(last["accuracy"].tolist())
    for named in (last.index, first):
        frame.loc[named, "label"] = frame.loc[named, "model"]
    return frame


def _apart(heights: list[float]) -> list[float]:
    """Spread rising heights to the least distance, from the top down so that none leaves the axis."""
    spread: list[float] = []
    ceiling = float("inf")
    for height in reversed(heights):
        spread.append(min(height, ceiling))
        ceiling = spread[-1] - _LEAST_APART
    return spread[::-1]


def accuracy_by_length(
    frame: pd.DataFrame, *, lengths: tuple[int, int], height: int = 300
) -> Drawing:
    """Draw an `accuracy_frame`: lines in bands, grey dots of the source, chance as a thin line.

    Parameters
    ----------
    frame : DataFrame
    lengths : pair of int
        Ends of the fixed, logarithmic axis; beyond them nothing is drawn but names.
    height : int
        In pixels.
    """
    description = "Lines: the share of sequences recalled, by their length, one line a model."
    return Drawing(_accuracy_spec(*lengths, height), frame, description)


@cache
def _accuracy_spec(first: int, last: int, height: int) -> dict[str, Any]:
    room = (last / first) ** 0.22  # to the right of the lines, for their names
    x = alt.X(
        "length:Q",
        scale=alt.Scale(type="log", domain=[first, last * room], nice=False),
        axis=alt.Axis(
            title="length L of the sequence (symbols)",
            values=[tick for tick in _TICKS if first <= tick <= last],
            format="d",
            labelOverlap=True,
        ),
    )
    scale = alt.Scale(domain=[0.0, 1.02], nice=False)
    axis = alt.Axis(title="right last answers", format="%", values=[0, 0.25, 0.5, 0.75, 1.0])
    y = alt.Y("accuracy:Q", scale=scale, axis=axis)
    models = list(_LOOKS)
    colour = alt.Color(
        "model:N",
        legend=None,
        scale=alt.Scale(domain=models, range=[look[0] for look in _LOOKS.values()]),
    )
    shape = alt.Shape(
        "model:N",
        legend=None,
        scale=alt.Scale(domain=models, range=[look[1] for look in _LOOKS.values()]),
    )
    dashes = alt.StrokeDash(
        "model:N",
        legend=None,
        scale=alt.Scale(domain=models, range=[look[2] for look in _LOOKS.values()]),
    )
    tooltip = ["model:N", "length:Q", "accuracy:Q", "low:Q", "high:Q", "seeds:Q"]
    base = alt.Chart().encode(x=x)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    low = alt.Y("low:Q", scale=scale)
    band = of(MEASURED).mark_area(opacity=0.18).encode(low, y2="high:Q", color=colour)
    line = of(MEASURED).mark_line(strokeWidth=2).encode(y, color=colour, strokeDash=dashes)
    points = of(MEASURED).mark_point(filled=True, size=55, opacity=1)
    points = points.encode(y, color=colour, shape=shape, tooltip=tooltip)
    live = of(LIVE).mark_point(filled=False, size=130, strokeWidth=2)
    live = live.encode(y, color=colour, shape=shape, tooltip=tooltip)
    chance = of(CHANCE).mark_line(color=GREY, strokeWidth=1).encode(y, detail="model:N")
    reference = of(REFERENCE).mark_point(filled=True, size=45, color=GREY, opacity=1)
    reference = reference.encode(y, tooltip=tooltip)
    at = alt.Y("label_at:Q", scale=scale)
    names = of(MEASURED).mark_text(align="left", dx=10).encode(at, text="label:N")
    chance_name = of(CHANCE).mark_text(align="left", dx=4, dy=-9).encode(at, text="label:N")
    layers = (chance, band, line, points, reference, live, names, chance_name)
    return specification(alt.layer(*layers).properties(height=height))
