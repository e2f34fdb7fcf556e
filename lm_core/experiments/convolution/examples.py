"""Pictures, filters and the lecture slides' numbers, and how a class's own are read and written."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.convolution import (
    ConvolutionTrace,
    Pair,
    output_size,
    toeplitz_matrix,
    trace_convolution,
)

SIDE = 10
"""Rows and columns of a painted picture."""

_DRAWN = {
    "T": """
        ..........
        .########.
        .########.
        ....##....
        ....##....
        ....##....
        ....##....
        ....##....
        ....##....
        ..........""",
    "Square": """
        ..........
        ..........
        ..######..
        ..######..
        ..######..
        ..######..
        ..######..
        ..######..
        ..........
        ..........""",
    "Ring": """
        ..........
        ...####...
        ..##..##..
        .##....##.
        .#......#.
        .#......#.
        .##....##.
        ..##..##..
        ...####...
        ..........""",
    "Diagonal": """
        ..........
        .##.......
        .###......
        ..###.....
        ...###....
        ....###...
        .....###..
        ......###.
        .......##.
        ..........""",
    "Seven": """
        ..........
        ..######..
        ..######..
        ......##..
        .....##...
        .....##...
        ....##....
        ....##....
        ....##....
        ..........""",
}


def _picture(drawn: str) -> Tensor:
    return torch.tensor([[float(cell == "#") for cell in row] for row in drawn.split()])


PICTURES = {name: _picture(drawn) for name, drawn in _DRAWN.items()}
"""By name, (10, 10), of zeros and ones."""

VERTICAL, HORIZONTAL = "Vertical edges", "Horizontal edges"
FILTERS = {
    VERTICAL: torch.tensor([[-1.0, 0.0, 1.0]] * 3),
    HORIZONTAL: torch.tensor([[-1.0, 0.0, 1.0]] * 3).T,
    "All edges": torch.tensor([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]),
    "Falling line": torch.tensor([[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, -1.0, 2.0]]),
    "Sharpen": torch.tensor([[0.0, -1.0, 0.0], [-1.0, 5.0, -1.0], [0.0, -1.0, 0.0]]),
    "Blur": torch.full((3, 3), 1.0 / 9.0),
}
"""By name, (3, 3)."""


class SlideRow(NamedTuple):
    """The one-dimensional example of the lecture slides."""

    inputs: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0)
    weights: tuple[float, ...] = (7.0, 6.0, 5.0)
    printed: tuple[float, ...] = (5.0, 16.0, 34.0, 52.0, 45.0, 28.0)
    """`inputs`, `weights` and `printed`: x, w and the z that the lecture slides print for their
    convolution."""


class SizeExample(NamedTuple):
    """An image and a filter of several channels."""

    image: Tensor
    """Of shape (C, H, W)."""
    weights: Tensor
    """Of shape (C, h, w)."""
    padding: int
    stride: int
    """`padding` and `stride`: with which it is printed."""

    @property
    def output(self) -> Pair:
        """Rows and columns of the feature map."""
        rows, columns = (
            output_size(x, f, self.padding, self.stride)
            for x, f in zip(self.image.shape[1:], self.weights.shape[1:], strict=True)
        )
        return rows, columns

    def trace(self) -> ConvolutionTrace:
        """Return all that is computed."""
        padding, stride = (self.padding,) * 2, (self.stride,) * 2
        return trace_convolution(self.image, self.weights, padding=padding, stride=stride)

    def matrix(self) -> Tensor:
        """Return the matrix by which the flattened image, of one channel, is multiplied."""
        (_, *size), (weights,) = self.image.shape, self.weights
        padding, stride = (self.padding,) * 2, (self.stride,) * 2
        return toeplitz_matrix(weights, (size[0], size[1]), padding=padding, stride=stride)


def numbered_image(rows: int, columns: int) -> Tensor:
    """Return an image (1, rows, columns) of the digits 0 to 4, none like its neighbours."""
    row, column = torch.arange(rows)[:, None], torch.arange(columns)
    return ((2 * row + 3 * column) % 5).to(torch.float32)[None]


def cross_filter(rows: int, columns: int) -> Tensor:
    """Return a filter (1, rows, columns) with ones in its middle row and middle column."""
    weights = torch.zeros(1, rows, columns)
    weights[:, rows // 2] = 1.0
    weights[:, :, columns // 2] = 1.0
    return weights


_GRID = torch.arange(9.0).reshape(3, 3)
_KERNEL = torch.arange(4.0).reshape(2, 2)
STRIDED, SMALL, CHANNELS = "5 × 7 by 3 × 3", "3 × 3 by 2 × 2", "Two channels"
SIZE_EXAMPLES = {
    STRIDED: SizeExample(numbered_image(5, 7), cross_filter(3, 3), 1, 2),
    SMALL: SizeExample(_GRID[None], _KERNEL[None], 0, 1),
    CHANNELS: SizeExample(
        torch.stack([_GRID, _GRID + 1]), torch.stack([_KERNEL, _KERNEL + 1]), 0, 1
    ),
}
"""The lecture slides' two, and the second one with another channel."""

_MOST_WEIGHT = 99.0


def read_picture(text: str, side: int = SIDE, levels: str = "01") -> Tensor:
    """Read a picture that `write_picture` wrote: a row of levels after the other.

    Raises TextError if rows are missing, too long, or hold something else.

    The result: Tensor of shape (side, side), of whole numbers, the place of each level.
    """
    rows = text.split()
    if len(rows) != side or any(len(row) != side for row in rows):
        raise TextError(
            f"a picture must have {side} rows of {side} cells, got {len(rows)} rows of"
            f" {sorted({len(row) for row in rows})} cells"
        )
    foreign = sorted(set(text) - set(levels) - set(" \n\r\t"))
    if foreign:
        raise TextError(f"cells must be {levels[0]} to {levels[-1]}, got {' '.join(foreign)[:40]}")
    return torch.tensor([[float(levels.index(cell)) for cell in row] for row in rows])


def write_picture(picture: np.ndarray, levels: str = "01") -> str:
    """Return what `read_picture` reads."""
    return "\n".join("".join(levels[int(cell)] for cell in row) for row in picture)


def read_numbers(text: str, most: int, name: str) -> tuple[float, ...]:
    """Read numbers between blanks or commas.

    Raises TextError if there is none, there are more than `most`, or one is no number from -99 to
    99.
    """
    words = text.replace(",", " ").replace("−", "-").split()
    if not 1 <= len(words) <= most:
        raise TextError(f"{name} must be 1 to {most} numbers, got {len(words)}")
    numbers = []
    for word in words:
        try:
            number = float(word)
        except ValueError:
            raise TextError(f"{name} must be numbers, got {word[:20]!r}") from None
        if not abs(number) <= _MOST_WEIGHT:  # nor is what is not a number
            raise TextError(
                f"{name} must lie between −{_MOST_WEIGHT:g} and {_MOST_WEIGHT:g}, got {word[:20]}"
            )
        numbers.append(number)
    return tuple(numbers)


def read_filter(text: str, side: int = 3) -> Tensor:
    """Read the weights of a square filter, row by row; raises TextError if these are not so many numbers."""
    numbers = read_numbers(text, side * side, "the filter")
    if len(numbers) != side * side:
        raise TextError(f"the filter must be {side * side} numbers, got {len(numbers)}")
    return torch.tensor(numbers).reshape(side, side)
