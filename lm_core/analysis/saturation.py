"""Units at the flat ends of tanh, through which hardly a gradient passes: 1 - h² is its derivative."""

from typing import NamedTuple

import torch
from torch import Tensor

SATURATED = 0.99
"""Beyond it, either way, a unit counts as saturated: its derivative is below 0.02."""

N_BINS = 40


class Saturation(NamedTuple):
    """How tanh units respond to some inputs."""

    histogram: tuple[float, ...]  # share of all responses in each of `N_BINS` equal parts of -1..1
    saturated: float  # share of all responses beyond `SATURATED`
    dead: float  # share of the units that are saturated for every input: none moves their weights


def saturation(hidden: Tensor) -> Saturation:
    """Return how tanh units (N, h) respond to N inputs.

    Examples
    --------
    >>> found = saturation(torch.tensor([[0.999, 0.1], [-0.999, 0.999]]))
    >>> found.saturated, found.dead, sum(found.histogram)
    (0.75, 0.5, 1.0)
    """
    is_saturated = hidden.abs() > SATURATED
    counts = torch.histc(hidden.float(), N_BINS, -1.0, 1.0).double()
    return Saturation(
        tuple((counts / hidden.numel()).tolist()),
        float(is_saturated.double().mean()),
        float(is_saturated.all(0).double().mean()),
    )
