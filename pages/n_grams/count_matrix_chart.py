"""The counts of n-grams as a matrix: a row for each context, or a square for each pair of letters."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import visible
from pages.shared.charts.pixels import png_address

_NEVER, _PALE, _STRONG = (250, 250, 250), (198, 219, 239), (8, 48, 107)
_LINE = (214, 214, 214)
_SIDE = 486
"""Pixels that the picture of a matrix has at least, so that its cells keep sharp edges."""


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
    pixels = _coloured(np.nan_to_num(cells), is_cell)
    times = max(1, math.ceil(_SIDE / max(cells.shape)))
    return png_address(pixels.repeat(times, axis=0).repeat(times, axis=1))


def _coloured(cells: np.ndarray, is_cell: np.ndarray) -> np.ndarray:
    positive = cells[cells > 0]
    low, high = (positive.min(), positive.max()) if len(positive) else (1.0, 1.0)
    logs = np.log(np.maximum(cells, low) / low) / max(math.log(high / low), 1e-9)
    pale, strong = np.array(_PALE, float), np.array(_STRONG, float)
    colours = pale + np.clip(logs, 0, 1)[..., None] * (strong - pale)
    colours = np.where((cells > 0)[..., None], colours, _NEVER)
    return np.where(is_cell[..., None], colours, _LINE).round().astype(np.uint8)


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
    chosen: int | None = None,
    form: str = ",",
    height: int = 330,
) -> Drawing:
    """Draw a `count_picture` with the symbols at its edges.

    Parameters
    ----------
    frame : DataFrame
        As `count_frame` returns it.
    picture : str
    symbols : sequence of V str
    titles : pair of str
        Of the upright and the level axis.
    chosen : int, optional
        The row that is outlined.
    form : str
        How the value is written, in d3's notation.
    height : int
    """
    size = len(symbols)
    named = [visible(symbol) for symbol in symbols]
    place = np.arange(size)
    data = frame.assign(
        top=np.repeat(place, size),
        left=np.tile(place, size),
        picture=[picture] + [""] * (len(frame) - 1),
        is_chosen=np.repeat(place == (-1 if chosen is None else chosen), size)
        & (np.tile(place, size) == 0),
    )
    data = data.assign(bottom=data["top"] + 1, right=data["left"] + 1, end=size)
    spec = _spec(named, titles, form, height)
    return Drawing(
        spec, data, "Matrix of counts: the stronger a cell's colour, the more often it was seen."
    )


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
        "labelOverlap": size > 40,
        **vl.BARE,
    }
    # As large as a row and a column allow; a letter is less wide than high.
    row, column = (
        {"labelFontSize": vl.expression(f"clamp({share} * {side} / {size}, 6, 14)")}
        for share, side in ((0.95, "height"), (1.3, "width"))
    )
    across = vl.scale(0, size)
    place = {
        "x": vl.field(
            "left:Q", scale=across, axis={"title": level, "orient": "top", **axis, **column}
        ),
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
    return vl.layered(
        vl.picture(smooth=False),
        vl.mark("rect", place, {"x2": "right", "tooltip": tooltip}, opacity=0),
        vl.outlined(place, {"x2": "end"}, when="datum.is_chosen"),
        height=height,
    )
