"""Real and made-up names side by side, with the bits that a model needs for each."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
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
    table : Table
        With different names.
    most : float
        Bits at the top of the axis.
    height : int
    """
    spec = filled(_spec(height), top=most)
    return Drawing(spec, table, "Bars: bits a letter of each name, real or sampled.")


@lru_cache(maxsize=4)
def _spec(height: int) -> dict[str, Any]:
    axis = alt.Axis(title=None, labelAngle=-50, labelFont="monospace", labelOverlap=False)
    y_scale = alt.Scale(domain=[0, "$top"], nice=False, clamp=True)
    order = alt.EncodingSortField("place", op="min")
    base = alt.Chart().encode(x=alt.X("name:N", sort=order, axis=axis))
    y = alt.Y("bits:Q", scale=y_scale, axis=alt.Axis(title="bits a letter", tickCount=5))
    kinds = alt.Scale(domain=list(_KINDS), range=[BLUE, ORANGE, GREY])
    bars = base.mark_bar().encode(
        y=y,
        color=alt.Color(
            "kind:N", scale=kinds, legend=alt.Legend(title=None, orient="top", values=_KINDS[:2])
        ),
        tooltip=["name:N", "kind:N", alt.Tooltip("bits:Q", format=".2f"), "mark:N"],
    )
    marks = base.mark_text(dy=-9).encode(y=y, text="mark:N")
    return specification(alt.layer(bars, marks).properties(height=height))
