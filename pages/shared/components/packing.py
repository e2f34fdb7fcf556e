"""Many numbers in few bytes, for pictures that the browser draws itself.

32 heads of 128 tokens have half a million weights: they travel as bytes of their square root, which
is how they are shaded. A map that can be read off travels in 16-bit steps. Both are compressed.
"""

import base64
import zlib
from typing import NamedTuple

import numpy as np

_HIDDEN = -32768
"""Stands in a packed map where the mask lies."""


class PackedMap(NamedTuple):
    """A square of numbers as it travels: ``values * step``, and the largest of them."""

    values: str
    step: float
    reach: float


def pack_heads(weights: np.ndarray) -> str:
    """Pack the weights of all heads, (layers, H, T, T) in [0, 1], as shades of 0 to 255."""
    return _packed(np.round(255.0 * np.sqrt(weights)).astype(np.uint8))


def pack_map(values: np.ndarray) -> PackedMap:
    """Pack one head's numbers, (T, T); minus infinity is where the mask lies."""
    is_hidden = np.isneginf(values)
    reach = float(np.abs(values[~is_hidden]).max(initial=0.0)) or 1.0
    step = reach / 32767.0
    steps = np.round(np.where(is_hidden, 0.0, values) / step)
    return PackedMap(_packed(np.where(is_hidden, _HIDDEN, steps).astype("<i2")), step, reach)


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(numbers.tobytes(), 1)).decode("ascii")
