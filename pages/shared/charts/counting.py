"""A network that learns to count: the numbers that it generates, and the next number's distribution."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, ORANGE, VERMILLION

_NEXT, _OTHER = "one more", "another"
_SHARE = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]


def generated_frame(
    prompt: Sequence[int], generated: Sequence[int], probabilities: Sequence[float]
) -> pd.DataFrame:
    """Return one row per number of the prompt and after it: position (from 1), number, part, probability.

    `part` says whether a generated number is the one before it plus one.
    """
    numbers = [*prompt, *generated]
    is_next = [b == a + 1 for a, b in pairwise(numbers)][len(prompt) - 1 :]
    parts = ["prompt"] * len(prompt) + [_NEXT if n else _OTHER for n in is_next]
    return pd.DataFrame(
        {
            "position": np.arange(1, len(numbers) + 1),
            "number": numbers,
            "part": parts,
            "probability": [np.nan] * len(prompt) + list(probabilities),
        }
    )


def generated_chart(frame: pd.DataFrame, *, most: int, height: int = 230) -> Drawing:
    """Draw a `generated_frame`: squares are the prompt, dots are one more than the number before, crosses are not.

    Parameters
    ----------
    frame : DataFrame
    most : int
        The largest number: top of the fixed axis.
    """
    description = (
        "Points: the numbers of the prompt, and those that the network generated after them."
    )
    # Beside more numbers than these the labels would overlap.
    data = frame.assign(label=frame["number"].astype(str) if len(frame) <= 30 else "")
    return Drawing(_generated_spec(len(frame), most, height), data, description)


@cache
def _generated_spec(n: int, most: int, height: int) -> dict[str, Any]:
    x = alt.X(
        "position:Q",
        scale=alt.Scale(domain=[0.5, n + 0.5], nice=False),
        axis=alt.Axis(title="position", tickMinStep=1, format="d", grid=False),
    )
    y = alt.Y("number:Q", scale=alt.Scale(domain=[0, 1.08 * most], nice=False), title="number")
    parts = ["prompt", _NEXT, _OTHER]
    base = alt.Chart().encode(x=x, y=y)
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        shape=alt.Shape(
            "part:N",
            scale=alt.Scale(domain=parts, range=["square", "circle", "cross"]),
            legend=alt.Legend(orient="top", title=None),
        ),
        color=alt.Color(
            "part:N",
            scale=alt.Scale(domain=parts, range=[GREY, VERMILLION, ORANGE]),
            legend=alt.Legend(orient="top", title=None),
        ),
        tooltip=["position:Q", "number:Q", "part:N", alt.Tooltip("probability:Q", format=".1%")],
    )
    labels = base.mark_text(dy=-12).encode(text="label:N")
    return specification(alt.layer(points, labels).properties(height=height))


def numbers_frame(probabilities: Sequence[float], expected: int | None) -> pd.DataFrame:
    """Return the distribution of the next number: number, probability, is_top, is_expected."""
    numbers = np.arange(len(probabilities))
    return pd.DataFrame(
        {
            "number": numbers,
            "probability": np.asarray(probabilities, float),
            "is_top": numbers == int(np.argmax(probabilities)),
            "is_expected": numbers == (-1 if expected is None else expected),
        }
    )


def numbers_chart(frame: pd.DataFrame, *, height: int = 210) -> Drawing:
    """Draw a `numbers_frame`: a bar for each number, the expected one marked by a triangle."""
    data = frame.assign(label=frame["number"].astype(str))
    description = "Bars: the probability of each number to come next."
    return Drawing(_numbers_spec(len(frame), height), data, description)


@cache
def _numbers_spec(n: int, height: int) -> dict[str, Any]:
    x = alt.X("number:Q", scale=alt.Scale(domain=[-0.5, n - 0.5], nice=False), title="next number")
    scale = alt.Scale(domain=[0, 1], type="sqrt")
    y = alt.Y(
        "probability:Q",
        scale=scale,
        axis=alt.Axis(format="%", values=_SHARE, title="probability"),
    )
    base = alt.Chart().encode(x=x, y=y)
    bars = base.mark_bar(color=VERMILLION, size=4).encode(
        tooltip=["number:Q", alt.Tooltip("probability:Q", format=".2%")]
    )
    name = (
        base.transform_filter("datum.is_top")
        .mark_text(align="left", dx=6, dy=2)
        .encode(text="label:N")
    )
    expected = (
        alt.Chart()
        .transform_filter("datum.is_expected")
        .mark_point(shape="triangle-up", filled=True, size=90, color=GREY, opacity=1, yOffset=6)
        .encode(x=x, y=alt.datum(0, scale=scale))
    )
    return specification(alt.layer(bars, name, expected).properties(height=height))
