"""The cells of an Excel workbook as text. openpyxl reads it, in a process that is bounded.

A workbook is an archive: a file of a few kilobytes may unpack to gigabytes, so what its parts say
that they unpack to is added up first. `zipfile` unpacks no more than they say.
"""

import io
import re
import zipfile
from datetime import date, datetime, time
from typing import Any

from openpyxl import load_workbook

from lm_core.errors import TextError

LARGEST_UNPACKED = 30_000_000
"""Bytes of all parts of a workbook together."""

_THREE_DECIMALS = re.compile(r"-?\d{1,3}\.\d{3}")
_REMEDY = "Open it in a spreadsheet, save it as CSV, and choose that file"


def rows_of(content: bytes, sheet: str, most_rows: int, most_columns: int) -> dict[str, Any]:
    """Return the rows of one sheet.

    Raises TextError if this is no workbook, or it unpacks to too much.

    Parameters
    ----------
    content : bytes, of an ``.xlsx`` file
    sheet : str, its name; empty for the first one that is not empty
    most_rows, most_columns : int
        One more of each is read than that, so that whoever asks sees that there were more.

    Returns
    -------
    dict, ``sheet``, ``sheets``, and ``rows``: lists of str, all as long as the longest
    """
    _require_bounded(content)
    try:
        values = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [each.title for each in values.worksheets]
        for title in [sheet] if sheet in sheets else sheets:
            rows = _cells(values[title], most_rows, most_columns)
            if rows:
                return {"sheet": title, "sheets": sheets, "rows": rows}
    except Exception as error:  # openpyxl raises whatever its parsers do
        raise TextError(f"this workbook cannot be read ({error}). {_REMEDY}") from error
    raise TextError("the sheets of this workbook are empty: put some lines of numbers in one")


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


def _cells(sheet: Any, most_rows: int, most_columns: int) -> list[list[str]]:
    """Return the rows that are not empty, from the first column that is not."""
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    read = sheet.iter_rows(max_row=3 * most_rows, max_col=most_columns + 1, values_only=True)
    rows = []
    for values in read:
        row = [_written(value) for value in values]
        if any(row):
            rows.append(row)
        if len(rows) > most_rows:
            break
    used = [i for row in rows for i, cell in enumerate(row) if cell]
    first, last = min(used, default=0), max(used, default=-1)
    wide = [row + [""] * (last + 1 - len(row)) for row in rows]
    return [row[first : last + 1] for row in wide]


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
