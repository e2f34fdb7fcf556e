r"""The echo state property: started twice from different states, a network that reads the same forgets the difference.

Without input, a tanh reservoir has it only if the spectral radius of (1 - a) I + a W is at most 1. It has it
for every input if the largest singular value is below 1. In between, the input decides: it drives
units to where tanh is flat.

References
----------
Jaeger 2001, "The 'echo state' approach to analysing and training recurrent neural networks", propositions 1 and 3.
Yildiz, Jaeger & Kiebel 2012, "Re-visiting the echo state property".
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Generator

from lm_core.errors import require_at_least_1
from lm_core.models.reservoir import Reservoir, run_reservoir

STEPS = 200
IDENTICAL = 1e-12
"""A smaller distance is called none."""


class StartedTwice(NamedTuple):
    """Two runs over the same inputs."""

    states: np.ndarray
    """Of shape (T + 1, 2, N). The first of them are the two starts."""

    @property
    def distances(self) -> np.ndarray:
        """Root of the mean squared difference of a unit, (T + 1,)."""
        return np.sqrt(((self.states[:, 0] - self.states[:, 1]) ** 2).mean(-1))

    @property
    def forgotten_after(self) -> int | None:
        """Steps after which both states are the same for all practical purposes; None if they never are."""
        found = np.flatnonzero(self.distances < IDENTICAL)
        return int(found[0]) if len(found) else None

    @property
    def rate(self) -> float:
        """What a step multiplied the distance by, in the geometric mean, until it was gone."""
        distances = self.distances
        last = self.forgotten_after or len(distances) - 1
        return float((max(distances[last], 1e-300) / distances[0]) ** (1.0 / last))


def start_twice(reservoir: Reservoir, rng: Generator, steps: int = STEPS) -> StartedTwice:
    """Run a reservoir from two random states over the same inputs, uniform in -1 to 1.

    `reservoir`: Reservoir, with one input; where its input weights are 0, nothing is read.
    """
    require_at_least_1(steps=steps)
    starts = 2.0 * torch.rand((2, len(reservoir.bias)), generator=rng, dtype=torch.float64) - 1.0
    drawn = 2.0 * torch.rand(steps, generator=rng, dtype=torch.float64) - 1.0
    inputs = np.repeat(drawn.numpy()[:, None, None], 2, 1)  # (T, 2, 1)
    states = run_reservoir(reservoir, inputs, starts.numpy())
    return StartedTwice(np.concatenate([starts.numpy()[None], states]))


def largest_singular_value(reservoir: Reservoir) -> float:
    """Return the most that one linearised step can multiply a difference by; below 1, every input is echoed."""
    return float(np.linalg.norm(reservoir.linearised, 2))
