"""A visitor's own table of numbers: read honestly, or refused with the reason."""

import csv
from collections import Counter
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.clustering.points import require_points
from lm_core.errors import TextError
from lm_core.text.own_text import read_own_text

LARGEST_BYTES = 1_000_000
MOST_ROWS = 2_000
MOST_COLUMNS = 50
LARGEST_NUMBER = 1e30
"""Beyond it, a cell counts as no number: squares and products must stay finite."""
_SEPARATORS = "\t;,"
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?"})


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a table that hold numbers, and the one that may name groups.

    Attributes
    ----------
    names : tuple of D str
    values : float64 Tensor of shape (N, D)
        Finite.
    groups : tuple of n str, or None
        The cells of the last column that holds words, if there are at most ten different ones; of
        the first n rows, where the rest have none.
    group_name : str
        That column's name; empty where there is none.
    notes : tuple of str
        What was left out, in sentences for the visitor.
    """

    names: tuple[str, ...]
    values: Tensor
    groups: tuple[str, ...] | None = None
    group_name: str = ""
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
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if any(row)]
    except csv.Error as error:
        raise TextError(f"this is no table of separated values: {error}") from error
    rows = [[cell.strip() for cell in row] for row in rows]
    header, rows = _split_header(rows, separator)
    rows, notes = _rectangular(rows, len(header))
    return _table(header, rows, separator, notes)


def standardised(points: Tensor) -> Tensor:
    """Return points (N, D) with mean 0 and standard deviation 1 in each column.

    A column in which all are equal becomes 0.
    """
    require_points(points)
    centred = points - points.mean(0)
    spread = centred.square().mean(0).sqrt()
    return centred / torch.where(spread > 1e-12 * points.abs().amax(0), spread, torch.inf)


def _separator(text: str) -> str:
    """Return the separator that the first lines agree on best; the comma where there is none."""
    lines = [line for line in text.splitlines() if line.strip()][:20]

    def agreement(separator: str) -> int:
        counts = Counter(line.count(separator) for line in lines)
        found, times = counts.most_common(1)[0]
        return times if found else 0

    return max(_SEPARATORS, key=agreement) if any(map(agreement, _SEPARATORS)) else ","


def _split_header(rows: list[list[str]], separator: str) -> tuple[list[str], list[list[str]]]:
    if not rows:
        raise TextError("the table is empty: paste some lines of numbers, separated by commas")
    has_names = not any(_number(cell, separator) is not None for cell in rows[0])
    if has_names and len(rows) < 2:
        raise TextError("the table has a line of names but no line of numbers under it")
    names = rows[0] if has_names else [""] * len(rows[0])
    names = [name[:40] or f"column {i + 1}" for i, name in enumerate(names)]
    repeated = {name for name, times in Counter(names).items() if times > 1}
    names = [f"{name} ({i + 1})" if name in repeated else name for i, name in enumerate(names)]
    if len(names) > MOST_COLUMNS:
        raise TextError(f"at most {MOST_COLUMNS} columns are read, this table has {len(names)}")
    return names, rows[has_names:]


def _rectangular(rows: list[list[str]], width: int) -> tuple[list[list[str]], list[str]]:
    kept = [row for row in rows if len(row) == width]
    notes = []
    if left_out := len(rows) - len(kept):
        notes.append(f"{_rows(left_out)} left out: not {width} cells long, as the first line is.")
    if len(kept) > MOST_ROWS:
        notes.append(f"Only the first {MOST_ROWS:,} of {len(kept):,} rows are used.")
    return kept[:MOST_ROWS], notes


def _table(names: list[str], rows: list[list[str]], separator: str, notes: list[str]) -> Table:
    cells = [[_number(cell, separator) for cell in row] for row in rows]
    columns = [
        i for i in range(len(names)) if 2 * sum(row[i] is not None for row in cells) >= len(cells)
    ]
    if not rows or not columns:
        raise TextError(
            "no column of this table holds numbers: each point needs a line of its own, such as"
            " 1.5, 2.0"
        )
    whole = [n for n, row in enumerate(cells) if all(row[i] is not None for i in columns)]
    if not whole:
        raise TextError(
            "every line of this table lacks a number in one of its columns: fill the gaps in"
        )
    if left_out := len(rows) - len(whole):
        notes = [*notes, f"{_rows(left_out)} left out: a number is missing there."]
    words = [i for i in range(len(names)) if i not in columns]
    groups = {i: _without_gaps_at_the_end([rows[n][i] for n in whole]) for i in words}
    group = next((i for i in reversed(words) if 0 < len(set(groups[i])) <= 10), None)
    return Table(
        tuple(names[i] for i in columns),
        torch.tensor([[cells[n][i] for i in columns] for n in whole], dtype=torch.float64),
        None if group is None else groups[group],
        "" if group is None else names[group],
        tuple(notes),
    )


def _without_gaps_at_the_end(cells: list[str]) -> tuple[str, ...]:
    last = max((i for i, cell in enumerate(cells) if cell), default=-1)
    return tuple(cells[: last + 1])


def _rows(n: int) -> str:
    return "1 row was" if n == 1 else f"{n:,} rows were"


def _number(cell: str, separator: str) -> float | None:
    """Return what a cell says as a finite number; None where it says none."""
    if cell.lower() in _MISSING:
        return None
    try:
        number = float(cell.replace(",", ".") if separator != "," else cell)
    except ValueError:
        return None
    return number if abs(number) <= LARGEST_NUMBER else None
