"""A chart in two parts: how it is drawn, which stays, and what it shows, which changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

TABLE = "rows"  # the name under which a specification finds the rows
TEXT_SIZE = 13  # of labels and names on a laptop, in pixels
_EXPONENT = "floor(log(abs(datum.value)) / LN10 + 1e-9)"
_DIGIT = "slice('⁰¹²³⁴⁵⁶⁷⁸⁹', {0}, {0} + 1)"
_FACTOR = f"round(datum.value / pow(10, {_EXPONENT}))"
POWER_OF_TEN = (
    f"({_FACTOR} == 1 ? '' : {_FACTOR} + ' × ') + '10' + ({_EXPONENT} < 0 ? '⁻' : '')"
    f" + (abs({_EXPONENT}) > 9 ? {_DIGIT.format(f'floor(abs({_EXPONENT}) / 10)')} : '')"
    f" + {_DIGIT.format(f'(abs({_EXPONENT}) % 10)')}"
)
"""Vega's expression for a tick's value as one digit and a power of ten, such as 10⁻⁵."""


class Drawing(NamedTuple):
    """A Vega-Lite specification without data, and the rows that it draws.

    A page that redraws sends new rows under an equal specification, and the browser moves the bars
    instead of setting up the chart anew. What depends on the data is therefore a column.
    """

    spec: dict[str, Any]  # as `vega_lite.layered` returns it
    # The one table that all its layers read. It travels as Arrow's table; pandas takes longer to
    # build and to convert one than some pages take otherwise.
    table: pd.DataFrame | pa.Table
    description: str  # what it shows, whatever the numbers are
    # returns the table for text of another size in pixels, where names have to be held apart by it
    arranged: Callable[[int], pd.DataFrame | pa.Table] | None = None
    # letters of the longest name beyond the lines' ends, where text for the back row may need more room
    longest_name: int = 0
    numbers: pd.DataFrame | pa.Table | None = None  # what a reader is shown; by default its rows

    @property
    def data(self) -> pd.DataFrame:
        """The table for whoever computes with it."""
        return self.table.to_pandas() if isinstance(self.table, pa.Table) else self.table

    def table_for(self, text_size: int) -> pd.DataFrame | pa.Table:
        """Return the rows with their names apart as text of that size needs it."""
        return self.arranged(text_size) if self.arranged and text_size != TEXT_SIZE else self.table


def table_of_rows(names: Sequence[str], rows: Iterable[Iterable[Any]]) -> pa.Table:
    """Return rows, each with a value for each column, as a table."""
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table(dict(zip(names, columns, strict=True)))


def with_columns(table: pa.Table, **columns: Any) -> pa.Table:
    """Return a table with further columns, or with others in place of its own."""
    own = dict(zip(table.column_names, table.columns, strict=True))
    return pa.table(own | columns)


def with_axes_shared(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a layered specification that says once what its layers draw along an axis.

    Vega-Lite gives each layer the encodings of the whole, and all layers one axis, whichever of them
    describes it: the picture is the same. An axis that six layers share is otherwise sent, and read by the
    browser, six times.
    """
    encodings = [layer.get("encoding", {}) for layer in spec["layer"]]
    alike = {
        channel: encodings[0][channel]
        for channel in ("x", "y")
        if all(channel in own and own[channel] == encodings[0][channel] for own in encodings)
    }
    described: list[tuple[str, Any]] = []
    own = [
        layer
        | {"encoding": {k: v for k, v in _described_once(encoding, described) if k not in alike}}
        for layer, encoding in zip(spec["layer"], encodings, strict=True)
    ]
    return spec | {"layer": own, "encoding": alike}


def _described_once(
    encoding: dict[str, Any], described: list[tuple[str, Any]]
) -> Iterator[tuple[str, Any]]:
    """Yield a layer's channels without the axes that a layer before describes in the same words."""
    for name, channel in encoding.items():
        axis = channel.get("axis") if name in ("x", "y") and isinstance(channel, dict) else None
        if axis and (name, axis) in described:
            channel = {key: said for key, said in channel.items() if key != "axis"}
        elif axis:
            described.append((name, axis))
        yield name, channel
