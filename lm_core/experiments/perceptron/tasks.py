"""Points of two classes in the plane: the logical functions, a ring, two spirals, and one's own."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.perceptron import Bounds

MOST_POINTS = 60
BOUNDS: Bounds = (-0.5, 1.5, -0.5, 1.5)
"""The part of the plane that is drawn; all points lie in it."""
AND, OR, XOR, RING, SPIRALS = "AND", "OR", "XOR", "Ring", "Spirals"

_CORNERS = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))


class LabelledPoints(NamedTuple):
    """N points and their classes."""

    inputs: Tensor
    """Of shape (N, 2), float64."""
    targets: Tensor
    """Of shape (N,) of 0 and 1, int64."""

    @property
    def n_classes(self) -> int:
        """How many of the two classes have a point."""
        return len(self.targets.unique())


def labelled(points: list[tuple[float, float]], classes: list[int]) -> LabelledPoints:
    """Return points and their classes as tensors."""
    inputs = torch.tensor(points, dtype=torch.float64).reshape(-1, 2)
    return LabelledPoints(inputs, torch.tensor(classes, dtype=torch.int64))


def _ring() -> LabelledPoints:
    """Return 8 points in the middle, and 16 around them."""
    points, classes = [], []
    for n, radius, class_ in ((8, 0.25, 1), (16, 0.75, 0)):
        turns = [2.0 * math.pi * i / n for i in range(n)]
        points += [(0.5 + radius * math.cos(t), 0.5 + radius * math.sin(t)) for t in turns]
        classes += [class_] * n
    return labelled(points, classes)


def _spirals() -> LabelledPoints:
    """Return two arms of 16 points, each of three quarters of a turn, wound into each other."""
    points, classes = [], []
    for i in range(16):
        radius, turn = 0.15 + 0.65 * i / 15, 1.5 * math.pi * i / 15
        for class_ in (0, 1):
            angle = turn + math.pi * class_
            points.append((0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle)))
            classes.append(class_)
    return labelled(points, classes)


TASKS = {
    AND: labelled([*_CORNERS], [0, 0, 0, 1]),
    OR: labelled([*_CORNERS], [0, 1, 1, 1]),
    XOR: labelled([*_CORNERS], [0, 1, 1, 0]),
    RING: _ring(),
    SPIRALS: _spirals(),
}


def read_points(text: str) -> LabelledPoints:
    """Read points: a line for each, with x, y and its class, 0 or 1. No line is no point.

    Raises TextError if a line is none of these, a point lies outside `BOUNDS`, or there are more
    than `MOST_POINTS`.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_POINTS:
        raise TextError(f"there may be at most {MOST_POINTS} points, got {len(lines):,}")
    left, right, _, _ = BOUNDS
    points, classes = [], []
    for number, line in enumerate(lines, start=1):
        try:
            x, y, class_ = map(float, line.split())
        except ValueError:
            raise TextError(
                f"line {number} must be two numbers and a class, as in 0.2 0.8 1; got {line[:40]!r}"
            ) from None
        if class_ not in (0.0, 1.0):
            raise TextError(f"line {number}: the class must be 0 or 1, got {class_:g}")
        if not (left <= x <= right and left <= y <= right):
            raise TextError(
                f"line {number}: both numbers must lie between {left:g} and {right:g}, got {x:g}"
                f" and {y:g}"
            )
        points.append((x, y))
        classes.append(int(class_))
    return labelled(points, classes)


def written_points(points: LabelledPoints) -> str:
    """Return what `read_points` reads, to two decimals."""
    return "\n".join(
        f"{round(x, 2) + 0.0:g} {round(y, 2) + 0.0:g} {class_}"
        for (x, y), class_ in zip(points.inputs.tolist(), points.targets.tolist(), strict=True)
    )
