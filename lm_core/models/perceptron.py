"""The perceptron: one step unit, the rule by which it learns, and three of them that compute XOR.

    f(x) = 1 if w . x + b >= 0, else 0

For each point of which the output is wrong, the rule adds the point to the weights, or takes it away:
``w <- w + (y - f(x)) x`` and ``b <- b + (y - f(x))``. If any line separates the two classes, it ends at
one after finitely many mistakes. If none does, it goes on for ever.

References
----------
Rosenblatt 1958, "The perceptron". Novikoff 1962, "On convergence proofs on perceptrons".
Minsky & Papert 1969, "Perceptrons", on XOR.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError, require_at_least_1

Bounds = tuple[float, float, float, float]
"""Left, right, bottom and top of a part of the plane."""
Pair = tuple[float, float]

_SAME = 1e-9  # projections that lie nearer to each other are those of the same place


class Perceptron(NamedTuple):
    """One step unit."""

    weights: tuple[float, ...]
    """Tuple of n floats."""
    bias: float

    def sums(self, inputs: Tensor) -> Tensor:
        """Return ``w . x + b`` for inputs (..., n)."""
        return inputs @ inputs.new_tensor(self.weights) + self.bias

    def outputs(self, inputs: Tensor) -> Tensor:
        """Return 0 or 1 for inputs (..., n)."""
        return (self.sums(inputs) >= 0).to(inputs.dtype)

    def n_right(self, inputs: Tensor, targets: Tensor) -> int:
        """Return of how many inputs (N, n) the output is the target, (N,)."""
        return int((self.outputs(inputs) == targets).sum())

    def border(self, bounds: Bounds) -> tuple[Pair, Pair] | None:
        """Return both ends of the line ``w . x + b = 0`` in a part of the plane; None if it is not there."""
        (across, up), bias = self.weights, self.bias
        left, right, bottom, top = bounds
        ends: list[Pair] = []
        if up:
            ends += [(x, -(bias + across * x) / up) for x in (left, right)]
        if across:
            ends += [(-(bias + up * y) / across, y) for y in (bottom, top)]
        room = _SAME * max(right - left, top - bottom)
        inside = sorted(
            (x, y)
            for x, y in ends
            if left - room <= x <= right + room and bottom - room <= y <= top + room
        )
        if not inside or math.dist(inside[0], inside[-1]) <= room:
            return None
        return inside[0], inside[-1]


def grid(bounds: Bounds, size: int) -> Tensor:
    """Return places that cover a part of the plane evenly, (size, size, 2), its top row first."""
    left, right, bottom, top = bounds
    across = torch.linspace(left, right, size, dtype=torch.float64).expand(size, size)
    down = torch.linspace(top, bottom, size, dtype=torch.float64)[:, None].expand(size, size)
    return torch.stack([across, down], -1)


class PerceptronStep(NamedTuple):
    """The perceptron after it was shown a point."""

    perceptron: Perceptron
    shown: int | None
    """Which point; None before the first one."""
    error: int
    """Target less output before the rule was applied: 0 if it was right, else 1 or -1."""
    n_right: int
    """Of how many points the output is right now."""


def learn(inputs: Tensor, targets: Tensor, passes: int) -> list[PerceptronStep]:
    """Show all points in turn, so many times, to a perceptron that begins at zero.

    The result: list of PerceptronStep, one for the start, and one for each point of each pass.

    Parameters
    ----------
    inputs : Tensor of shape (N, n)
    targets : Tensor of shape (N,) of 0 and 1
    passes : int, at least 1
    """
    require_at_least_1(passes=passes)
    if inputs.dim() != 2 or targets.shape != inputs.shape[:1]:
        raise ShapeError(
            "inputs must have shape (N, n) and targets (N,), got"
            f" {tuple(inputs.shape)} and {tuple(targets.shape)}"
        )
    now = Perceptron((0.0,) * inputs.shape[1], 0.0)
    steps = [PerceptronStep(now, None, 0, now.n_right(inputs, targets))]
    points = list(zip(inputs.tolist(), targets.tolist(), strict=True))
    for _ in range(passes):
        for shown, (point, target) in enumerate(points):
            total = sum(w * x for w, x in zip(now.weights, point, strict=True)) + now.bias
            error = int(target) - (total >= 0)
            n_right = steps[-1].n_right
            if error:
                weights = (w + error * x for w, x in zip(now.weights, point, strict=True))
                now = Perceptron(tuple(weights), now.bias + error)
                n_right = now.n_right(inputs, targets)
            steps.append(PerceptronStep(now, shown, error, n_right))
    return steps


def first_repetition(steps: Sequence[PerceptronStep], n_points: int) -> tuple[int, int] | None:
    """Return after which two passes the weights are the same though the rule changed them in between.

    From the second one on the rule does the same again, for ever. None if there are no such passes.
    """
    passes_by_weights: dict[Perceptron, int] = {}
    for pass_ in range(len(steps) // n_points + 1 if n_points else 0):
        at = pass_ * n_points
        if at >= len(steps):
            break
        before = passes_by_weights.setdefault(steps[at].perceptron, pass_)
        if before < pass_:
            changed = any(step.error for step in steps[before * n_points + 1 : at + 1])
            return (before, pass_) if changed else None
    return None


def best_line(inputs: Tensor, targets: Tensor) -> tuple[int, Perceptron]:
    """Return of how many points any line can be right at most, and a perceptron with such a line.

    Along a direction, points come in an order, which changes only where the direction is at a right
    angle to the line through two of them. One direction between each two such, with a border between
    each two neighbours, is therefore every way in which a line can divide the points.

    Parameters
    ----------
    inputs : Tensor of shape (N, 2)
    targets : Tensor of shape (N,) of 0 and 1
    """
    across, up = (inputs[:, None] - inputs).flatten(0, 1).unbind(-1)
    apart = (across.abs() + up.abs()) > _SAME
    turns = torch.atan2(across, -up)[apart].sort().values
    if not len(turns):
        turns = inputs.new_zeros(1)
    middles = (turns + torch.cat([turns[1:], turns[:1] + 2.0 * math.pi])) / 2.0
    directions = torch.stack([middles.cos(), middles.sin()])  # (2, D)
    places, order = (inputs @ directions).sort(0)  # (N, D)
    is_one = targets.to(inputs.dtype)[order]
    none = is_one.new_zeros(1, is_one.shape[1])
    zeros_below = torch.cat([none, (1.0 - is_one).cumsum(0)])
    ones_above = is_one.sum(0) - torch.cat([none, is_one.cumsum(0)])
    right = zeros_below + ones_above  # (N + 1, D), by how many points lie below the border
    right[1:-1][places[1:] - places[:-1] <= _SAME] = -1.0
    border, direction = divmod(int(right.argmax()), right.shape[1])
    ends = places[:, direction].tolist()
    low, high = [ends[0] - 2.0, *ends][border], [*ends, ends[-1] + 2.0][border]
    weights = tuple(directions[:, direction].tolist())
    return int(right.max()), Perceptron(weights, -(low + high) / 2.0)


class StepTrace(NamedTuple):
    """What the units of a `StepNetwork` compute, in the order h1, h2, y."""

    sums: Tensor
    outputs: Tensor
    """`sums` and `outputs`: of shape (..., 3)."""


class StepNetwork(NamedTuple):
    """Two hidden step units, and a third that reads them: a multilayer perceptron with its weights set by hand."""

    first: Perceptron
    second: Perceptron
    """`first` and `second`: of the inputs."""
    output: Perceptron
    """Of the outputs of these two."""

    def trace(self, inputs: Tensor) -> StepTrace:
        """Return all sums and outputs for inputs (..., n)."""
        hidden = torch.stack([self.first.outputs(inputs), self.second.outputs(inputs)], -1)
        sums = [self.first.sums(inputs), self.second.sums(inputs), self.output.sums(hidden)]
        outputs = torch.cat([hidden, self.output.outputs(hidden)[..., None]], -1)
        return StepTrace(torch.stack(sums, -1), outputs)


XOR_NETWORK = StepNetwork(
    Perceptron((1.0, 1.0), -1.5), Perceptron((1.0, 1.0), -0.5), Perceptron((-1.0, 1.0), -0.5)
)
"""h1 = x1 AND x2, h2 = x1 OR x2, y = (NOT h1) AND h2: the textbook's way to compute XOR."""
