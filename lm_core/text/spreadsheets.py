"""The cells of an Excel workbook as text. openpyxl reads it, in a process that is bounded.

A workbook is an archive: a file of a few kilobytes may unpack to gigabytes, so what its parts say
that they unpack to is added up first. `zipfile` unpacks no more than they say.
"""

import io
import re
import zipfile
from datetime import date, datetime, time
from itertools import islice
from typing import Any, NamedTuple

from openpyxl import load_workbook

from lm_core.errors import TextError
from lm_core.text.file_limits import LIMITS

LARGEST_UNPACKED = LIMITS.workbook_unpacked
"""Bytes of all parts of a workbook together."""

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_SAMPLED = 100  # rows in which formulas are looked for
_THREE_DECIMALS = re.compile(r"-?\d{1,3}\.\d{3}")
_REMEDY = "Open it in a spreadsheet, save it as CSV, and choose that file"


def rows_of(content: bytes, sheet: str, most_rows: int, most_columns: int) -> dict[str, Any]:
    """Return the rows of one sheet.

    Raises TextError if this is no workbook, or it unpacks to too much.

    Parameters
    ----------
    content : bytes, of an ``.xlsx`` file
    sheet : str
        Its name; empty for the first one that is shown and has numbers under its first line, or else
        the first that is not empty.
    most_rows, most_columns : int
        One more of each is read than that, so that whoever asks sees that there were more.

    Returns
    -------
    dict
        ``sheet``, ``sheets``, those of them that are ``hidden``, ``rows``, lists of str, all as long as
        the longest, ``numbers``, those of the rows in the sheet, and ``formulas``, the places of columns
        that hold these without results.
    """
    _require_bounded(content)
    try:
        values = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [each.title for each in values.worksheets]
        hidden = [each.title for each in values.worksheets if each.sheet_state != "visible"]
        chosen, found = "", _Rows([], [], 0)
        for title in [sheet] if sheet in sheets else sorted(sheets, key=hidden.__contains__):
            some = _cells(values[title], most_rows, most_columns)
            if some.rows and (not found.rows or some.holds_numbers):
                chosen, found = title, some
            if found.holds_numbers:
                break
        if found.rows:
            return {
                "sheet": chosen,
                "sheets": sheets,
                "hidden": hidden,
                "rows": found.rows,
                "numbers": found.numbers,
                "formulas": _formulas(content, chosen, found),
            }
    except Exception as error:  # openpyxl raises whatever its parsers do
        raise TextError(f"this workbook cannot be read ({error}). {_REMEDY}") from error
    raise TextError("the sheets of this workbook are empty: put some lines of numbers in one")


class _Rows(NamedTuple):
    """The rows of a sheet that are not empty."""

    rows: list[list[str]]
    numbers: list[int]
    """Of the rows in the sheet."""
    first: int
    """Place of the first column that is not empty."""

    @property
    def holds_numbers(self) -> bool:
        """Whether some row under the first one does."""
        return any(_NUMBER.fullmatch(cell) for row in self.rows[1:] for cell in row)


def _formulas(content: bytes, sheet: str, found: _Rows) -> list[int]:
    """Return the places of the columns that have no values under their names, but formulas."""
    empty = [i for i, column in enumerate(zip(*found.rows, strict=True)) if not any(column[1:])]
    if not empty:
        return []
    written = load_workbook(io.BytesIO(content), read_only=True)[sheet]
    written.reset_dimensions()
    seen = written.iter_rows(max_row=found.numbers[-1], min_col=found.first + 1, values_only=True)
    sampled = [*islice(seen, _SAMPLED)]
    return [
        i for i in empty if any(len(row) > i and str(row[i]).startswith("=") for row in sampled)
    ]


def _require_bounded(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
    except zipfile.BadZipFile as error:
        raise TextError(f"this workbook is damaged ({error}). {_REMEDY}") from error
    if unpacked > LARGEST_UNPACKED:
        raise TextError(
            f"a workbook may unpack to at most {LARGEST_UNPACKED / 1e6:g} MB, this one unpacks to"
            f" {unpacked / 1e6:,.0f} MB: keep one sheet, without pictures, or save it as CSV"
        )


def _cells(sheet: Any, most_rows: int, most_columns: int) -> _Rows:
    """Return the rows that are not empty, from the first column that is not."""
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    read = sheet.iter_rows(max_row=3 * most_rows, max_col=most_columns + 1, values_only=True)
    rows, numbers = [], []
    for number, values in enumerate(read, 1):
        row = [_written(value) for value in values]
        if any(row):
            rows.append(row)
            numbers.append(number)
        if len(rows) > most_rows:
            break
    used = [i for row in rows for i, cell in enumerate(row) if cell]
    first, last = min(used, default=0), max(used, default=-1)
    wide = [row + [""] * (last + 1 - len(row)) for row in rows]
    return _Rows([row[first : last + 1] for row in wide], numbers, first)


def _written(value: Any) -> str:
    """Return a cell as text; a number so that its point can be no mark of thousands."""
    if value is None:
        return ""
    if isinstance(value, float):
        written = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        return f"{written}0" if _THREE_DECIMALS.fullmatch(written) else written
    if isinstance(value, datetime | date | time):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return str(value).strip()
