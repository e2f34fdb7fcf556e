"""What is said of a table that was read: marks, cells that are no numbers, columns that are not used."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from pages.shared.clustering.column_roles import are_dates
from pages.shared.clustering.written_numbers import DECIMAL_MARKS, MISSING, NumberColumn

_THOUSANDS = {" ": "spaces", "'": "apostrophes", ".": "points", ",": "commas"}
_MOST_NAMED = 4


def marks_of(columns: Iterable[NumberColumn], decimal_marks: Iterable[str]) -> tuple[str, ...]:
    """Return how the numbers of a table are written, in a few words each.

    `decimal_marks`: iterable of str, those that stand before decimals somewhere.
    """
    columns = list(columns)
    thousands = sorted({column.thousands for column in columns} - {""})
    units = list(dict.fromkeys(column.unit for column in columns if column.unit))
    return (
        *(f"decimal {DECIMAL_MARKS[mark]}" for mark in sorted(decimal_marks)),
        *(f"{_THOUSANDS[mark]} between thousands" for mark in thousands),
        *((f"numbers without their units {listed(units)}",) if units else ()),
    )


def on_workbook(found: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return which sheets of a workbook were not read, and which columns hold formulas without results.

    Parameters
    ----------
    found : mapping, as `lm_core.text.spreadsheets.rows_of` returns it
    names : sequence of str, of the columns
    """
    said = []
    if others := [name for name in found["sheets"] if name != found["sheet"]]:
        hidden = [
            f"{quoted(name)}{' (hidden)' if name in found['hidden'] else ''}" for name in others
        ]
        said.append(
            f"{'1 other sheet is' if len(others) == 1 else f'{len(others)} other sheets are'} not read: {listed(hidden)}."
        )
    said += [
        f"{quoted(names[i]) if i < len(names) else f'Column {i + 1}'} holds formulas without their results: open"
        " the workbook in a spreadsheet, save it, and bring it again."
        for i in found["formulas"]
    ]
    return said


def on_marks(columns: Mapping[str, NumberColumn]) -> list[str]:
    """Return what was assumed of the marks in columns where every number could be another."""
    said = []
    for name, column in columns.items():
        if mark := next((mark for mark in DECIMAL_MARKS if mark in column.ambiguous), ""):
            means = "stands before decimals" if mark == column.decimal else "parts thousands"
            said.append(
                f"In {quoted(name)} it was assumed that the {DECIMAL_MARKS[mark]} in"
                f" “{column.ambiguous}” {means}."
            )
    return cut(said, "columns with the same doubt")


def on_strange(columns: Mapping[str, "pd.Series[str]"]) -> list[str]:
    """Return which cells of columns of numbers are none, the first of each column in full."""
    said = []
    for name, strange in columns.items():
        if len(strange):
            what = (
                "1 cell is no number"
                if len(strange) == 1
                else f"{len(strange):,} cells are no numbers"
            )
            said.append(
                f"In {quoted(name)} {what}; the first is {quoted(strange.iloc[0])}, in line"
                f" {strange.index[0]:,}."
            )
    return cut(said, "columns with such cells")


def on_columns(
    names: Sequence[str],
    cells: pd.DataFrame,
    is_number: "pd.Series[bool]",
    reasons: Mapping[int, str],
) -> list[str]:
    """Return which columns are no coordinates, and why."""
    said = [f"{quoted(names[i])} is left out at first: {why}." for i, why in reasons.items() if why]
    for i in cells.columns[~is_number]:
        filled = [cell for cell in cells[i] if cell.lower() not in MISSING]
        if not filled:
            said.append(f"{quoted(names[i])} is left out: it is empty.")
        else:
            what = "dates or times" if are_dates(filled) else "words or codes"
            said.append(
                f"{quoted(names[i])} is no coordinate: it holds {what}, such as {quoted(filled[0])}."
            )
    return cut(said, "columns that are no coordinates")


def on_repeated(cells: pd.DataFrame) -> list[str]:
    """Return how many rows are the same as one before, and where the first of them is."""
    again = cells.index[cells.duplicated()]
    if again.empty:
        return []
    first = again[0]
    before = cells.index[(cells == cells.loc[first]).all(axis=1)][0]
    where = f"line {first:,}, like line {before:,}"
    if len(again) == 1:
        return [f"1 row is the same as one before, and counts as a point of its own: {where}."]
    return [
        f"{len(again):,} rows are the same as one before, and each counts as a point of its own;"
        f" the first is {where}."
    ]


def cut(said: list[str], what: str) -> list[str]:
    """Return the first of many sentences, and how many more there would be."""
    rest = len(said) - _MOST_NAMED
    return said if rest <= 0 else [*said[:_MOST_NAMED], f"There are {rest} more {what}."]


def quoted(text: str) -> str:
    """Return a name or a cell between quotation marks, a long one cut."""
    return f"“{text[:40]}{'…' * (len(text) > 40)}”"


def listed(words: Sequence[str]) -> str:
    """Return the first of some words, parted by commas."""
    more = [f"{len(words) - _MOST_NAMED} more"] * (len(words) > _MOST_NAMED)
    return ", ".join([*words[:_MOST_NAMED], *more])


def were_left_out(n: int) -> str:
    """Return how many rows were left out, the beginning of a sentence."""
    return "1 row was left out" if n == 1 else f"{n:,} rows were left out"
