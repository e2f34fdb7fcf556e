"""A visitor's own table of numbers: read as it is, or refused with the reason.

`csv` splits the lines and pandas does the rest. `pandas.read_csv` would do both, but takes minutes
for a single line of a megabyte, and drops or fills ragged rows without counting them.
"""

import csv
import math
from collections import Counter
from dataclasses import dataclass, field

import pandas as pd
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.text.own_text import read_own_text

LARGEST_BYTES = 1_000_000
MOST_ROWS = 2_000
MOST_COLUMNS = 50
LARGEST_NUMBER = 1e30
"""Beyond it, a cell counts as no number: squares and products must stay finite."""
_MOST_GROUPS = 10
_LABEL_NAMES = {
    "label", "labels", "class", "classes", "species", "target", "group", "groups", "true group",
    "category", "cluster", "truth",
}  # fmt: skip
_SEPARATORS = "\t;,"


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a table that hold numbers, and those that may name the true groups.

    Attributes
    ----------
    names : tuple of D str
    values : float64 Tensor of shape (N, D)
        Finite.
    labels : dict of str to tuple of str
        By its name, each column of at most ten different words, or of as few whole numbers where its
        name says that they are labels: its cells, up to the last one that is not empty.
    label_name : str
        The one whose name says that it holds the true groups; empty where there is none.
    notes : tuple of str
        What was left out, in sentences for the visitor.
    """

    names: tuple[str, ...]
    values: Tensor
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    label_name: str = ""
    notes: tuple[str, ...] = ()


def read_table(data: bytes | str) -> Table:
    """Read comma-, semicolon- or tab-separated values, with or without a line of names.

    Decimal commas are understood where commas do not separate. A column counts as numbers if at
    least half of its cells are; rows in which one of them lacks a number are left out.

    Raises
    ------
    TextError
        If it is no text, too long, not a table, or holds no column of numbers.
    """
    text = read_own_text(data, largest_bytes=LARGEST_BYTES, shortest=1).text
    separator = _separator(text)
    rows, lengths = _rows(text, separator)
    cells = pd.DataFrame(rows, dtype=str).apply(lambda column: column.str.strip())
    numbers = cells.apply(_numbers, decimal="." if separator == "," else ",")
    numbers = numbers.where(numbers.abs() < math.inf)
    is_too_large = numbers.abs() > LARGEST_NUMBER
    numbers = numbers.mask(is_too_large)
    first = int(numbers.iloc[0].isna().all())  # a line without a number holds the names
    if first == len(rows):
        raise TextError("the table has a line of names but no line of numbers under it")
    width = len(rows[0])
    names = _names(rows[0] if first else [""] * width)
    n_rows = lengths[width] - first
    notes = []
    if n_ragged := lengths.total() - lengths[width]:
        left_out = _were_left_out(n_ragged)
        notes.append(f"{left_out}: not {width} cells long, as the first line is.")
    if n_large := int(is_too_large.to_numpy().sum()):
        notes.append(
            f"{n_large:,} {'number' if n_large == 1 else 'numbers'} beyond ±10³⁰ counted as missing:"
            " the square of a larger one could not be computed."
        )
    if n_rows > MOST_ROWS:
        notes.append(f"Only the first {MOST_ROWS:,} of {n_rows:,} rows are used.")
    used = slice(first, first + MOST_ROWS)
    return _table(names, cells[used], numbers[used], notes)


def _separator(text: str) -> str:
    """Return the separator that the first lines agree on best; the comma where there is none."""
    lines = [line for line in text.splitlines() if line.strip()][:20]

    def agreement(separator: str) -> int:
        counts = Counter(line.count(separator) for line in lines)
        found, times = counts.most_common(1)[0]
        return times if found else 0

    return max(_SEPARATORS, key=agreement) if any(map(agreement, _SEPARATORS)) else ","


def _rows(text: str, separator: str) -> tuple[list[list[str]], Counter[int]]:
    """Return the first rows that are as long as the very first, and how many have which length."""
    reader = csv.reader(text.splitlines(), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lengths: Counter[int] = Counter()
    try:
        for row in filter(any, reader):
            lengths[len(row)] += 1
            if not rows or (len(rows) <= MOST_ROWS and len(row) == len(rows[0])):
                rows.append(row)
    except csv.Error as error:
        raise TextError(
            f"this is no table of separated values: {error}, in line {reader.line_num:,}. Close"
            " its quotation marks or leave them out"
        ) from error
    if not rows:
        raise TextError("the table is empty: paste some lines of numbers, separated by commas")
    if (width := len(rows[0])) > MOST_COLUMNS:
        raise TextError(
            f"at most {MOST_COLUMNS} columns are read, this table has {width:,}: leave some out"
        )
    return rows, lengths


def _numbers(column: pd.Series, decimal: str) -> pd.Series:
    """Return what the cells say as numbers; missing where they say none."""
    return pd.to_numeric(column.str.replace(decimal, "."), errors="coerce").astype(float)


def _names(row: list[str]) -> tuple[str, ...]:
    names = [name.strip()[:40] or f"column {i + 1}" for i, name in enumerate(row)]
    times = Counter(names)
    return tuple(f"{name} ({i + 1})" if times[name] > 1 else name for i, name in enumerate(names))


def _table(
    names: tuple[str, ...], cells: pd.DataFrame, numbers: pd.DataFrame, notes: list[str]
) -> Table:
    is_number = numbers.notna().mean() >= 0.5
    if not is_number.any():
        raise TextError(
            "no column of this table holds numbers: each point needs a line of its own, such as"
            " 1.5, 2.0"
        )
    values = numbers.loc[:, is_number].dropna()
    if values.empty:
        raise TextError(
            "every line of this table lacks a number in one of its columns: fill the gaps in"
        )
    if n_gaps := len(numbers) - len(values):
        notes = [*notes, f"{_were_left_out(n_gaps)}: a number is missing there."]
    labels = {
        names[i]: _without_gaps_at_the_end(cells.loc[values.index, i].tolist())
        for i in cells
        if not is_number[i] or (_says_label(names[i]) and is_number.sum() > 1)
    }
    labels = {name: words for name, words in labels.items() if 0 < len(set(words)) <= _MOST_GROUPS}
    return Table(
        tuple(names[i] for i in values),
        torch.from_numpy(values.to_numpy(copy=True)),
        labels,
        next(filter(_says_label, labels), ""),
        tuple(notes),
    )


def _says_label(name: str) -> bool:
    return name.strip().lower() in _LABEL_NAMES


def _without_gaps_at_the_end(cells: list[str]) -> tuple[str, ...]:
    last = max((i for i, cell in enumerate(cells) if cell), default=-1)
    return tuple(cells[: last + 1])


def _were_left_out(n: int) -> str:
    return "1 row was left out" if n == 1 else f"{n:,} rows were left out"
