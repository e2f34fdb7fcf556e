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
    "wide RNN": (VERMILLION, "square", [5, 3]),
    "IRNN": (ORANGE, "triangle-up", [1, 0]),
    "GRU": (GREEN, "diamond", [1, 0]),
    "LSTM": (BLUE, "square", [1, 0]),
    "open LSTM": (_SKY, "triangle-down", [5, 3]),
    "attention": (PURPLE, "cross", [1, 0]),
}
"""Colour, mark and dashes of each model, the same wherever it is drawn."""
_TICKS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 30, 40, 50, 70, 100]
_SHARES = alt.Scale(domain=[0.0, 1.02], nice=False)
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
    for _, together in last.groupby("length"):
        frame.loc[together.index, "label_at"] = _apart(together["accuracy"].tolist())
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
    base = alt.Chart().encode(x=_length_axis(first, last))

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind)

    axis = alt.Axis(title="right last answers", format="%", values=[0, 0.25, 0.5, 0.75, 1.0])
    y = alt.Y("accuracy:Q", scale=_SHARES, axis=axis)
    low, at = alt.Y("low:Q", scale=_SHARES), alt.Y("label_at:Q", scale=_SHARES)
    colour, shape, dashes = (
        channel("model:N", legend=None, scale=alt.Scale(domain=list(_LOOKS), range=list(values)))
        for channel, values in zip(
            (alt.Color, alt.Shape, alt.StrokeDash), zip(*_LOOKS.values(), strict=True), strict=True
        )
    )
    tooltip = ["model:N", "length:Q", "accuracy:Q", "low:Q", "high:Q", "seeds:Q"]
    solid = {"filled": True, "opacity": 1}
    layers = (
        of(CHANCE).mark_line(color=GREY, strokeWidth=1).encode(y, detail="model:N"),
        of(MEASURED).mark_area(opacity=0.18).encode(low, y2="high:Q", color=colour),
        of(MEASURED).mark_line(strokeWidth=2).encode(y, color=colour, strokeDash=dashes),
        of(MEASURED)
        .mark_point(size=55, **solid)
        .encode(y, color=colour, shape=shape, tooltip=tooltip),
        of(REFERENCE).mark_point(size=45, color=GREY, **solid).encode(y, tooltip=tooltip),
        of(LIVE)
        .mark_point(filled=False, size=130, strokeWidth=2)
        .encode(y, color=colour, shape=shape, tooltip=tooltip),
        of(MEASURED).mark_text(align="left", dx=10).encode(at, text="label:N"),
        of(CHANCE).mark_text(align="left", dx=4, dy=-9).encode(at, text="label:N"),
    )
    return specification(alt.layer(*layers).properties(height=height))


def _length_axis(first: int, last: int) -> alt.X:
    room = (last / first) ** 0.22  # to the right of the lines, for their names
    return alt.X(
        "length:Q",
        scale=alt.Scale(type="log", domain=[first, last * room], nice=False),
        axis=alt.Axis(
            title="length L of the sequence (symbols)",
            values=[tick for tick in _TICKS if first <= tick <= last],
            format="d",
            labelOverlap=True,
        ),
    )
