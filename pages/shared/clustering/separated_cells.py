"""The cells of a text: what separates them, which lines are a table's, and what its columns are called.

`csv` splits the lines. `pandas.read_csv` would do both, but takes minutes for a single line of a
megabyte, and drops or fills ragged rows without counting them; `csv.Sniffer` takes decimal commas
beside tabs for separators.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from lm_core.errors import TextError
from pages.shared.clustering.written_numbers import MISSING, looks_like_a_number

MOST_ROWS = 2_000
MOST_COLUMNS = 50
SPACES = " "
SEPARATORS = {
    "\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars", SPACES: "spaces",
}  # fmt: skip
"""By the character, how a table is parted; where two would do as well, the first does."""

_SAMPLED, _LONGEST_SAMPLED = 30, 2_000
_MOST_HEADS = 6  # lines above the numbers
_EXCEL = re.compile(r'"?sep=(.|\\t)"?\s*', re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:#+(?![\t;,|])|//|%|@)")
_RULE = re.compile(r"[\s|+:=-]*[-=]{2}[\s|+:=-]*")
_BARS = re.compile(r"^\s*\||\|\s*$")  # at the ends of a line
_YEARS = range(1_800, 2_200)


class Line(NamedTuple):
    """A line of what was brought, counted from 1, and its cells."""

    number: int
    cells: list[str]


class Cells(NamedTuple):
    """A table as text."""

    names: list[str]  # as many as columns; empty where no line holds them
    lines: list[Line]  # as long as each other; at most one more than `MOST_ROWS`
    n_rows: int  # lines of that length in all, but for the one with the names
    separator: str  # empty where nothing separates: the cells of a workbook
    notes: list[str]


def cells_of_text(text: str, separator: str = "") -> Cells:
    """Return the cells of a text.

    Raises TextError if it is empty, has too many columns, or its quotation marks are not closed.

    `separator`: str, of `SEPARATORS`; found out where it is empty.
    """
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and (excel := _EXCEL.fullmatch(lines[0][1].strip(" "))):
        separator = separator or excel[1].replace("\\t", "\t")
        lines = lines[1:]
    comments = [each for each in lines if _COMMENT.match(each[1])]
    if len(lines) - len(comments) > 1:
        lines = [each for each in lines if not _COMMENT.match(each[1])]
    else:
        comments = []
    chosen = separator or _separator(lines)
    cells = cells_of_rows(_split(lines, chosen), chosen)
    is_quoted = bool(lines) and lines[0][1].lstrip().startswith('"')
    if is_quoted and not separator and len(cells.lines) > 1 and len(cells.lines[0].cells) == 1:
        inside = "\n".join([*cells.names, *(line.cells[0] for line in cells.lines)])
        if _separates(_separator([*enumerate(inside.splitlines(), 1)]), inside):
            return cells_of_text(inside)  # quotation marks around whole lines
    if comments and not cells.names:
        above = _split([(0, _COMMENT.sub("", comments[-1][1], count=1))], chosen)
        named = next(above, Line(0, []))
        if len(named.cells) == len(cells.lines[0].cells) and not _numbers_in(named):
            cells = cells._replace(names=named.cells)
    if comments:
        n = len(comments)
        said = "1 line is a comment" if n == 1 else f"{n:,} lines are comments"
        cells.notes.append(f"{said}, the first “{_cut(comments[0][1])}”.")
    return cells


def cells_of_rows(rows: Iterable[Line], separator: str = "") -> Cells:
    """Return the rows that are as long as most are, with the names above them.

    Raises TextError if there is none, or they are too long.
    """
    lengths: Counter[int] = Counter()
    kept: dict[int, list[Line]] = {}
    for row in rows:
        lengths[len(row.cells)] += 1
        same = kept.setdefault(len(row.cells), [])
        if len(same) <= MOST_ROWS + 1 and len(row.cells) <= MOST_COLUMNS:
            same.append(row)
    if not lengths:
        raise TextError("the table is empty: paste some lines of numbers, separated by commas")
    width = lengths.most_common(1)[0][0]
    if width > MOST_COLUMNS:
        raise TextError(
            f"at most {MOST_COLUMNS} columns are read, this table has {width:,}: leave some out"
        )
    others = [line for length, some in kept.items() if length != width for line in some]
    cells = _named(kept[width], min(others, default=None), lengths[width], separator)
    is_named_by_another = bool(cells.names) and cells.n_rows == lengths[width]
    n_others = lengths.total() - lengths[width] - is_named_by_another
    if n_others:
        first = min((line for line in others if line.cells != cells.names), default=None)
        cells.notes.append(_of_other_lengths(n_others, width, first))
    return cells


def _named(lines: list[Line], above: Line | None, n_rows: int, separator: str) -> Cells:
    """Return the lines with their names, which may stand in a line that is shorter than they are.

    R names the columns, but not the one with the names of the rows. Commas before decimals, unquoted
    between commas, make each line twice as long as the names.
    """
    width = len(lines[0].cells)
    if n_heads := _n_heads(lines):
        names, notes = names_of(lines[:n_heads])
        return Cells(names, lines[n_heads:], n_rows - n_heads, separator, notes)
    if _is_line_of_names(lines[0], lines[1:]):
        return Cells(lines[0].cells, lines[1:], n_rows - 1, separator, [])
    if above and above.number < lines[0].number and not _numbers_in(above):
        names = above.cells
        if len(names) == width - 1:
            if not any(line.cells[-1] for line in lines):  # a separator at the end of each line
                shorter = [line._replace(cells=line.cells[:-1]) for line in lines]
                return Cells(names, shorter, n_rows, separator, [])
            if len(names) > 1 or _name_rows(lines):
                return Cells(["", *names], lines, n_rows, separator, [])
        if 2 * len(names) == width and separator == ",":
            joined = [line._replace(cells=_joined(line.cells)) for line in lines]
            if all(cell.lstrip("+-").isdigit() for line in lines for cell in line.cells):
                note = "Each number holds a comma before its decimals, as there are half as many names."
                return Cells(names, joined, n_rows, separator, [note])
    return Cells([], lines, n_rows, separator, [])


def _n_heads(lines: Sequence[Line]) -> int:
    """Return how many lines stand above the numbers, each with words where others have numbers; 0 for fewer than two.

    A title and two lines of names are such lines; a row whose numbers are missing is none.
    """
    n = next((i for i, line in enumerate(lines[:_MOST_HEADS]) if _numbers_in(line)), 0)
    below = lines[n : n + _SAMPLED]
    of_numbers = [
        i
        for i in range(len(lines[0].cells))
        if 2 * sum(looks_like_a_number(line.cells[i]) for line in below) > len(below)
    ]
    said = [any(line.cells[i].casefold() not in MISSING for i in of_numbers) for line in lines[:n]]
    n = n if all(said[1:]) else said.index(False, 1)
    return n if n > 1 else 0


def names_of(heads: Sequence[Line]) -> tuple[list[str], list[str]]:
    """Return the names in the lines above the numbers, and what is said of the other lines.

    The first line with most cells names the columns. One before it with several cells names groups of
    columns, as merged cells do; one with a single cell is a title.

    Examples
    --------
    >>> names_of([Line(1, ["size", "", "mass"]), Line(2, ["length", "width", "kg"])])[0]
    ['size length', 'size width', 'mass kg']
    """
    filled = [sum(map(bool, line.cells)) for line in heads]
    chosen = filled.index(max(filled))
    names, notes = heads[chosen].cells, []
    for line, n in zip(heads[:chosen], filled, strict=False):
        if n > 1:
            groups = list(line.cells)
            for k in range(1, len(groups)):  # merged cells hold their text in the first one alone
                groups[k] = groups[k] or groups[k - 1]
            names = [f"{group} {name}".strip() for group, name in zip(groups, names, strict=True)]
    if titles := [line for line, n in zip(heads[:chosen], filled, strict=False) if n == 1]:
        notes.append(
            f"Line {titles[0].number:,} is a title: “{_cut(' '.join(titles[0].cells).strip())}”."
        )
    if under := heads[chosen + 1 :]:
        some = under[0].number
        what = (
            f"Line {some:,}, under the names, holds no numbers and was"
            if len(under) == 1
            else f"{len(under)} lines under the names, from line {some:,} on, hold no numbers and were"
        )
        shown = _cut(", ".join(filter(None, under[0].cells)))
        notes.append(f"{what} left out: “{shown}”.")
    return names, notes


def _name_rows(lines: Sequence[Line]) -> bool:
    """Return whether the first cells count the lines, or are words."""
    first = [line.cells[0] for line in lines]
    return not all(map(looks_like_a_number, first)) or first[:2] in (["1", "2"], ["0", "1"])


def _joined(cells: Sequence[str]) -> list[str]:
    return [f"{whole},{decimals}" for whole, decimals in zip(cells[::2], cells[1::2], strict=True)]


def _is_line_of_names(first: Line, rest: Sequence[Line]) -> bool:
    """Return whether a line holds no number, or only years above numbers that are none."""
    numbers = [i for i, cell in enumerate(first.cells) if looks_like_a_number(cell)]
    below = [line.cells[i] for line in rest for i in numbers]
    years = [first.cells[i] for i in numbers]
    if not years:
        return True
    steps = {int(b) - int(a) for a, b in pairwise(years)} if all(map(_is_year, years)) else set()
    return len(steps) == 1 and 0 not in steps and bool(below) and not any(map(_is_year, below))


def _is_year(cell: str) -> bool:
    return cell.isdecimal() and len(cell) == 4 and int(cell) in _YEARS


def _numbers_in(line: Line) -> bool:
    return any(map(looks_like_a_number, line.cells))


def _of_other_lengths(n: int, width: int, first: Line | None) -> str:
    left_out = "1 row was left out" if n == 1 else f"{n:,} rows were left out"
    where = (
        f"; the first is line {first.number:,}, “{_cut(' '.join(first.cells))}”" if first else ""
    )
    return f"{left_out}: not {width} {'cell' if width == 1 else 'cells'} long, as most are{where}."


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


def _separator(lines: Sequence[tuple[int, str]]) -> str:
    """Return what parts the first lines into most numbers, alike in all of them; else the comma."""
    sample = [(i, line[:_LONGEST_SAMPLED]) for i, line in lines[:_SAMPLED]]

    def agreement(separator: str) -> float:
        try:
            rows = list(_split(sample, separator))
        except TextError:
            return 0.0
        lengths = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
        if not lengths:
            return 0.0
        usual, times = lengths.most_common(1)[0]
        cells = [cell for row in rows if len(row.cells) == usual for cell in row.cells]
        numbers = sum(map(looks_like_a_number, cells))
        others = set("\t;,|") - {separator}
        unparted = sum(bool(others & {*cell}) and not looks_like_a_number(cell) for cell in cells)
        return times / len(rows) * (1 + (numbers - unparted) / len(cells))

    agreements = {separator: agreement(separator) for separator in SEPARATORS}
    best = max(agreements, key=agreements.__getitem__)
    return best if agreements[best] else ","


def _separates(separator: str, text: str) -> bool:
    return 2 * sum(separator in line.strip() for line in text.splitlines()) > text.count("\n")


def _split(lines: Sequence[tuple[int, str]], separator: str) -> Iterator[Line]:
    """Yield the lines that hold something.

    Raises TextError if quotation marks are not closed, or a cell is too long.
    """
    texts = (f"{line}\n" for _, line in lines)
    if separator == SPACES:
        texts = (" ".join(line.split()) for line in texts)
    elif separator == "|":
        texts = ("" if _RULE.fullmatch(line) else _BARS.sub("", line.strip("\n")) for line in texts)
    reader = csv.reader(texts, delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            if any(cells := [" ".join(cell.split("\n")).strip() for cell in row]):
                yield Line(lines[reader.line_num - 1][0], cells)
    except csv.Error as error:
        number = lines[min(reader.line_num, len(lines)) - 1][0]
        raise TextError(
            f"this is no table of separated values: {error}, in line {number:,}. Close"
            " its quotation marks or leave them out"
        ) from error
