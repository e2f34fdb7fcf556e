"""Pictures that fill a part of the plane: what a network says at each of its places."""

import numpy as np

from pages.shared.charts.pixels import png_address, shades

_ZERO, _UNSURE, _ONE = (172, 208, 232), (252, 252, 252), (250, 200, 160)
"""Blue as the points of class 0, orange as those of class 1."""
_SHADES = 101
"""One for each percent: white is one of them."""


def surface_picture(probabilities: np.ndarray) -> str:
    """Return P(class 1) over a part of the plane, (rows, columns), its top row first, as a PNG's address.

    Blue is 0, white 1/2, orange 1. What is not a number, as after a diverged training, is white.
    """
    most = _SHADES - 1
    cells = np.round(most * np.nan_to_num(probabilities, nan=0.5))
    return png_address(cells, shades((_ZERO, _UNSURE, _ONE), _SHADES))


_LOW, _HIGH = (250, 252, 253), (128, 168, 206)
_BANDS = 16


def contour_picture(losses: np.ndarray) -> str:
    """Return losses above the lowest, (rows, columns), their top row first, as a PNG's address.

    The stronger the colour, the higher, by the logarithm, in bands with an edge: contour lines.
    """
    finite = np.nan_to_num(losses, nan=np.inf)
    highest = finite[np.isfinite(finite)].max(initial=1e-9)
    logs = np.log10(np.clip(finite / highest, 1e-3, 1.0)) / 3.0 + 1.0  # 0 to 1
    bands = np.minimum((logs * _BANDS).astype(int), _BANDS - 1)
    edge = np.zeros(bands.shape, bool)
    edge[:, 1:] |= bands[:, 1:] != bands[:, :-1]
    edge[1:] |= bands[1:] != bands[:-1]
    colours = shades((_LOW, _HIGH), _BANDS)
    return png_address(bands + _BANDS * edge, np.concatenate([colours, 0.82 * colours]))
