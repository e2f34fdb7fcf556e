"""Shares by two settings, as a matrix with its numbers: how many starts of a training fail."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, GUESS, VERMILLION, is_dark
from pages.shared.numbers import percent

_PALE, _STRONG = "#fdf3ec", "#b34700"


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
    masked : sequence of (row, column)
        Cells that wait for a guess.
    chosen : (row, column), optional
    guess : ((row, column), share), optional
        What a visitor expected of a cell.
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
    rows = tuple(dict.fromkeys(table["row"].to_pylist()))
    columns = tuple(dict.fromkeys(table["column"].to_pylist()))
    return Drawing(
        _spec(rows, columns, row_title, column_title, height),
        table,
        f"Matrix of shares: {row_title} down, {column_title} across.",
    )


@lru_cache(maxsize=8)
def _spec(
    rows: tuple[str, ...], columns: tuple[str, ...], row_title: str, column_title: str, height: int
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "ticks": False,
        "domain": False,
        "labelOverlap": False,
        "labelFlush": False,
    }
    x = alt.X(
        "column:N",
        scale=alt.Scale(domain=list(columns), paddingInner=0.04, paddingOuter=0.0),
        axis=alt.Axis(title=column_title, orient="top", labelAngle=0, **plain),
    )
    y = alt.Y(
        "row:N",
        scale=alt.Scale(domain=list(rows), paddingInner=0.06, paddingOuter=0.0),
        axis=alt.Axis(title=row_title or None, **plain),
    )
    base = alt.Chart().encode(x=x, y=y)
    cells = (
        base.mark_rect(stroke=GREY, strokeWidth=0.4)
        .encode(
            color=alt.Color(
                "share:Q",
                scale=alt.Scale(domain=[0, 1], range=[_PALE, _STRONG], interpolate="rgb"),
                legend=None,
            ),
            tooltip=["row:N", "column:N", alt.Tooltip("share:Q", format=".1%")],
        )
        .add_params(alt.selection_point(name="cell", fields=["row", "column"], on="click"))
    )
    wants_white = is_dark("datum.share", (_PALE, _STRONG))
    numbers = [
        base.transform_filter(where)
        .mark_text(baseline="middle", color=colour)
        .encode(text="text:N")
        for where, colour in (
            (f"datum.share !== null && ({wants_white})", "#ffffff"),
            (f"datum.share !== null && !({wants_white})", "#000000"),
            ("datum.share === null", VERMILLION),
        )
    ]
    outline = base.transform_filter("datum.is_chosen").mark_rect(
        filled=False, stroke="#0072B2", strokeWidth=3
    )
    guessed = base.transform_filter("datum.guess != ''")
    marks = [
        guessed.mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2.5, strokeDash=[4, 3]),
        guessed.mark_text(dy=14, fontWeight="bold", fontSize=11).encode(text="guess:N"),
    ]
    return specification(alt.layer(cells, *numbers, outline, *marks).properties(height=height))
