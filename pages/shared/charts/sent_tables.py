"""A chart's table as it travels: every value as it was, in as few bytes as that takes.

A browser on a phone turns each cell of a table into a value of its own: of a column that repeats itself
it then does so for each different value, once.
"""

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_WIDTHS = {pa.int8(): 7, pa.int16(): 15, pa.int32(): 31, pa.int64(): 64}
"""Bits that each kind of whole number has beside its sign."""
_OWN_MESSAGE = 300
"""Bytes that the different values of a column take beside themselves: they travel as a message of their own."""


def narrowed(table: pd.DataFrame | pa.Table) -> pa.Table:
    """Return a table that takes no more bytes than it needs; all its values are as before.

    Python counts in 64 bits, which travel as such, and numpy's steps of a training are fractions in 64 more. A line's name or colour stands in each of its rows:
    it is sent once, and each row says which. A column in which nothing stands needs no room at all.
    """
    if isinstance(table, pd.DataFrame):
        table = pa.Table.from_pandas(table, preserve_index=False)
    columns = (_narrowed(column) for column in table.columns)
    return pa.table(dict(zip(table.column_names, columns, strict=True)))


def _narrowed(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.Array:
    if column.null_count == len(column):
        return pa.nulls(len(column))
    if pa.types.is_float64(column.type):
        column = _as_whole_numbers(column)
    elif pa.types.is_int64(column.type):
        column = column.cast(_narrowest(column))
    is_repeated = column.nbytes > _OWN_MESSAGE and not pa.types.is_dictionary(column.type)
    return _said_once(column) if is_repeated else column


def _as_whole_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column without fractions as whole numbers of 32 bits at most: a browser reads both alike."""
    is_whole = pc.all(pc.equal(pc.floor(column), column)).as_py()
    return column.cast(_narrowest(column)) if is_whole and _largest(column) < 1 << 31 else column


def _said_once(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.DictionaryArray:
    """Return a column that names its different values by number, if it is the smaller for it."""
    encoded = column.combine_chunks().dictionary_encode()
    places = encoded.indices.cast(_narrowest(encoded.indices))
    takes = _bytes_of(places) + encoded.dictionary.nbytes + _OWN_MESSAGE
    if takes >= _bytes_of(column):
        return column
    return pa.DictionaryArray.from_arrays(places, encoded.dictionary)


def _bytes_of(column: pa.Array | pa.ChunkedArray) -> int:
    """Return what a column takes; which rows of it are empty is only said where some are."""
    is_said = column.null_count or pa.types.is_large_string(column.type)
    return column.nbytes - (0 if is_said else len(column) // 8)


def _narrowest(column: pa.Array | pa.ChunkedArray) -> pa.DataType:
    largest = _largest(column)
    return next(kind for kind, bits in _WIDTHS.items() if largest < 1 << bits)


def _largest(column: pa.Array | pa.ChunkedArray) -> float:
    ends = [abs(end) for end in pc.min_max(column).as_py().values() if end is not None]
    return max(ends, default=0)
