"""A visitor's own table of numbers: read as it is, or refused with the reason."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.text.file_limits import LIMITS
from lm_core.text.kinds_of_files import SAVE_AS_TABLE, is_marked_up
from lm_core.text.own_text import OwnText, read_own_text
from lm_core.text.what_was_read import WhatWasRead
from pages.shared.clustering.column_roles import (
    MOST_GROUPS,
    are_totals,
    may_be_groups,
    missing_code,
    says_label,
    why_no_coordinate,
)
from pages.shared.clustering.separated_cells import (
    MOST_COLUMNS,
    MOST_ROWS,
    SEPARATORS,
    Cells,
    Line,
    cells_of_rows,
    cells_of_text,
)
from pages.shared.clustering.table_notes import (
    listed,
    marks_of,
    on_columns,
    on_marks,
    on_repeated,
    on_strange,
    on_workbook,
    quoted,
    were_left_out,
)
from pages.shared.clustering.written_numbers import MISSING, NumberColumn, read_numbers

LARGEST_BYTES = LIMITS.table
LARGEST_NUMBER = 1e30
"""Beyond it, a cell counts as no number: squares and products must stay finite."""
_PREVIEWED = 5
_WORKBOOK = "lm_core.text.spreadsheets:rows_of"
ReadBounded = Callable[..., Any]  # as `pages.shared.models.strangers_work.read_bounded`


class Assumed(NamedTuple):
    """What the visitor has said about their table; what is empty is found out."""

    encoding: str = ""
    separator: str = ""
    decimal: str = ""
    missing: str = ""  # further marks of missing numbers, separated by spaces; ``0`` may be one
    sheet: str = ""


NOTHING = Assumed()


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a table that hold numbers, and those that may name the true groups."""

    names: tuple[str, ...]  # tuple of D str
    values: Tensor  # float64, shape (N, D): finite
    # by its name, each column of at most ten different words, or of as few whole numbers that come
    # again: its cells, up to the last one that is not empty
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # the one whose name says that it holds the true groups; empty where there is none
    label_name: str = ""
    # of `names`, those that measure something; the others count rows, name them or date them
    coordinates: tuple[str, ...] = ()
    read: WhatWasRead = field(default_factory=lambda: WhatWasRead(()))
    sheets: tuple[str, ...] = ()  # of a workbook

    @cached_property
    def fingerprint(self) -> str:
        """Of what is read: another table, or the same one read in another way, has another."""
        said = repr((self.names, self.values.tolist(), self.labels))
        return hashlib.sha256(said.encode()).hexdigest()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed or left out."""
        return self.read.notes


def is_workbook(content: bytes | str) -> bool:
    """Return whether a file is an Excel workbook (.xlsx): a ZIP archive with a folder ``xl``."""
    return isinstance(content, bytes) and content.startswith(b"PK\x03\x04") and b"xl/" in content


def read_table(
    data: bytes | str, assumed: Assumed = NOTHING, read_bounded: ReadBounded | None = None
) -> Table:
    """Read separated values, or the sheet of a workbook, with or without a line of names.

    A column counts as numbers if at least half of its cells are; rows in which one of them lacks a
    number are left out. Raises TextError if it is no text, too long, not a table, or holds no
    column of numbers, and BoundsError if reading a workbook takes more than it may.

    Parameters
    ----------
    read_bounded : callable, optional
        Reads a workbook where a stranger's work is bounded; without it workbooks are refused.
    """
    if read_bounded and isinstance(data, bytes) and is_workbook(data):
        if len(data) > LARGEST_BYTES:
            raise TextError(
                f"a workbook may have at most {LARGEST_BYTES / 1e6:g} MB: keep one sheet"
            )
        found = read_bounded(
            _WORKBOOK, data, sheet=assumed.sheet, most_rows=MOST_ROWS + 1, most_columns=MOST_COLUMNS
        )
        lines = (Line(*row) for row in zip(found["numbers"], found["rows"], strict=True))
        sheets = tuple(found["sheets"])
        facts = (f"a table: an Excel workbook, sheet “{found['sheet']}”",)
        cells = cells_of_rows(lines)
        cells.notes.extend(on_workbook(found, cells.names))
        return _table(cells, assumed, facts, sheets)
    text = _text(data, assumed.encoding)
    cells = cells_of_text(text.text, assumed.separator)
    cells.notes.extend(text.doubts)
    parted = SEPARATORS.get(cells.separator, f"“{cells.separator}”")
    width = len(cells.lines[0].cells) if cells.lines else 0
    facts = (
        "a table",
        *(() if text.encoding == "none" else (text.encoding,)),
        f"cells separated by {parted}" if width > 1 else "one column",
    )
    return _table(cells, assumed, facts, ())


def _text(data: bytes | str, encoding: str) -> OwnText:
    """Return a table as text, without what cannot be seen; refuse what is written for programs."""
    text = read_own_text(
        data,
        encoding=encoding or None,
        largest_bytes=LARGEST_BYTES,
        shortest=1,
        drop_invisible=True,
        save_as=SAVE_AS_TABLE,
        is_prose=False,
    )
    begins = text.text.lstrip()[:20]
    if is_marked_up(begins.encode()):
        raise TextError(
            "this is the source of a web page, or XML, and no table: open it in a browser, copy the table,"
            " and paste it here; some programs call such a file .xls"
        )
    if begins.startswith("{") or re.match(r"\[\s*[{\[]", begins):
        raise TextError(
            "this is JSON, and no table: save it as CSV, in Python with pandas by read_json(FILE).to_csv(FILE)"
        )
    return text


def _table(
    found: Cells, assumed: Assumed, facts: tuple[str, ...], sheets: tuple[str, ...]
) -> Table:
    if not found.lines:
        raise TextError("the table has a line of names but no line of numbers under it")
    width = len(found.lines[0].cells)
    names = _names(found.names or [""] * width)
    lines = found.lines[:MOST_ROWS]
    cells = pd.DataFrame(
        [line.cells for line in lines], [line.number for line in lines], dtype=object
    )
    missing = MISSING | frozenset(assumed.missing.casefold().split())
    columns = read_numbers(
        cells, decimal=assumed.decimal, missing=missing, separator=found.separator
    )
    said = [*found.notes]
    if found.n_rows > MOST_ROWS:
        said.append(f"Only the first {MOST_ROWS:,} of {found.n_rows:,} rows are used.")
    numbers = pd.DataFrame({i: column.values for i, column in columns.items()})
    numbers = _without_missing(numbers, names, said)
    is_number = numbers.notna().mean() >= 0.5
    used = numbers.loc[:, is_number]
    if used.empty:
        raise TextError(_no_numbers(names, cells))
    said += on_marks({names[i]: columns[i] for i in used})
    said += on_strange({names[i]: columns[i].strange for i in used})
    totals = are_totals(cells.loc[:, ~is_number], used)
    if totals.any():
        rows = listed([f"line {i}" for i in totals[totals].index[:3]])
        said.append(f"{were_left_out(int(totals.sum()))}: it sums up the others ({rows}).")
    values = used[~totals].dropna()
    if values.empty:
        gaps = used.isna().sum()
        raise TextError(
            "every line of this table lacks a number in one of its columns: fill the gaps in, or leave"
            f" out the column with most of them, {quoted(names[gaps.idxmax()])}"
        )
    if n_gaps := len(used) - int(totals.sum()) - len(values):
        said.append(f"{were_left_out(n_gaps)}: a number is missing there.")
    said += on_repeated(cells.loc[values.index])
    reasons = {i: why_no_coordinate(names[i], values[i]) for i in values}
    if all(reasons.values()):
        reasons = dict.fromkeys(reasons, "")  # something must be used
    said += on_columns(names, cells, is_number, reasons)
    labels = _labels(names, cells.loc[values.index], values, is_number)
    label = next((name for name in labels if says_label(name, names)), "")
    if label in [names[i] for i in values]:
        said.append(
            f"{quoted(label)} is taken for the true groups: it holds few different numbers."
        )
    measuring = tuple(names[i] for i in values if not reasons[i])
    if len(measuring) > len(values) > 1:
        said.append(
            "The table has more columns than rows: if each column is meant to be a point, transpose it first."
        )
    decimal = _decimal_marks(cells[used.columns], columns)
    marks = marks_of((columns[i] for i in used), decimal)
    n_columns = "1 column" if len(measuring) == 1 else f"{len(measuring)} columns"
    size = f"{len(values):,} of {found.n_rows:,} rows and {n_columns} of {width} used"
    return Table(
        tuple(names[i] for i in values),
        torch.from_numpy(values.to_numpy(copy=True)),
        labels,
        label,
        measuring,
        WhatWasRead(
            (*facts, *marks, size),
            tuple(said),
            (names, *_preview(cells, numbers.loc[:, is_number])),
        ),
        sheets,
    )


def _preview(cells: pd.DataFrame, numbers: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    """Yield the first rows: numbers as they were understood, other cells as they stand there."""
    for line, row in cells.head(_PREVIEWED).iterrows():
        yield tuple(
            cell if i not in numbers else _shown(numbers.loc[line, i]) for i, cell in row.items()
        )


def _shown(number: float) -> str:
    return "missing" if pd.isna(number) else f"{number:.10g}"


def _names(row: Sequence[str]) -> tuple[str, ...]:
    names = [name.strip()[:40] or f"column {i + 1}" for i, name in enumerate(row)]
    times = Counter(names)
    return tuple(f"{name} ({i + 1})" if times[name] > 1 else name for i, name in enumerate(names))


def _without_missing(numbers: pd.DataFrame, names: Sequence[str], said: list[str]) -> pd.DataFrame:
    """Return the numbers without those that are too large or stand for missing ones; say so."""
    is_too_large = numbers.abs() > LARGEST_NUMBER
    if n_large := int(is_too_large.to_numpy().sum()):
        said.append(
            f"{n_large:,} {'number' if n_large == 1 else 'numbers'} beyond ±10³⁰ counted as missing:"
            " the square of a larger one could not be computed."
        )
    numbers = numbers.mask(is_too_large)
    codes = {i: code for i in numbers if (code := missing_code(numbers[i])) is not None}
    if codes:
        where = listed([f"{code:g} in {quoted(names[i])}" for i, code in codes.items()])
        said.append(f"A number far from all others counted as missing: {where}.")
    return pd.DataFrame({i: numbers[i].mask(numbers[i] == codes.get(i)) for i in numbers})


def _no_numbers(names: Sequence[str], cells: pd.DataFrame) -> str:
    first = {name: cell for name, cell in zip(names, cells.iloc[0], strict=True) if cell}
    held = listed([f"{quoted(cell)} in {quoted(name)}" for name, cell in first.items()])
    return (
        "no column of this table holds numbers: each point needs a line of its own, such as 1.5, 2.0, with"
        f" tabs, semicolons, commas, bars or spaces between. The first line holds {held}"
    )


def _decimal_marks(cells: pd.DataFrame, columns: Mapping[int, NumberColumn]) -> set[str]:
    """Return the marks that stand before decimals in some cell."""
    return {
        columns[i].decimal
        for i in cells
        if cells[i].str.contains(columns[i].decimal, regex=False).any()
    }


def _labels(
    names: Sequence[str], cells: pd.DataFrame, values: pd.DataFrame, is_number: "pd.Series[bool]"
) -> dict[str, tuple[str, ...]]:
    """Return the columns that may hold the true groups, those whose names say so first."""
    may_be = [
        i
        for i in cells
        if not is_number[i]
        or (is_number.sum() > 1 and (says_label(names[i], names) or may_be_groups(values[i])))
    ]
    labels = {names[i]: _without_gaps_at_the_end(cells[i].tolist()) for i in may_be}
    return {name: words for name, words in labels.items() if 0 < len(set(words)) <= MOST_GROUPS}


def _without_gaps_at_the_end(cells: list[str]) -> tuple[str, ...]:
    last = max((i for i, cell in enumerate(cells) if cell), default=-1)
    return tuple(cells[: last + 1])
