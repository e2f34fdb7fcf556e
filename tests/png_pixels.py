"""The pictures that `png_address` writes, read back."""

import base64
import struct
import zlib

import numpy as np


def pixels(address):
    """Return the colours of a picture's cells, (rows, columns, 3)."""
    content = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">2I", content[16:24])
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        end = at + 8 + length
        chunks[content[at + 4 : at + 8]] = content[at + 8 : end]
        assert struct.unpack(">I", content[end : end + 4])[0] == zlib.crc32(content[at + 4 : end])
        at = end + 4
    colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    cells = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + width)
    return colours[cells[:, 1:]].astype(int)
