"""Two classes of points in the plane that overlap: two half moons, some of them with a wrong label."""

import math
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.errors import SettingError
from lm_core.models.perceptron import Bounds

BOUNDS: Bounds = (-2.4, 2.4, -2.4, 2.4)
"""The part of the plane that is drawn."""
SPREAD = 0.25
"""Standard deviation of a point around its moon."""
MOST_POINTS = 320


class Samples(NamedTuple):
    """R samples of N points."""

    inputs: Tensor
    """Of shape (R, N, 2), float64."""
    targets: Tensor
    """Of shape (R, N) of 0 and 1, int64. As they are learned, wrong labels included."""
    is_flipped: Tensor
    """bool, of shape (R, N). Whether the label is wrong."""


def half_moons(points: int, label_noise: float, rng: Generator, samples: int = 1) -> Samples:
    """Draw samples of points, every other one of class 1, and give some the other class's label.

    From one generator, more points go on where fewer end, and more noise flips those that less noise
    flips and others: what a control changes is all that changes. Raises SettingError if points or
    noise lie outside their range.

    Parameters
    ----------
    points : int, N, from 2 to `MOST_POINTS`
    label_noise : float in [0, 0.5], the probability that a label is flipped
    samples : int, R
    """
    if not 2 <= points <= MOST_POINTS:
        raise SettingError(f"points must lie between 2 and {MOST_POINTS}, got {points}")
    if not 0.0 <= label_noise <= 0.5:
        raise SettingError(f"label_noise must lie between 0 and 0.5, got {label_noise}")
    shape = (samples, MOST_POINTS)
    turns = math.pi * torch.rand(shape, generator=rng, dtype=torch.float64)
    around = SPREAD * torch.randn((*shape, 2), generator=rng, dtype=torch.float64)
    is_flipped = torch.rand(shape, generator=rng, dtype=torch.float64) < label_noise
    classes = (torch.arange(MOST_POINTS) % 2).expand(shape)
    side = 1.0 - 2.0 * classes  # the upper moon is class 0
    # (R, N, 2), each moon the other turned by half a circle.
    middles = torch.stack([side * (turns.cos() - 0.5), side * (turns.sin() - 0.25)], -1)
    inputs = (1.2 * middles + around)[:, :points]
    flipped = is_flipped[:, :points]
    return Samples(
        inputs, torch.where(flipped, 1 - classes[:, :points], classes[:, :points]), flipped
    )
