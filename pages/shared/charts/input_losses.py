"""What a network can know of the next character, by how the last one is handed to it."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION

NOTHING, INTEGER, ONE_HOT = "nothing", "its number", "its one-hot vector"
_COLOURS = {NOTHING: GREY, INTEGER: VERMILLION, ONE_HOT: BLUE}


def input_loss_frame(nothing: float, integer: Sequence[float], one_hot: float) -> pd.DataFrame:
    """Return one row per fit: input, numbering (from 0; only numbers have several), loss in nats."""
    rows = [
        (NOTHING, 0, nothing),
        *((INTEGER, i, loss) for i, loss in enumerate(integer)),
        (ONE_HOT, 0, one_hot),
    ]
    return pd.DataFrame(rows, columns=["input", "numbering", "loss"])


def input_loss_chart(frame: pd.DataFrame, *, height: int = 170) -> Drawing:
    """Draw an `input_loss_frame`: a mark for each fit, on an axis of nats per character.

    The marks of the vocabulary's own numbering are filled, those of shuffled ones hollow.
    """
    low, high = float(frame["loss"].min()), float(frame["loss"].max())
    of_input = frame.groupby("input", sort=False)["loss"]
    label = frame["loss"].map("{:.2f}".format)
    data = frame.assign(
        colour=frame["input"].map(_COLOURS),
        own=frame["numbering"] == 0,
        label=label.where((frame["numbering"] == 0) & (of_input.transform("size") == 1), ""),
    )
    return Drawing(_spec(round(low - 0.1, 1), round(high + 0.1, 1), height), data, "Marks: losses.")


@cache
def _spec(low: float, high: float, height: int) -> dict[str, Any]:
    x = alt.X(
        "loss:Q",
        scale=alt.Scale(domain=[low, high], nice=False),
        title="least loss (nats per character)",
    )
    y = alt.Y("input:N", sort=list(_COLOURS), title=None, axis=alt.Axis(labelLimit=200))
    base = alt.Chart().encode(x, y, tooltip=["input:N", "numbering:Q", "loss:Q"])
    colour = alt.Color("colour:N", scale=None)
    shuffled = base.transform_filter("!datum.own").mark_point(size=70).encode(color=colour)
    own = base.transform_filter("datum.own").mark_point(size=120, filled=True, opacity=1)
    names = base.mark_text(dy=-14).encode(text="label:N")
    return specification(
        alt.layer(shuffled, own.encode(color=colour), names).properties(height=height)
    )
