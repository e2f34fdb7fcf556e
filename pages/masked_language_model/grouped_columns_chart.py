"""Columns side by side: a few series of numbers over the same words, classes or questions."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows

_WITHOUT_TEXT = 42  # columns beyond which there is no room for a number above each
_WAITS = "?"
_LEAST_TEXT = 9
"""Pixels: the smallest number that is read on a phone."""


def column_table(
    labels: Sequence[str], series: Mapping[str, Sequence[float | None]], *, in_percent: bool = False
) -> pa.Table:
    """Return a row for each column: label, series, value and the text above it.

    Raises ValueError if a series has another length.

    Parameters
    ----------
    labels : sequence of str, all different; from left to right
    series : mapping of str to sequence of float or None
        A number for each label; None is asked for and not drawn yet.
    in_percent : bool, whether they are shares, whose numbers are percentages; the axis says so
    """
    rows = [
        (rank, label, name, value, _written(value, 100 if in_percent else 1))
        for name, values in series.items()
        for rank, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    columns = ("rank", "label", "series", "value", "text")
    return table_of_rows(columns, rows)


def _written(value: float | None, times: int) -> str:
    """Return a number in two digits, so that it is legible above a narrow column; its unit is the axis's."""
    if value is None:
        return _WAITS
    return f"{times * value:.1f}" if times * value < 9.95 else f"{times * value:.0f}"


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
    colours : mapping of str to str, of each series, in the order from left to right
    title : str, of the upright axis, with its unit
    highest : float, above 0, end of that axis; what is higher is cut there
    form : str, how the axis writes its numbers, in d3's notation
    height : int, in pixels
    """
    longest = max((len(text) for text in table["text"].to_pylist()), default=1)
    # As large as a column is wide for the longest of them, whose signs are half as wide as high.
    level = f"2.2 * bandwidth('xOffset') / {longest}"
    is_level = f"{level} >= {_LEAST_TEXT}"  # on a phone they stand upright
    size = vl.expression(f"clamp({is_level} ? {level} : bandwidth('xOffset'), {_LEAST_TEXT}, 20)")
    turned: vl.Spec = {
        name: vl.expression(f"{is_level} ? {flat} : {steep}")
        for name, flat, steep in (
            ("angle", 0, -90),
            ("align", "'center'", "'left'"),
            ("baseline", "'bottom'", "'middle'"),
            ("dx", 0, 3),
            ("dy", -2, 0),
        )
    }
    names = list(colours)
    labels: vl.Spec = {"labelAngle": -38, "labelLimit": 180, "labelOverlap": False, "ticks": False}
    place = {
        "x": vl.field("label:N", sort=vl.by("rank"), axis={"title": None, **labels}),
        "xOffset": vl.field("series:N", sort=names),
        "tooltip": ["label:N", "series:N", "value:Q .3~g"],
    }
    axis = {"title": title, "format": form, "tickCount": 5}
    upright = vl.field("value:Q", scale=vl.scale(0, highest, clamp=True), axis=axis)
    inks = {"domain": names, "range": list(colours.values())}
    legend = {"orient": "top", "title": None, "labelLimit": 320}
    bar = {"y": upright, "color": vl.field("series:N", scale=inks, legend=legend)}
    number = {"y": upright, "text": "text:N"}
    waits = {"y": {"datum": 0}, "text": vl.value(_WAITS)}
    text = vl.mark("text", place, number, fontSize=size, **turned)
    sign: vl.Spec = {"dy": -7, "fontSize": 20, "fontWeight": "bold"}
    spec = vl.layered(
        vl.mark("bar", place, bar),
        *([text] if table.num_rows <= _WITHOUT_TEXT else []),
        vl.mark("text", place, waits, when="!isValid(datum.value)", **sign),
        height=height,
    )
    return Drawing(spec, table, f"Columns: {title}, one for each series.")
