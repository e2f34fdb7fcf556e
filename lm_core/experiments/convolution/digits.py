"""Handwritten digits of 8 x 8 pixels, and where they lie on a larger canvas.

The 1,797 digits by 13 writers are the test part of the UCI Machine Learning Repository's "Optical Recognition of
Handwritten Digits" (E. Alpaydin & C. Kaynak, CC BY 4.0) in scikit-learn's edition. `digits.csv` has a line for each:
the digit, and its pixels row by row as letters, a for 0 to q for 16.

References
----------
Alpaydin & Kaynak 1998, "Cascading classifiers". https://archive.ics.uci.edu/dataset/80
"""

import hashlib
from importlib import resources
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.models.convolution import shifted
from lm_core.rng import generator

SIDE = 8
MARGIN = 2
CANVAS = SIDE + 2 * MARGIN
"""Rows and columns that a network reads: a digit may be moved by the margin and stays whole."""
LEVELS = 16
"""Of grey above white."""
TEST_DIGITS = 500

_FILE = "digits.csv"
_SHA256 = "9bdd32e18d2d773af34e9e2bdf825bf6bcf11f7b63e7ddd5dcb91ddabcf910d1"
_SPLIT_SEED = 20


class Digits(NamedTuple):
    """Pictures and what they show."""

    images: Tensor
    """float32, of shape (N, 8, 8). From 0, white, to 1, black."""
    labels: Tensor
    """int64, of shape (N,)."""


def load_digits() -> Digits:
    """Read the digits that come with the package.

    Raises ResultError if their file is missing or was altered.
    """
    try:
        table = (resources.files(__package__) / _FILE).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ResultError(
            f"no readable lm_core/experiments/convolution/{_FILE}: {error}"
        ) from error
    if hashlib.sha256(table.encode()).hexdigest() != _SHA256:
        raise ResultError(
            f"lm_core/experiments/convolution/{_FILE} was altered or cut off: get it again"
        )
    rows = [line.split(",") for line in table.split()[1:]]
    letters = np.frombuffer("".join(pixels for _, pixels in rows).encode(), np.uint8)
    images = (letters.astype(np.float32) - ord("a")) / LEVELS
    return Digits(
        torch.from_numpy(images.reshape(-1, SIDE, SIDE)),
        torch.tensor([int(digit) for digit, _ in rows]),
    )


def split_digits(digits: Digits) -> tuple[Digits, Digits]:
    """Return 1,297 digits to learn from and 500 to test on, drawn once; all writers are in both."""
    order = torch.randperm(len(digits.labels), generator=generator(_SPLIT_SEED))
    train, test = order[TEST_DIGITS:], order[:TEST_DIGITS]
    return (
        Digits(digits.images[train], digits.labels[train]),
        Digits(digits.images[test], digits.labels[test]),
    )


def on_canvas(images: Tensor, rows: int = 0, columns: int = 0) -> Tensor:
    """Return digits (N, 8, 8) on canvases (N, 12, 12), moved from the middle down and to the right."""
    canvas = torch.nn.functional.pad(images, (MARGIN,) * 4)
    return shifted(canvas, rows, columns)
