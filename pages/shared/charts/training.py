"""A training as it goes: its loss step by step, on what it learns and on what it does not."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, VERMILLION

_COLUMNS = ("step", "loss", "validation_loss")
_MOST_ROWS = 400


def training_frame(rows: Sequence[dict[str, Any]], most_rows: int = _MOST_ROWS) -> pd.DataFrame:
    """Return a run's metrics as step, loss and validation_loss, in at most so many rows.

    Parameters
    ----------
    rows : sequence of dict
        By rising step; the validation loss of most is None.
    most_rows : int
        Beyond it, neighbouring rows become one: the mean of their losses at their last step.
    """
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(float)
    if len(frame) <= most_rows:
        return frame
    together = frame.index // math.ceil(len(frame) / most_rows)
    means = {"step": "last", "loss": "mean", "validation_loss": "mean"}
    return frame.groupby(together, as_index=False).agg(means)


def training_curve(
    frame: pd.DataFrame, *, steps: int, most_nats: float = 4.5, height: int = 260
) -> Drawing:
    """Draw a `training_frame`: the loss while learning as a line, the validation loss as marks.

    Parameters
    ----------
    frame : DataFrame
    steps : int
        Of the whole run: the end of the axis.
    most_nats : float
        Top of the fixed axis; what lies above is drawn at it.
    """
    description = "Lines: the loss of a training step by step, on its own text and on the rest."
    return Drawing(_training_spec(steps, most_nats, height), frame, description)


@cache
def _training_spec(steps: int, most_nats: float, height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[0.0, most_nats], clamp=True, nice=False)
    x = alt.X("step:Q", scale=alt.Scale(domain=[0, steps], nice=False), title="step")
    base = alt.Chart().encode(x=x)
    learning = base.mark_line(color=BLUE, strokeWidth=1.5).encode(
        alt.Y("loss:Q", scale=scale, title="loss (nats per character)"),
        tooltip=["step:Q", "loss:Q"],
    )
    judged = (
        base.transform_filter("isValid(datum.validation_loss)")
        .mark_line(color=VERMILLION, strokeWidth=1.5, point={"color": VERMILLION, "size": 30})
        .encode(
            alt.Y("validation_loss:Q", scale=scale),
            tooltip=["step:Q", "validation_loss:Q"],
        )
    )
    names = (
        alt.Chart()
        .transform_aggregate(rows="count()")
        .mark_text(
            align="right",
            baseline="top",
            lineBreak="\n",
            text="━ text it learns from\n●─● text it never learns from",
        )
        .encode(x=alt.value("width"), y=alt.value(0))
    )
    return specification(alt.layer(learning, judged, names).properties(height=height))
