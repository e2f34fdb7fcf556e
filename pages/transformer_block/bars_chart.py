"""Bars around zero, one a part, the largest above: what each adds to a logit, or costs when it is left out."""

from collections.abc import Callable

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing


def part_bars(
    table: pa.Table,
    *,
    title: str,
    said: Callable[[float], str],
    most: float | None = None,
    height: int = 360,
) -> Drawing:
    """Draw a bar for each part, with its value; one can be clicked: the selection is ``pick``, with its part.

    Parameters
    ----------
    table : Table
        Columns part, value (missing where it waits for a guess: its row is empty but for a question mark)
        and colour, in the order in which they are drawn.
    title : str, of the axis, with the unit
    said : callable of a value, how it is written
    most : float, longer bars are cut there; their values are written whole
    """
    limit = float("inf") if most is None else most
    rows = table.to_pylist()
    drawn = [None if r["value"] is None else min(limit, r["value"]) for r in rows]
    known = [value for value in drawn if value is not None]
    low, high = min([0.0, *known]), max([0.0, *known]) or 1.0
    texts = ["?" if r["value"] is None else said(r["value"]) for r in rows]
    room = 0.04 * max(map(len, texts)) * (high - low)
    added = {
        "drawn": pa.array(drawn, pa.float64()),
        "text": texts,
        "end": [max(0.0, value or 0.0) for value in drawn],
    }
    data = pa.table({**{name: table[name] for name in table.column_names}, **added})
    across = vl.scale(low - 0.3 * room, high + room)
    row: vl.Spec = {"y": vl.field("part:N", sort=None, title=None, axis={"labelLimit": 190})}
    bar = {
        "x": vl.field("drawn:Q", scale=across, axis={"title": title, "tickCount": 5}),
        "color": vl.literal("colour:N"),
        "tooltip": ["part:N", "value:Q ,.3f"],
    }
    bars = vl.mark("bar", row, bar, height={"band": 0.7}, cursor="pointer")
    text = {"x": vl.field("end:Q", scale=across), "text": "text:N"}
    spec = vl.layered(
        vl.clickable(bars, "pick", "part"),
        vl.mark("text", row, text, align="left", dx=4),
        height=height,
    )
    return Drawing(spec, data, f"Bars: {title}, one for each part.")
