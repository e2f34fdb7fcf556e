"""Tables as CSV files in which no spreadsheet finds a formula, whatever a visitor has typed."""

import csv
import unicodedata
from typing import Any

import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""With what a cell begins that a spreadsheet computes."""


def safe_csv(frame: pd.DataFrame) -> str:
    r"""Return a table as CSV: every cell in quotes, and an apostrophe before what would be computed.

    Spreadsheets of some countries also part cells at semicolons and tabs; within quotes they do not.

    Examples
    --------
    >>> safe_csv(pd.DataFrame({"name": ["=1+1", "-3", "Ada"]}))
    '"name"\n"\'=1+1"\n"-3"\n"Ada"\n'
    """
    columns = [frame.iloc[:, i] for i in range(frame.shape[1])]
    written = {i: _cells(column) for i, column in enumerate(columns)}
    named = [_shown(str(name)) for name in frame.columns]
    return pd.DataFrame(written).to_csv(
        index=False, header=named, quoting=csv.QUOTE_ALL, lineterminator="\n"
    )


def _cells(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column with its numbers as they are, and everything else as text that is only shown."""
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return column
    return column.map(lambda cell: _shown(str(cell)), na_action="ignore")


def _shown(text: str) -> str:
    try:
        float(text)
    except ValueError:
        plain = unicodedata.normalize("NFKC", text)
        begins = plain.lstrip(" \u00a0\ufeff\u200b") or plain
        return f"'{text}" if plain.startswith(_FORMULA) or begins.startswith(_FORMULA) else text
    return text
