"""Pictures that fill a part of the plane: what a network says at each of its places."""

import numpy as np

from pages.shared.charts.pixels import png_address

_ZERO, _UNSURE, _ONE = (172, 208, 232), (252, 252, 252), (250, 200, 160)
"""Blue as the points of class 0, orange as those of class 1."""


def surface_picture(probabilities: np.ndarray) -> str:
    """Return P(class 1) over a part of the plane, (rows, columns), its top row first, as a PNG's address.

    Blue is 0, white 1/2, orange 1. What is not a number, as after a diverged training, is white.
    """
    shares = 2.0 * np.nan_to_num(probabilities, nan=0.5)[..., None] - 1.0
    middle, zero, one = (np.array(colour, float) for colour in (_UNSURE, _ZERO, _ONE))
    colours = middle + np.where(shares > 0, shares * (one - middle), -shares * (zero - middle))
    return png_address(colours.round().astype(np.uint8))


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
    low, high = np.array(_LOW, float), np.array(_HIGH, float)
    colours = low + (bands / (_BANDS - 1))[..., None] * (high - low)
    edge = np.zeros(bands.shape, bool)
    edge[:, 1:] |= bands[:, 1:] != bands[:, :-1]
    edge[1:] |= bands[1:] != bands[:-1]
    return png_address(np.where(edge[..., None], 0.82 * colours, colours).round().astype(np.uint8))
