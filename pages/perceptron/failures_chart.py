"""Shares by two settings, as a matrix with its numbers: how many starts of a training fail."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, GUESS
from pages.shared.numbers import percent

_COLOURS = ("#fdf3ec", "#b34700")


def failure_table(
    shares: Mapping[tuple[str, str], float],
    *,
    masked: Sequence[tuple[str, str]] = (),
    chosen: tuple[str, str] | None = None,
    guess: tuple[tuple[str, str], float] | None = None,
) -> pa.Table:
    """Return one row for each cell: row, column, share, text, is_masked, is_chosen, guess.

    Parameters
    ----------
    shares : mapping of (row, column) to float in [0, 1]
    masked : sequence of (row, column), cells that wait for a guess
    chosen : (row, column), optional
    guess : ((row, column), share), what a visitor expected of a cell
    """
    cells = list(shares.items())
    hidden = set(masked)
    return pa.table(
        {
            "row": [row for (row, _), _ in cells],
            "column": [column for (_, column), _ in cells],
            "share": pa.array([None if cell in hidden else s for cell, s in cells], pa.float64()),
            "text": ["?" if cell in hidden else percent(s) for cell, s in cells],
            "is_chosen": [cell == chosen for cell, _ in cells],
            "guess": [
                f"{GUESS} {percent(guess[1])}" if guess is not None and guess[0] == cell else ""
                for cell, _ in cells
            ],
        }
    )


def failure_matrix(
    table: pa.Table, *, row_title: str, column_title: str, height: int = 320
) -> Drawing:
    """Draw a `failure_table`: the stronger a cell's colour, the larger its share.

    A click on a cell is the selection ``cell``, with its row and column.
    """
    across = _names(table, "column", column_title, 0.04, orient="top", labelAngle=0)
    place = {"x": across, "y": _names(table, "row", row_title or None, 0.06)}
    tooltip = {"tooltip": ["row:N", "column:N", "share:Q .1%"]}
    colour = {"color": vl.colours("share:Q", _COLOURS, (0, 1))}
    cells = vl.mark("rect", place, colour, tooltip, stroke=GREY, strokeWidth=0.4)
    number = {"text": "text:N"}
    layers = (
        vl.clickable(cells, "cell", "row", "column"),
        vl.mark(
            "text",
            place,
            number,
            {"color": vl.ink("share", _COLOURS, 0.0)},
            when="datum.share !== null",
            baseline="middle",
        ),
        vl.mark("text", place, number, when="datum.share === null", baseline="middle"),
        vl.outlined(place, when="datum.is_chosen", colour=BLUE, strokeWidth=3),
        *vl.guessed(place, dy=14, fontSize=11),
    )
    spec = vl.layered(*layers, height=height)
    return Drawing(spec, table, f"Matrix of shares: {row_title} down, {column_title} across.")


def _names(table: pa.Table, column: str, title: str | None, gap: float, **axis: Any) -> vl.Spec:
    """Return an axis of a column's names in the order of their first rows."""
    names = list(dict.fromkeys(table[column].to_pylist()))
    scale = {"domain": names, "paddingInner": gap, "paddingOuter": 0.0}
    plain = {"title": title, "labelOverlap": False, "labelFlush": False, **vl.BARE}
    return vl.field(f"{column}:N", scale=scale, axis=plain | axis)
