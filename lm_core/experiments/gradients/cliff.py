"""A cliff: the loss of one recurrent unit over 50 steps, and descents on it with and without clipping.

    h_t = w sigmoid(h_{t-1}) + b,      loss = (sigmoid(h_50) - 0.7)^2

Where w is large the unit comes to rest at one of two values. At the border between the two a step
multiplies by more than 1, fifty by that to the power of 50: the loss rises like a wall.

References
----------
Pascanu, Mikolov & Bengio 2013, "On the difficulty of training Recurrent Neural Networks", figure 6.
https://arxiv.org/abs/1211.5063
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import require_at_least_1
from lm_core.experiments.optimisers.descent import gradient
from lm_core.models.deep_network import clipped
from lm_core.models.perceptron import Bounds

STEPS = 50
"""Of the unit."""
TARGET = 0.7
FIRST_STATE = 0.5
BOUNDS: Bounds = (2.0, 8.0, -5.0, 0.0)
"""w from and to, then b."""


def loss(places: Tensor) -> Tensor:
    """Return the loss at places (..., 2) of w and b, (...)."""
    w, b = places[..., 0], places[..., 1]
    state = torch.full_like(w, FIRST_STATE)
    for _ in range(STEPS):
        state = w * state.sigmoid() + b
    return (state.sigmoid() - TARGET).square()


class ClippedDescent(NamedTuple):
    """A descent of K steps."""

    places: Tensor
    """Of shape (K + 1, 2)."""
    losses: Tensor
    norms: Tensor
    """`losses` and `norms`: of shape (K + 1,). At each place; norms of the gradient before it is
    clipped."""


def descend(
    start: tuple[float, float], rate: float, limits: Sequence[float], steps: int
) -> list[ClippedDescent]:
    """Go down from a start, once for each norm that gradients are clipped to; infinity leaves them as they are.

    Raises SettingError if there are no steps.
    """
    require_at_least_1(steps=steps)
    places = torch.tensor([start] * len(limits), dtype=torch.float64)
    kept, norms = [], []
    for _ in range(steps + 1):
        gradients = gradient(loss, places)  # of all descents at once
        kept.append(places)
        norms.append(gradients.norm(dim=-1))
        shortened = [clipped(g, longest) for g, longest in zip(gradients, limits, strict=True)]
        places = places - rate * torch.stack(shortened)
    ways = torch.stack(kept, 1)
    found = zip(ways, loss(ways), torch.stack(norms, 1), strict=True)
    return [ClippedDescent(*way) for way in found]
