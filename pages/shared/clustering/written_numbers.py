"""Numbers as people write them: with marks of thousands, units, currencies and codes for missing ones.

What a comma or a point means is decided for each column: by cells that leave no choice, such as 1.5 or
1.897,50, else by what the rest of the table does, else by a rule that is told to the visitor. Then
every cell is written as pandas reads it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import regex

DECIMAL_MARKS = {",": "comma", ".": "point"}
MISSING = frozenset(
    "|na|n/a|n.a.|#n/a|#na|nan|null|none|nil|missing|unknown|-|--|---|–|—|.|..|…|?|*|k.a.|k. a.|s.o.|b.d."
    "|#div/0!|#value!|#ref!|#name?|#num!|#null!|(null)|<na>|n.d.|nd|n.v.|keine|keine angabe|not available"
    "|n / a|no data".split("|")
)
"""What stands for a missing number, in small letters."""

_LONGEST = 60  # characters of a cell that may be a number
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\uff0d", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2007\u2008", " "),
        **dict.fromkeys("\u2019\u2018\u00b4`\u02bc", "'"),
        "\u066b": ".", "\u066c": "'", "\uff0c": ",", "\uff0e": ".", "\u066a": "%", "\uff05": "%",
    }
)  # fmt: skip
_CURRENCY = (
    r"(?:\b(?:EUR|USD|GBP|CHF|JPY|CNY|PLN|CZK|SEK|NOK|DKK|HUF|RUB|INR|BRL|CAD|AUD|TRY|Fr|Rs|kr|zł|Kč)\b\.?"
    r"|[A-Z]{0,2}\p{Sc})"
)
_NUMBER = regex.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+]?)\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[-+]?)"
    r"(?P<core>(?:\d+(?:[ '.,]\d+)*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?)"
    rf"(?P<after>\s*(?:%|‰|°\s?[CFK]?|{_CURRENCY}|[\p{{Ll}}\p{{Lu}}µ][\p{{Ll}}µ]{{0,5}}[²³]?"
    r"(?:/[\p{Ll}]{1,4}[²³]?)?))?(?P<behind>-)?\s*(?P<close>\))?"
)
_SIMPLE = re.compile(r"(-?)(\d+(?:[.,]\d+)?)", re.ASCII)
"""What most cells are: the long expression takes twenty times as long."""
_GROUPS = re.compile(
    r"\d+|\d{1,3}(?P<mark>[ '.,])\d{3}(?:(?P=mark)\d{3})*|\d{1,2}(?:,\d{2})+,\d{3}"
)


class _Written(NamedTuple):
    """A cell that may be a number: its digits and marks, whether it is negative, and its unit."""

    core: str
    is_negative: bool
    unit: str


@dataclass(frozen=True)
class NumberColumn:
    """A column as numbers, and what had to be assumed for that."""

    values: "pd.Series[float]"  # NaN where there is no number
    decimal: str  # the mark before decimals: a comma or a point
    thousands: str  # what stands between groups of digits; empty where nothing does
    unit: str  # behind or before the numbers: ``%``, ``€``, ``cm``
    ambiguous: str  # the first cell that could also mean another number; empty where none could
    # cells that hold something and are neither numbers nor marks of missing ones
    strange: "pd.Series[str]"


def read_numbers(
    cells: "pd.DataFrame",
    *,
    decimal: str = "",
    missing: frozenset[str] = MISSING,
    separator: str = "",
) -> dict[int, NumberColumn]:
    """Return each column of a table as numbers.

    Parameters
    ----------
    cells : DataFrame of str
    decimal : str, the mark before decimals in all columns; found out where it is empty
    missing : frozenset of str, in small letters, what stands for a missing number
    separator : str, of the table's cells: where semicolons are needed, commas usually stand before decimals
    """
    written = {i: [_written(cell) for cell in cells[i]] for i in cells}
    if separator == ",":  # without its quotes, a cell cannot hold a comma
        decimal = decimal if decimal != "," or _any_comma(written) else "."
    certain = {i: _certain_mark(column) for i, column in written.items()}
    others = Counter(mark for mark in certain.values() if mark)
    usual = others.most_common(1)[0][0] if others else ""
    return {
        i: _column(
            cells[i],
            written[i],
            decimal or certain[i] or usual,
            _fallback(written[i], separator),
            missing,
        )
        for i in written
    }


def looks_like_a_number(cell: str) -> bool:
    """Return whether a cell is a number by some country's rules.

    Examples
    --------
    >>> [looks_like_a_number(cell) for cell in ("1.897,50 €", "-3", "5 2", "2024-06-01")]
    [True, True, False, False]
    """
    written = _written(cell)
    return written is not None and any(
        _as_float(written.core, mark) is not None for mark in DECIMAL_MARKS
    )


def _any_comma(written: Mapping[int, Sequence[_Written | None]]) -> bool:
    return any(cell and "," in cell.core for column in written.values() for cell in column)


def _written(cell: str) -> _Written | None:
    if not cell or len(cell) > _LONGEST:
        return None
    if simple := _SIMPLE.fullmatch(cell):
        return _Written(simple[2], bool(simple[1]), "")
    plain = cell.translate(_PLAIN).strip()
    if not plain.isascii():
        plain = "".join(str(int(c)) if c.isdecimal() else c for c in plain)
    found = _NUMBER.fullmatch(plain)
    if found is None or bool(found["open"]) != bool(found["close"]):
        return None
    signs = (found["sign"] + found["inner"] + (found["behind"] or "")).count("-")
    if signs > 1:
        return None
    unit = (found["before"] or found["after"] or "").strip()
    return _Written(found["core"], bool(signs) or bool(found["open"]), unit)


def _certain_mark(column: Sequence[_Written | None]) -> str:
    """Return the mark before decimals that cells leave no choice about; empty where none does."""
    votes = Counter(mark for cell in column if cell and (mark := _mark_of(cell.core)))
    return votes.most_common(1)[0][0] if votes else ""


def _mark_of(core: str) -> str:
    """Return the only mark that can stand before this number's decimals; empty where two can.

    Examples
    --------
    >>> [_mark_of(core) for core in ("1.897,5", "1,2", "1.897", "1.234.567", "0,123", "12")]
    [',', ',', '', ',', ',', '']
    """
    if core.isdigit():
        return ""
    possible = [mark for mark in DECIMAL_MARKS if _as_float(core, mark) is not None]
    has_mark = any(mark in core for mark in DECIMAL_MARKS)
    return possible[0] if has_mark and len(possible) == 1 else ""


def _fallback(column: Sequence[_Written | None], separator: str) -> str:
    """Return the mark before decimals where every number could be read in two ways.

    A comma before exactly three digits is one of thousands, unless semicolons part the cells; a point
    is one before decimals. Beside whole numbers without a mark, both are marks of thousands: decimals
    would all be written alike.
    """
    cores = [cell.core for cell in column if cell]
    marks = Counter(mark for core in cores for mark in DECIMAL_MARKS if mark in core)
    if not marks:
        return "."
    mark = marks.most_common(1)[0][0]
    other = "." if mark == "," else ","
    if any(core.isdigit() and core != "0" for core in cores):
        return other
    return mark if mark == "." or separator == ";" else other


def _column(
    cells: "pd.Series[str]",
    written: Sequence[_Written | None],
    decimal: str,
    fallback: str,
    missing: frozenset[str],
) -> NumberColumn:
    is_missing = cells.str.lower().isin(missing)
    units = Counter(cell.unit for cell in written if cell and cell.unit)
    n_numbers = sum(cell is not None for cell in written)
    if len(units) > 1 or any(unit.isalpha() and 2 * n < n_numbers for unit, n in units.items()):
        # Five kilograms and 300 grams are no column of numbers, nor is 3o a number among others.
        units.clear()
        written = [cell and (None if cell.unit else cell) for cell in written]
    mark = decimal or fallback
    read = [None if cell is None else _as_float(cell.core, mark) for cell in written]
    signed = [
        None if value is None or cell is None else f"{'-' * cell.is_negative}{value}"
        for value, cell in zip(read, written, strict=True)
    ]
    values = pd.to_numeric(pd.Series(signed, cells.index, dtype=object), errors="coerce")
    values = values.astype(float).mask(is_missing)
    cores = [cell.core for cell in written if cell]
    return NumberColumn(
        values,
        mark,
        next((t for core in cores if (t := _thousands(core, mark))), ""),
        next(iter(units), "") if len(units) == 1 else "",
        "" if decimal else next((core for core in cores if _is_ambiguous(core, mark)), ""),
        cells[values.isna() & ~is_missing],
    )


def _is_ambiguous(core: str, mark: str) -> bool:
    """Return whether a number could be another; a point before decimals is what everybody expects."""
    if core.isdigit() or ("." in core and mark == "."):
        return False
    return all(_as_float(core, each) is not None for each in DECIMAL_MARKS)


def _thousands(core: str, decimal: str) -> str:
    whole = core.partition(decimal)[0]
    return next((mark for mark in " '.," if mark in whole), "")


def _as_float(core: str, decimal: str) -> str | None:
    """Return a number as Python writes it; None where it is none with that mark before decimals.

    Examples
    --------
    >>> _as_float("1.897,50", ","), _as_float("1.897,50", "."), _as_float("18,976", ".")
    ('1897.50', None, '18976')
    """
    if core.isdigit():
        return core
    mantissa, e, exponent = core.lower().partition("e")
    whole, mark, decimals = mantissa.partition(decimal)
    if mark and not (decimals.isdigit() or not decimals):
        return None
    if not whole:
        whole = "0"
    grouped = _GROUPS.fullmatch(whole)
    if grouped is None or (e and not whole.isdigit()):
        return None
    if len(whole) > 1 and whole.startswith("0") and not whole.isdigit():  # 0,123 is less than one
        return None
    digits = whole if whole.isdigit() else re.sub(r"\D", "", whole)
    return f"{digits}{'.' * bool(decimals)}{decimals}{e}{exponent}"
