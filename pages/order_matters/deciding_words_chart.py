"""What each word of a sentence adds to the verdict."""

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import written

_POSITIVE, _NEGATIVE = BLUE, VERMILLION
_LEAST = 1.6  # end of the axis, so that sentences compare


def word_bars(frame: pd.DataFrame) -> Drawing:
    """Draw a bar for each word, to the right where it speaks for positive.

    Parameters
    ----------
    frame : DataFrame, columns word (all different) and weight, in the order of the sentence
    """
    data = frame.assign(
        rank=range(len(frame)),
        colour=[_POSITIVE if weight > 0 else _NEGATIVE for weight in frame["weight"]],
        text=[written(weight, "+.2f") for weight in frame["weight"]],
        end=frame["weight"].clip(lower=0.0),
    )
    most = max(_LEAST, 1.2 * frame["weight"].abs().max())
    along = vl.scale(-most, most)
    row: vl.Spec = {
        "y": vl.field(
            "word:N", sort=vl.by("rank"), axis={"title": None, "labelLimit": 330, **vl.BARE}
        )
    }
    axis = {"title": "weight: left negative, right positive", "tickCount": 5}
    weight = {
        "x": vl.field("weight:Q", scale=along, axis=axis),
        "color": vl.literal("colour:N"),
        "tooltip": ["word:N", "weight:Q +.2f"],
    }
    text = {"x": vl.field("end:Q", scale=along), "text": "text:N"}
    spec = vl.layered(
        vl.mark("bar", row, weight, height={"band": 0.7}),
        vl.mark("text", row, text, align="left", dx=6),
        height=50 + 24 * len(frame),
    )
    return Drawing(spec, data, "Bars: the weight of each word, to the right for positive.")
