"""The counts of n-grams as a matrix: a row for each context, or a square for each pair of letters."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import visible
from pages.shared.charts.pixels import png_address, shades

_NEVER, _PALE, _STRONG = (250, 250, 250), (198, 219, 239), (8, 48, 107)
_LINE = (214, 214, 214)
_SHADES = 96
"""From the palest to the strongest: each two units of its strongest channel from the next."""


def count_picture(values: np.ndarray) -> str:
    """Return a matrix of counts or probabilities as the address of a PNG.

    Parameters
    ----------
    values : ndarray of shape (V, V) or (V * V, V)
        After each context of one or of two symbols, of each next one; at least 0. White is 0, and the
        stronger the colour, the larger, by the logarithm. After two symbols, each pair has a square with a cell for
        each next symbol, line by line.
    """
    size = values.shape[1]
    if len(values) == size:
        cells, is_cell = values, np.ones(values.shape, bool)
    else:
        wide = math.ceil(math.sqrt(size))
        high = math.ceil(size / wide)
        room = np.zeros((size * size, high * wide))
        room[:, :size] = values
        # (first, second, line, column) -> (first, line, second, column), each square with an edge
        squares = room.reshape(size, size, high, wide)
        squares = np.pad(squares, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
        cells = squares.transpose(0, 2, 1, 3).reshape(size * (high + 1), size * (wide + 1))
        is_cell = ~np.isnan(cells)
    colours = np.concatenate([[_NEVER, _LINE], shades((_PALE, _STRONG), _SHADES)])
    return png_address(_shaded(np.nan_to_num(cells), is_cell), colours)


def _shaded(cells: np.ndarray, is_cell: np.ndarray) -> np.ndarray:
    """Return the place of each cell's colour: never, the line between squares, or a shade."""
    positive = cells[cells > 0]
    low, high = (positive.min(), positive.max()) if len(positive) else (1.0, 1.0)
    logs = np.log(np.maximum(cells, low) / low) / max(math.log(high / low), 1e-9)
    places = 2 + np.round((_SHADES - 1) * np.clip(logs, 0, 1))
    return np.where(is_cell, np.where(cells > 0, places, 0), 1)


def count_frame(values: np.ndarray, symbols: Sequence[str]) -> pd.DataFrame:
    """Return what can be pointed at: a row for each square of a `count_picture`.

    Columns are first, second (a context's symbols, or the context and the next one), value, and seen:
    how many different next symbols the square has.
    """
    size = len(symbols)
    named = [visible(symbol) for symbol in symbols]
    by_square = values.reshape(size, size, -1)
    return pd.DataFrame(
        {
            "first": np.repeat(named, size),
            "second": np.tile(named, size),
            "value": by_square.sum(2).ravel(),
            "seen": (by_square > 0).sum(2).ravel(),
        }
    )


def count_matrix(
    frame: pd.DataFrame,
    picture: str,
    symbols: Sequence[str],
    *,
    titles: tuple[str, str],
    form: str = ",",
    height: int = 330,
) -> Drawing:
    """Draw a `count_picture` with the symbols at its edges.

    The squares that were seen travel, in the precision in which they are read out; the others are known without.

    Parameters
    ----------
    frame : DataFrame, as `count_frame` returns it
    symbols : sequence of V str
    titles : pair of str, of the upright and the level axis
    form : str, how the value is written, in d3's notation
    """
    seen = np.flatnonzero(frame["seen"])
    value = frame["value"].to_numpy()[seen]
    rows = pa.table(
        {
            "square": np.append(seen, -1),
            "value": np.append(value, 0).astype(np.float32 if value.dtype == float else np.int64),
            "seen": np.append(frame["seen"].to_numpy()[seen], 0),
            "picture": [""] * len(seen) + [picture],
        }
    )
    spec = _spec([visible(symbol) for symbol in symbols], titles, form, height)
    description = "Matrix of counts: the stronger a cell's colour, the more often it was seen."
    return Drawing(spec, rows, description, numbers=frame)


def _spec(named: Sequence[str], titles: tuple[str, str], form: str, height: int) -> vl.Spec:
    size = len(named)
    upright, level = titles
    axis: vl.Spec = {
        "values": [i + 0.5 for i in range(size)],
        "labelExpr": f"{named!r}[datum.value - 0.5]",
        "grid": False,
        "labelFont": "monospace",
        "labelPadding": 2,
        "labelAngle": 0,
        # On a phone every other letter is named: all would be too small to be read.
        "labelOverlap": True if size > 40 else vl.expression("width < 360"),
        **vl.BARE,
    }
    # As large as a row and a column allow; a letter is less wide than high.
    row, column = (
        {"labelFontSize": vl.expression(f"clamp({share} * {side} / {size}, 9, 20)")}
        for share, side in ((1.03, "height"), (1.3, "width"))
    )
    across = vl.scale(0, size)
    place = {
        "x": vl.field(
            "left:Q", scale=across, axis={"title": level, "orient": "top", **axis, **column}
        ),
        "x2": "right",
        "y": vl.field(
            "top:Q", scale=across | {"reverse": True}, axis={"title": upright, **axis, **row}
        ),
        "y2": "bottom",
    }
    tooltip = [
        vl.field("first:N", title=upright),
        vl.field("second:N", title=level),
        vl.field("value:Q", format=form),
        vl.field("seen:Q", title="next symbols seen"),
    ]
    where = {
        "top": f"floor(datum.square / {size})",
        "left": f"datum.square % {size}",
        "bottom": "datum.top + 1",
        "right": "datum.left + 1",
        "first": f"{named!r}[datum.top]",
        "second": f"{named!r}[datum.left]",
    }
    squares = vl.mark("rect", place, {"tooltip": tooltip}, computed=where, opacity=0)
    return vl.layered(
        vl.picture(smooth=False),
        vl.looked_up(squares, "square", size * size, {"value": 0, "seen": 0}),
        height=height,
    )
