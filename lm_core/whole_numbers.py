"""Whole numbers in few bytes, and exactly: the differences from one to the next, compressed."""

import zlib

import numpy as np


def compressed(numbers: np.ndarray) -> np.ndarray:
    """Return whole numbers of shape (N,) as bytes, uint8: few where they rise in small steps."""
    differences = np.diff(numbers.astype("<i8"), prepend=0)
    return np.frombuffer(zlib.compress(differences.tobytes(), 9), np.uint8).copy()


def expanded(content: np.ndarray) -> np.ndarray:
    """Return the numbers that `compressed` got, int64."""
    return np.cumsum(np.frombuffer(zlib.decompress(content.tobytes()), "<i8"), dtype=np.int64)
