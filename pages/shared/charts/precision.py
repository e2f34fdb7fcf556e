"""Which columns of a chart are drawn, or written with so few digits, that half the bytes hold them."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

_LOOKS = {"x", "y", "color", "fill", "opacity", "fillOpacity", "size"}
"""Channels of which a reader sees where a mark is, or what it looks like, and no number."""
_DRAWN, _WHOLE = "drawn", "whole"
"""How a column is read that no format writes: as a place or a colour, or with all digits."""
_HALF = np.finfo(np.float32)
_COMPUTED = re.compile(r"datum\.(\w+)")
_WRITTEN = re.compile(r"[+,]*\.(?P<digits>[0-4])~?(?P<kind>[egrf%])")


def without_idle_digits(spec: dict[str, Any], table: pa.Table) -> pa.Table:
    """Return a table whose fractions have 24 bits of precision instead of 53, where nobody sees the difference.

    Those are columns that only decide where a mark is or what it looks like, or that are written with so
    few digits that each number is written as before.
    """
    readings = defaultdict(set)
    for name, reading in _readings(spec):
        readings[name].add(reading)
    columns = {
        name: _with_half_the_bytes(column, readings[name])
        if pa.types.is_float64(column.type)
        else column
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return pa.table(columns)


def _readings(spec: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield columns with how a specification reads them: drawn, whole, or a number's format."""
    for name in _COMPUTED.findall(json.dumps(spec)):
        yield name, _WHOLE
    for layer in [*spec["layer"], *spec.get("params", ())]:
        for name in layer.get("select", {}).get("fields", ()):
            yield name, _WHOLE
        for channel, said in layer.get("encoding", {}).items():
            yield from _read_by(channel, said)


def _read_by(channel: str, said: Any) -> Iterator[tuple[str, str]]:
    if isinstance(said, list):
        for each in said:
            yield from _read_by(channel, each)
    elif isinstance(said, dict):
        if name := said.get("field"):
            yield name, _reading(said, channel)
        for other in ("sort", "condition"):
            yield from _read_by(other, said.get(other))


def _reading(said: dict[str, Any], channel: str) -> str:
    is_number = said.get("type") == "quantitative"
    if channel in ("x2", "y2") or (is_number and channel in _LOOKS):
        return _DRAWN
    return str(said.get("format", _WHOLE)) if is_number else _WHOLE


def _with_half_the_bytes(column: pa.ChunkedArray, readings: Iterable[str]) -> pa.ChunkedArray:
    """Return a column with half its bytes if that is the same in all readings."""
    written = [_WRITTEN.fullmatch(reading) for reading in readings if reading != _DRAWN]
    values = column.to_numpy() if all(written) else np.empty(0)
    values = values[np.isfinite(values) & (values != 0)]
    sizes = np.abs(values)
    if (sizes < _HALF.tiny).any() or (sizes > _HALF.max).any():
        return column  # half the bytes would make them 0, or infinite
    halved = values.astype(np.float32).astype(float)
    is_same = all(
        form and (_rounded(values, values, form) == _rounded(halved, values, form)).all()
        for form in written
    )
    return column.cast(pa.float32(), safe=False) if is_same else column


def _rounded(values: np.ndarray, near: np.ndarray, form: re.Match[str]) -> np.ndarray:
    """Return numbers, not 0, rounded as d3 rounds them with a format, in units of its last digit or so."""
    digits, kind = int(form["digits"]), form["kind"]
    if kind in "f%":
        return np.round(values * (100 if kind == "%" else 1), digits)
    magnitude = 10.0 ** np.floor(np.log10(np.abs(near)))
    return np.round(values / magnitude, max(0, digits - (kind in "gr")))
