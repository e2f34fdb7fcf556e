"""The trainings of a class, ranked: a bar each for the loss on held-out text."""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, ORANGE

_ROW = 30  # height of a bar with its gap, in pixels
_FADED = 0.55
_BARS_SHARE = 2.1
"""The width of the chart, as a multiple of the longest bar: the words behind the bars need as much."""


class TrainingBar(NamedTuple):
    """A training of the class."""

    name: str  # whose; unique
    settings: str  # what is trained, on what
    loss: float | None  # on held-out text, in nats; None before the first look
    progress: str  # how far it is; empty at its end
    is_own: bool  # whether it is that of whoever looks


def class_training_bars(trainings: Sequence[TrainingBar]) -> Drawing:
    """Draw the trainings in the given order; pale bars are not at their end, one's own is marked.

    `trainings`: sequence of TrainingBar, at least one.
    """
    rows = [
        {
            "rank": rank,
            "name": training.name,
            "loss": training.loss or 0.0,
            "colour": _colour(training),
            "opacity": _FADED if training.progress else 1.0,
            "text": _text(training),
        }
        for rank, training in enumerate(trainings)
    ]
    most = max(training.loss or 0.0 for training in trainings) or 1.0
    names = {"title": None, "labelLimit": 320, "labelOverlap": False, **vl.BARE}
    place = {
        "y": vl.field("name:N", sort=vl.by("rank"), axis=names),
        "x": vl.field("loss:Q", scale=vl.scale(0, _BARS_SHARE * most), axis=None),
    }
    bar = {"color": vl.literal("colour:N"), "opacity": vl.literal("opacity:Q")}
    text: vl.Spec = {"align": "left", "dx": 6, "limit": vl.expression("width / 2")}
    spec = vl.layered(
        vl.mark("bar", place, bar, height={"band": 0.72}),
        vl.mark("text", place, {"text": "text:N"}, **text),
        height=12 + _ROW * len(rows),
    )
    return Drawing(
        spec, pa.Table.from_pylist(rows), "Bars: the loss on held-out text of each training."
    )


def _colour(training: TrainingBar) -> str:
    if training.loss is None:
        return GREY
    return ORANGE if training.is_own else BLUE


def _text(training: TrainingBar) -> str:
    loss = "" if training.loss is None else f"{training.loss:.3f}"
    parts = [loss, "◀ yours" * training.is_own, training.progress, training.settings]
    return " · ".join(part for part in parts if part)
