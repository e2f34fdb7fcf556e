"""Many thousand cells as one picture, for charts that could not draw a mark for each."""

import base64
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np


def png_address(cells: np.ndarray, colours: np.ndarray) -> str:
    """Return a picture as the address of a PNG.

    Parameters
    ----------
    cells : ndarray of shape (rows, columns)
        Of each cell the place of its colour: a third of the bytes that colours would take.
    colours : ndarray of shape (at most 256, 3), in bytes of red, green and blue
    """
    height, width = cells.shape
    lines = b"".join(b"\0" + row.tobytes() for row in cells.astype(np.uint8))

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">2I5B", width, height, 8, 3, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    content += chunk(b"PLTE", colours.round().astype(np.uint8).tobytes())
    content += chunk(b"IDAT", _compressed(lines)) + chunk(b"IEND", b"")
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


@lru_cache(maxsize=16)  # of up to 400 kB each
def _compressed(lines: bytes) -> bytes:
    """Return the cells of a picture as a PNG has them: most moves draw the one before again."""
    return zlib.compress(lines, 9)


def shades(ends: Sequence[tuple[int, int, int]], count: int) -> np.ndarray:
    """Return so many colours from the first to the last, by way of those between, (count, 3)."""
    places = np.linspace(0, len(ends) - 1, count)
    channels = zip(*ends, strict=True)
    return np.stack([np.interp(places, range(len(ends)), each) for each in channels], axis=1)
