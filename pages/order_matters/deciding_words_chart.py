"""What each word of a sentence adds to the verdict."""

from functools import partial

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import written

_POSITIVE, _NEGATIVE = BLUE, VERMILLION
_LEAST = 1.6  # end of the axis, so that sentences compare


def word_bars(frame: pd.DataFrame) -> Drawing:
    """Draw a bar for each word, to the right where it speaks for positive.

    `frame`: DataFrame, columns word (all different) and weight (missing where it waits), in the
    order of the sentence.
    """
    known = frame["weight"].astype(float)
    data = frame.assign(
        weight=known,
        rank=range(len(frame)),
        colour=[_POSITIVE if weight > 0 else _NEGATIVE for weight in known],
        text=known.map(partial(written, form="+.2f")).mask(known.isna(), "?"),
        end=known.clip(lower=0.0).fillna(0.0),
    )
    most = max(_LEAST, 1.2 * known.abs().max())
    along = vl.scale(-most, most)
    names = {"title": None, "labelLimit": 330, "labelExpr": vl.UNNUMBERED, **vl.BARE}
    row: vl.Spec = {"y": vl.field("word:N", sort=vl.by("rank"), axis=names)}
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
