"""How often models are right, drawn from chance on."""

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import ORANGE, VERMILLION
from pages.shared.numbers import percent

_CHANCE = 0.5


def accuracy_bars(frame: pd.DataFrame) -> Drawing:
    """Draw how far each model is above chance, with the range of its seeds.

    Parameters
    ----------
    frame : DataFrame
        Columns model, accuracy, low, high and shuffled (shares; the last one missing where it is not known or
        waits for a guess), colour.
    """
    data = frame.assign(
        rank=range(len(frame)),
        chance=_CHANCE,
        text=[percent(share, 1) for share in frame["accuracy"]],
    )
    whole = vl.scale(_CHANCE, 1.0)
    axis = {
        "title": "accuracy on held-out reviews, from chance on",
        "format": ".0%",
        "tickCount": 6,
    }
    row: vl.Spec = {
        "y": vl.field(
            "model:N", sort=vl.by("rank"), axis={"title": None, "labelLimit": 330, **vl.BARE}
        ),
        "tooltip": ["model:N", "accuracy:Q .1%", "low:Q .1%", "high:Q .1%", "shuffled:Q .1%"],
    }
    bar = {"x": vl.field("chance:Q", scale=whole, axis=axis), "x2": "accuracy"}
    seeds = {"x": vl.field("low:Q", scale=whole), "x2": "high"}
    again = {"x": vl.field("shuffled:Q", scale=whole)}
    spec = vl.layered(
        vl.mark("bar", row, bar, {"color": vl.literal("colour:N")}, height={"band": 0.6}),
        vl.mark("rule", row, seeds, color=ORANGE, strokeWidth=2.5),
        vl.mark(
            "point", row, again, color=VERMILLION, filled=False, size=90, strokeWidth=2.5, opacity=1
        ),
        vl.mark(
            "text",
            row,
            {"x": vl.field("high:Q", scale=whole), "text": "text:N"},
            align="left",
            dx=8,
        ),
        height=50 + 28 * len(frame),
    )
    return Drawing(spec, data, "Bars: the accuracy of each model, from chance on.")
