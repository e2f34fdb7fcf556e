"""Real and made-up names side by side, with the bits that a model needs for each."""

from collections.abc import Sequence

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, ORANGE

REAL, SAMPLED, HIDDEN = "real", "sampled", "?"
_KINDS = (REAL, SAMPLED, HIDDEN)


def name_table(
    names: Sequence[str], kinds: Sequence[str], bits: Sequence[float], marks: Sequence[str]
) -> pa.Table:
    """Return one row a name: place, name, kind (`REAL`, `SAMPLED` or `HIDDEN`), bits, mark (written above)."""
    return pa.table(
        {
            "place": range(len(names)),
            "name": list(names),
            "kind": list(kinds),
            "bits": list(bits),
            "mark": list(marks),
        }
    )


def name_bars(table: pa.Table, *, most: float, height: int = 250) -> Drawing:
    """Draw a `name_table` as upright bars in the order of its rows.

    Parameters
    ----------
    table : Table, with different names
    most : float, bits at the top of the axis
    """
    names = {"title": None, "labelAngle": -50, "labelFont": "monospace", "labelOverlap": False}
    bits = {"title": "bits a letter", "tickCount": 5}
    place = {
        "x": vl.field("name:N", sort=vl.by("place"), axis=names),
        "y": vl.field("bits:Q", scale=vl.scale(0, most, clamp=True), axis=bits),
    }
    kinds = {"domain": list(_KINDS), "range": [BLUE, ORANGE, GREY]}
    legend = {"title": None, "orient": "top", "values": list(_KINDS[:2])}
    bar = {
        "color": vl.field("kind:N", scale=kinds, legend=legend),
        "tooltip": ["name:N", "kind:N", "bits:Q .2f", "mark:N"],
    }
    marks = vl.mark("text", place, {"text": "mark:N"}, dy=-9)
    spec = vl.layered(vl.mark("bar", place, bar), marks, height=height)
    return Drawing(spec, table, "Bars: bits a letter of each name, real or sampled.")
