"""A batch of sentences as cells: which tokens are padding, and how much attention each one gets."""

from collections.abc import Sequence

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import GREY

_SHADES = ("#ffffff", "#821e5f")
PADDING = "padding"


def batch_frame(rows: Sequence[tuple[str, Sequence[str], Sequence[float]]]) -> pd.DataFrame:
    """Return one row for each cell: row, place (from 1), token, weight (missing where it is asked for).

    `rows`: sequence of (name, tokens, weights), each as long as the longest sentence.
    """
    return pd.DataFrame(
        (name, place, token, weight)
        for name, tokens, weights in rows
        for place, (token, weight) in enumerate(zip(tokens, weights, strict=True), 1)
    ).set_axis(["row", "place", "token", "weight"], axis=1)


def batch_chart(frame: pd.DataFrame, *, height: int) -> Drawing:
    """Draw a `batch_frame`: padding has a dot, and the stronger a colour, the more of its row's weight a token has."""
    names = list(dict.fromkeys(frame["row"]))
    is_known = frame["weight"].notna()
    largest = frame.groupby("row")["weight"].transform("max").fillna(1.0).clip(lower=1e-9)
    data = frame.assign(
        shade=(frame["weight"] / largest).fillna(0.0).round(2),
        mark=frame["token"].eq(PADDING).map({True: "·", False: ""}).where(is_known, "?"),
    )
    place = {
        "x": vl.field("place:O", axis={"title": "token", "labelOverlap": "parity", **vl.UPRIGHT}),
        "y": vl.field("row:O", sort=names, axis={"title": None, "labelLimit": 220, **vl.BARE}),
    }
    told = ["row:N", "token:N", vl.field("weight:Q .1%")]
    cell = {"color": vl.colours("shade:Q", _SHADES, (0.0, 1.0)), "tooltip": told}
    ink = {"color": vl.ink("shade", _SHADES, 0.0)}
    size = vl.expression("clamp(1.2 * bandwidth('x'), 9, 16)")  # within its cell, on a phone, too
    spec = vl.layered(
        vl.mark("rect", place, cell, stroke=GREY, strokeWidth=0.5),
        vl.mark("text", place, {"text": "mark:N"}, ink, fontSize=size, fontWeight="bold"),
        height=height,
    )
    return Drawing(spec, data, "Cells: a row for each sentence, dots for padding.", numbers=frame)
