"""A network that learns to count: the prompt and the numbers that it generates."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
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

    `most`: int, the largest number: top of the fixed axis.
    """
    numbers = table["number"].to_pylist()
    # Beside more numbers than these the labels would overlap.
    labels = [str(number) if len(numbers) <= 30 else "" for number in numbers]
    position = {"title": "position", "tickMinStep": 1, "format": "d", "grid": False}
    place = {
        "x": vl.field("position:Q", scale=vl.scale(0.5, len(numbers) + 0.5), axis=position),
        "y": vl.field("number:Q", scale=vl.scale(0, 1.08 * most), title="number"),
    }
    parts = ["prompt", _NEXT, _OTHER]
    legend = {"orient": "top", "title": None}
    part = {
        "shape": vl.field(
            "part:N", scale={"domain": parts, "range": ["square", "circle", "cross"]}, legend=legend
        ),
        "color": vl.field(
            "part:N", scale={"domain": parts, "range": [GREY, ORANGE, VERMILLION]}, legend=legend
        ),
        "tooltip": ["position:Q", "number:Q", "part:N", "probability:Q .1%"],
    }
    spec = vl.layered(
        vl.mark("point", place, part, filled=True, size=80, opacity=1),
        vl.mark("text", place, {"text": "label:N"}, dy=-12),
        height=height,
    )
    description = (
        "Points: the numbers of the prompt, and those that the network generated after them."
    )
    return Drawing(spec, with_columns(table, label=labels), description)
