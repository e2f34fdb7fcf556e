"""Figures whose chart, table, words and file name come from one set of numbers: what is masked is in none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeAlias

import pyarrow as pa
import streamlit as st

from pages.shared.charts.lines import Axis, Band, LineStyle, Points, line_chart
from pages.shared.numbers import significant, written
from pages.shared.ui.figures import show_chart

Column: TypeAlias = Sequence[Any]


def show_lines(
    key: str,
    lines: Mapping[str, Points],
    styles: Mapping[str, LineStyle],
    x: Axis,
    y: Axis,
    *,
    hidden: Collection[str] = (),
    bands: Mapping[str, Band] | None = None,
    beside: Mapping[str, Column | Mapping[str, Column]] | None = None,
    said: str = "",
    now: float | None = None,
    at: float | None = None,
    is_small: bool = False,
    fills_screen: bool = True,
    **drawn: Any,
) -> None:
    """Draw lines with their table and the words for who cannot see them.

    The table has a row for each place of the longest line and a column for each line. Where others have
    places of their own, it has a row for each point, with the line's name.

    Parameters
    ----------
    key : str
        Unique on the page; letters, digits and underscores. The exported files are named after it.
    lines, styles, x, y, bands, now
        As `line_chart` has them.
    hidden : collection of str, names of lines that must not be drawn yet, nor stand in the table or be said
    beside : mapping of str to sequence, or to mapping of line to sequence, optional
        Further columns of the table: of its rows, or of the rows of each line.
    said : str, what is said of the picture before its numbers; by default what is drawn against what
    at : float, optional
        The place along x whose values are said; by default where the picture is now, or else the last.
    is_small, fills_screen
        As `show_chart` has them.
    **drawn
        What else `line_chart` draws, such as a guess.
    """
    shown = {name: pairs for name, pairs in lines.items() if name not in hidden and pairs}
    spread = {name: band for name, band in (bands or {}).items() if name in shown}
    show_chart(
        line_chart(shown, styles, x, y, bands=spread, now=now, **drawn),
        partial(_table_of_lines, x.title, y.title, shown, beside or {}),
        key=key,
        alt=_words(
            said or _capital(f"{y.title} against {x.title}."), shown, y, now if at is None else at
        ),
        name=key.replace("_", "-"),
        is_small=is_small,
        fills_screen=fills_screen,
    )


def show_rows(titles: Sequence[str], rows: Iterable[Sequence[str]], *, sideways: str = "") -> None:
    """Write a table of words, formulas and numbers, all in Markdown.

    `sideways`: str, optional; unique on the page, of a table that is too wide for a phone and is pushed there.
    """
    head, *body = (f"| {' | '.join(row)} |" for row in (titles, *rows))
    with st.container(key=f"sideways_{sideways}") if sideways else nullcontext():
        st.markdown("\n".join([head, "|---" * len(titles) + "|", *body]))


def _written_on(axis: Axis, value: float) -> str:
    """Return a number as text says it beside a chart: in percent where the axis does."""
    return written(value, ".1%") if axis.form.endswith("%") else significant(value, 3)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _words(said: str, lines: Mapping[str, Points], y: Axis, at: float | None) -> str:
    """Return each line's value at a place; of a line that has none there, the one before."""
    if not lines:
        return said
    at = max(pairs[-1][0] for pairs in lines.values()) if at is None else at
    values = []
    for name, pairs in lines.items():
        place, value = next((p for p in reversed(pairs) if p[0] <= at), pairs[0])
        elsewhere = "" if place == at else f" at {significant(place, 4)}"
        values.append(f"{name} {_written_on(y, value)}{elsewhere}")
    return f"{said} At {significant(at, 4)}: {'; '.join(values)}."


def _table_of_lines(
    x: str, y: str, lines: Mapping[str, Points], beside: Mapping[str, Column | Mapping[str, Column]]
) -> pa.Table:
    if not lines:
        return pa.table({x: pa.nulls(0)})
    places = [place for place, _ in max(lines.values(), key=len)]
    is_by_line = any(isinstance(column, Mapping) for column in beside.values())
    if is_by_line or not all({p for p, _ in pairs} <= {*places} for pairs in lines.values()):
        rows = [(name, *pair) for name, pairs in lines.items() for pair in pairs]
        columns = dict(zip(("line", x, y), map(list, zip(*rows, strict=True)), strict=True))
        for title, column in beside.items():
            of_lines = column if isinstance(column, Mapping) else {}
            columns[title] = [value for name in lines for value in of_lines[name]]
        return pa.table(columns)
    columns = {x: places} | {title: list(column) for title, column in beside.items()}
    for name, pairs in lines.items():
        values = dict(pairs)
        columns[name] = [values.get(place) for place in places]
    return pa.table(columns)
