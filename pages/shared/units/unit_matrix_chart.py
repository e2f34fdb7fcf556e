"""All units of a network over a text: a picture of many thousand cells, whose rows can be clicked."""

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import VERMILLION
from pages.shared.charts.pixels import png_address, shades

_COLOURS = ((8, 81, 156), (244, 244, 244), (160, 74, 5))
_SIGNED, _COARSE, _GREYS = 161, 13, 95
"""Shades of a unit's values, an odd number with white in the middle; of many units' values; of the target's."""
_MANY = 100
"""Units whose rows are a pixel or two high: more shades would be seen by nobody, and are half the bytes."""


def matrix_picture(values: np.ndarray, target: np.ndarray) -> str:
    """Return a picture of units over characters as the address of a PNG.

    Parameters
    ----------
    values : ndarray of shape (units, T), from -1 (blue) through 0 (white) to 1 (orange)
    target : ndarray of shape (T,)
        From 0 (white) to 1 (black): drawn above the units, as a tenth of their height.
    """
    n_shades = _COARSE if len(values) > _MANY else _SIGNED
    middle = n_shades // 2
    units = middle + np.round(middle * np.clip(np.nan_to_num(values), -1, 1))
    strip = n_shades + np.round((_GREYS - 1) * np.clip(target, 0, 1))
    n_strip = max(1, round(len(values) * TARGET_SHARE / (1 - TARGET_SHARE)))
    colours = [shades(_COLOURS, n_shades), shades(((255,) * 3, (0,) * 3), _GREYS)]
    cells = np.concatenate([np.tile(strip, (n_strip, 1)), units])
    return png_address(cells, np.concatenate(colours))


TARGET_SHARE = 0.06  # of the height of a matrix, for the target above it


def unit_matrix(frame: pd.DataFrame, picture: str, *, chosen: int, height: int) -> Drawing:
    """Draw all units over a text, a row each; a row can be clicked: the selection is called ``row``.

    Parameters
    ----------
    frame : DataFrame, a row for each unit, from the top: unit (its number), name, correlation
    picture : str, as `matrix_picture` returns it, of the same rows
    chosen : int, the unit whose row is outlined
    """
    n = len(frame)
    first = TARGET_SHARE / (1 - TARGET_SHARE) * n
    data = frame.assign(
        top=first + np.arange(n),
        bottom=first + np.arange(n) + 1.0,
        is_chosen=frame["unit"] == chosen,
        picture=[picture] + [""] * (n - 1),
    )
    place = {
        "y": vl.field("top:Q", scale=vl.scale(0, first + n, zero=False, reverse=True), axis=None),
        "y2": "bottom",
        "fill": vl.value("transparent"),
        "stroke": vl.either("datum.is_chosen", VERMILLION, None),
        "tooltip": ["name:N", "correlation:Q +.2f"],
    }
    rows = vl.mark("rect", place, opacity=1, cursor="pointer", strokeWidth=2)
    pick = vl.clickable(rows, "row", "unit", toggle=False)
    spec = vl.layered(vl.picture(), pick, height=height)
    return Drawing(spec, data, "Heat map: every unit over the characters of the text, a row each.")
