"""Columns side by side: a few series of numbers over the same words, classes or questions."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import GREY
from pages.shared.numbers import written

_WITHOUT_TEXT = 42
"""Columns beyond which there is no room for a number above each."""
_WAITS = "?"


def column_table(
    labels: Sequence[str], series: Mapping[str, Sequence[float | None]], form: str
) -> pa.Table:
    """Return a row for each column: label, series, value and the text above it.

    Parameters
    ----------
    labels : sequence of str
        All different; from left to right.
    series : mapping of str to sequence of float or None
        A number for each label; None is asked for and not drawn yet.
    form : str
        Python's format of the numbers.

    Raises
    ------
    ValueError
        If a series has another length.
    """
    rows = [
        (rank, label, name, value, _WAITS if value is None else written(value, form))
        for name, values in series.items()
        for rank, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    columns = ("rank", "label", "series", "value", "text")
    return pa.table(dict(zip(columns, zip(*rows, strict=True), strict=True)))


def grouped_columns(
    table: pa.Table,
    colours: Mapping[str, str],
    *,
    title: str,
    highest: float,
    form: str = "~g",
    height: int = 300,
) -> Drawing:
    """Draw a `column_table`: for each label a column of each series, from 0 up.

    Parameters
    ----------
    table : Table
    colours : mapping of str to str
        Of each series, in the order from left to right.
    title : str
        Of the upright axis, with its unit.
    highest : float, above 0
        End of that axis; what is higher is cut there.
    form : str
        How the axis writes its numbers, in d3's notation.
    height : int
        In pixels.
    """
    has_text = table.num_rows <= _WITHOUT_TEXT
    longest = max((len(text) for text in table["text"].to_pylist()), default=1)
    spec = filled(
        _spec(tuple(colours.items()), form, has_text),
        title=title,
        top=highest,
        # As large as a column is wide for the longest of them, whose signs are half as wide as high.
        size=f"clamp(2.2 * bandwidth('xOffset') / {longest}, 9, 20)",
    )
    spec["height"] = height
    return Drawing(spec, table, f"Columns: {title}, one for each series.")


@cache
def _spec(colours: tuple[tuple[str, str], ...], form: str, has_text: bool) -> dict[str, Any]:
    names = [name for name, _ in colours]
    order = alt.EncodingSortField("rank", op="min")
    labels = alt.Axis(title=None, labelAngle=-38, labelLimit=180, labelOverlap=False, ticks=False)
    base = alt.Chart().encode(
        x=alt.X("label:N", sort=order, axis=labels),
        xOffset=alt.XOffset("series:N", sort=names),
        tooltip=["label:N", "series:N", alt.Tooltip("value:Q", format=".3~g")],
    )
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[0, "$top"], clamp=True, nice=False),
        axis=alt.Axis(title="$title", format=form, tickCount=5),
    )
    colour = alt.Color(
        "series:N",
        scale=alt.Scale(domain=names, range=[colour for _, colour in colours]),
        legend=alt.Legend(orient="top", title=None, labelLimit=320),
    )
    layers = [base.mark_bar().encode(y=y, color=colour)]
    if has_text:
        layers.append(
            base.mark_text(baseline="bottom", dy=-2, fontSize=alt.ExprRef("$size")).encode(
                y=y, text="text:N"
            )
        )
    waiting = base.transform_filter("!isValid(datum.value)").mark_text(
        dy=-7, fontSize=20, fontWeight="bold", color=GREY
    )
    layers.append(waiting.encode(y=alt.datum(0), text=alt.value(_WAITS)))
    return specification(alt.layer(*layers).properties(height=300))
