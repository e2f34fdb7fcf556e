r"""How variances go from layer to layer of a wide random network, forward and backward: the theory.

With n inputs of second moment s and weights of variance \sigma^2, each sum is a = \sqrt{n \sigma^2 s} \xi
with \xi standard normal. So a layer turns s into E[f(a)^2], and multiplies the variance of the
gradient by n \sigma^2 E[f'(a)^2]. Without an activation both are n \sigma^2: the lecture slides' rule.

References
----------
Poole et al. 2016, "Exponential expressivity in deep neural networks through transient chaos".
https://arxiv.org/abs/1606.05340
Schoenholz et al. 2017, "Deep Information Propagation". https://arxiv.org/abs/1611.01232
Yang et al. 2019, "A Mean Field Theory of Batch Normalization". https://arxiv.org/abs/1902.08129
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.activations import Activation
from lm_core.models.deep_network import BATCH_NORM, BLOCKS, LAYER_NORM, RESIDUAL

_REACH, _STRIPS = 9.0, 3_600
"""Of the integral: deviations to either side, and midpoints."""


class ExpectedVariances(NamedTuple):
    """What theory expects of a network of L layers and infinite width."""

    activations: tuple[float, ...]
    """Tuple of L + 1 float. Variance of each layer's activations, the input's first."""
    gradients: tuple[float, ...]
    """Tuple of L + 1 float. Variance of the gradient with respect to them, if it is 1 at the
    last."""


@cache
def _standard_normal() -> tuple[Tensor, Tensor]:
    """Return midpoints of narrow strips, and the standard normal's probability of each."""
    width = 2.0 * _REACH / _STRIPS
    places = -_REACH + width * (torch.arange(_STRIPS, dtype=torch.float64) + 0.5)
    return places, width * torch.exp(-0.5 * places.square()) / math.sqrt(2.0 * math.pi)


def normal_mean(function: Callable[[Tensor], Tensor], variance: float) -> float:
    """Return the mean of a function of a normal variable with mean 0 and this variance.

    Examples
    --------
    >>> round(normal_mean(torch.square, 3.0), 6)
    3.0
    """
    places, shares = _standard_normal()
    return float((function(math.sqrt(variance) * places) * shares).sum())


def expected_variances(
    gain: float, depth: int, activation: Activation, block: str
) -> ExpectedVariances:
    """Return the variances by layer that theory expects, for inputs of mean 0 and variance 1.

    Raises SettingError if there is no such block, or the gain is negative.

    Parameters
    ----------
    gain : float, 0 or more, n times the variance of a weight: 1 for Xavier and orthogonal weights, 2 for He's
    depth : int, L
    block : str
        One of `lm_core.models.deep_network.BLOCKS`. Batch norm's is the limit of large batches.
    """
    if block not in BLOCKS:
        raise SettingError(f"block must be one of {', '.join(BLOCKS)}, got {block!r}")
    if gain < 0:
        raise SettingError(f"gain must be 0 or more, got {gain}")
    mean, second = 0.0, 1.0  # moments of the activations of the layer before
    variances: list[float] = [1.0]
    factors: list[float] = []
    for _ in range(depth):
        if block == RESIDUAL:
            read = _moments(activation, second)
            second += gain * read.second
            factors.append(1.0 + gain * read.slope)
        elif block in (BATCH_NORM, LAYER_NORM):
            # The sums, and so the gradient, are divided by their deviation: the weights cancel.
            spread = second - mean**2 if block == BATCH_NORM else second
            mean, second, slope = _moments(activation, 1.0)
            factors.append(slope / spread)
        else:
            mean, second, slope = _moments(activation, gain * second)
            factors.append(gain * slope)
        variances.append(max(0.0, second - mean**2))
    gradients = [1.0]
    for factor in reversed(factors):
        gradients.append(gradients[-1] * factor)
    return ExpectedVariances(tuple(variances), tuple(reversed(gradients)))


class _Moments(NamedTuple):
    """Mean and second moment of f(a), and second moment of f'(a)."""

    mean: float
    second: float
    slope: float


def _moments(activation: Activation, variance: float) -> _Moments:
    return _Moments(
        normal_mean(activation.function, variance),
        normal_mean(lambda a: activation.function(a).square(), variance),
        normal_mean(lambda a: activation.derivative(a).square(), variance),
    )
