"""Which share of the pairs of each phenomenon models and people get right."""

from collections.abc import Mapping

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import GREY, ORANGE

_ROW = 22
_SHAPES = ("circle", "square")
_PUBLISHED = ("diamond", "cross", "triangle-down", "triangle-left", "triangle-right")


def phenomena_dots(table: pa.Table, ours: Mapping[str, LineStyle], *, columns: int) -> Drawing:
    """Draw a row for each phenomenon, and in it a mark for each of those who judged its pairs.

    Parameters
    ----------
    table : Table, columns phenomenon, who, right (0 to 1) and place (of the row, from the top)
    ours : mapping of str to LineStyle, the models of the lab by title, at most two; all others are published
    columns : int, of the legend
    """
    others = [who for who in dict.fromkeys(table["who"].to_pylist()) if who not in ours]
    everyone = [*ours, *others]
    colours = list(dict.fromkeys(style.colour for style in ours.values()))
    colours += [ORANGE] * (len(ours) - len(colours)) + [GREY] * len(others)
    shapes = [*_SHAPES[: len(ours)], *_PUBLISHED[: len(others)]]
    whole = vl.scale(0.0, 1.0, clamp=True)
    axis = {"title": "pairs that they get right", "format": ".0%", "tickCount": 7, "grid": True}
    row = {
        "y": vl.field(
            "phenomenon:N",
            sort=vl.by("place"),
            axis={"title": None, "labelLimit": 330, "labelOverlap": False, **vl.BARE},
        )
    }
    looks = {"color": colours, "shape": shapes}
    legend = {"orient": "top", "columns": columns, "labelLimit": 300}
    who = vl.kinds("who:N", everyone, looks, title=None, sort=everyone, legend=legend)
    dots = {
        "x": vl.field("right:Q", scale=whole, axis=axis),
        "tooltip": ["phenomenon:N", "who:N", "right:Q .1%"],
    }
    chance = {"x": {"datum": 0.5, "type": "quantitative", "scale": whole, "axis": axis}}
    n_rows = len(set(table["phenomenon"].to_pylist()))
    spec = vl.layered(
        vl.mark("rule", chance, color=GREY, strokeDash=[4, 3], strokeWidth=1.5),
        vl.mark("point", row, dots, who, filled=True, size=110, opacity=1),
        height=120 + _ROW * n_rows,
    )
    return Drawing(
        spec, table, "Marks: shares of the pairs of each phenomenon; the dashed line is chance."
    )
