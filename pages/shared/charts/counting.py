"""A network that learns to count: the prompt and the numbers that it generates."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification, with_columns
from pages.shared.charts.palette import GREY, ORANGE, VERMILLION

_NEXT, _OTHER = "one more", "another"


def generated_table(
    prompt: Sequence[int], generated: Sequence[int], probabilities: Sequence[float]
) -> pa.Table:
    """Return one row per number of the prompt and after it: position (from 1), number, part, probability.

    `part` says whether a generated number is the one before it plus one.
    """
    numbers = [*prompt, *generated]
    is_next = [b == a + 1 for a, b in pairwise(numbers)][len(prompt) - 1 :]
    parts = ["prompt"] * len(prompt) + [_NEXT if n else _OTHER for n in is_next]
    return pa.table(
        {
            "position": np.arange(1, len(numbers) + 1),
            "number": numbers,
            "part": parts,
            "probability": [None] * len(prompt) + list(probabilities),
        }
    )


def generated_chart(table: pa.Table, *, most: int, height: int = 230) -> Drawing:
    """Draw a `generated_table`: squares are the prompt, dots are one more than the number before, crosses are not.

    Parameters
    ----------
    table : Table
    most : int
        The largest number: top of the fixed axis.
    """
    description = (
        "Points: the numbers of the prompt, and those that the network generated after them."
    )
    # Beside more numbers than these the labels would overlap.
    numbers = table["number"].to_pylist()
    labels = [str(number) if len(numbers) <= 30 else "" for number in numbers]
    spec = filled(_generated_spec(height), end=len(numbers) + 0.5, top=1.08 * most)
    return Drawing(spec, with_columns(table, label=labels), description)


@cache
def _generated_spec(height: int) -> dict[str, Any]:
    x = alt.X(
        "position:Q",
        scale=alt.Scale(domain=[0.5, "$end"], nice=False),
        axis=alt.Axis(title="position", tickMinStep=1, format="d", grid=False),
    )
    y = alt.Y("number:Q", scale=alt.Scale(domain=[0, "$top"], nice=False), title="number")
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
            scale=alt.Scale(domain=parts, range=[GREY, ORANGE, VERMILLION]),
            legend=alt.Legend(orient="top", title=None),
        ),
        tooltip=["position:Q", "number:Q", "part:N", alt.Tooltip("probability:Q", format=".1%")],
    )
    labels = base.mark_text(dy=-12).encode(text="label:N")
    return specification(alt.layer(points, labels).properties(height=height))
