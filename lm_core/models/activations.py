"""Activation functions with their derivatives, in one table.

A function *saturates* on a side if its derivative goes to 0 there: what a unit passes back to the
layers before it is multiplied by that derivative.

References
----------
Murphy 2022, "Probabilistic Machine Learning: An Introduction", table 13.4.
Hendrycks & Gimpel 2016, "Gaussian Error Linear Units". https://arxiv.org/abs/1606.08415
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

LEAK = 0.01
"""Slope of the leaky ReLU below 0."""
ALPHA = 1.0
"""Minus the limit of the exponential linear unit."""

_FAR = 40.0  # where a derivative is taken for its limit


class Activation(NamedTuple):
    """A function of one number, and its derivative."""

    title: str
    full_title: str
    """`title` and `full_title`: as it is called for short, and in full."""
    formula: str
    slope_formula: str
    """`formula` and `slope_formula`: of function and derivative, in LaTeX."""
    function: Callable[[Tensor], Tensor]
    derivative: Callable[[Tensor], Tensor]
    """`function` and `derivative`: elementwise."""
    range: tuple[float, float]
    """All values lie between; infinite where there is no bound."""

    @property
    def saturates(self) -> tuple[bool, bool]:
        """Whether the derivative goes to 0 far on the left, and far on the right."""
        left, right = self.derivative(torch.tensor([-_FAR, _FAR], dtype=torch.float64)).tolist()
        return abs(left) < 1e-6, abs(right) < 1e-6


def _sigmoid_slope(a: Tensor) -> Tensor:
    s = a.sigmoid()
    return s * (1.0 - s)


def _swish_slope(a: Tensor) -> Tensor:
    s = a.sigmoid()
    return s + a * s * (1.0 - s)


def _gelu_slope(a: Tensor) -> Tensor:
    density = torch.exp(-0.5 * a.square()) / math.sqrt(2.0 * math.pi)
    return torch.special.ndtr(a) + a * density


ACTIVATIONS = {
    "sigmoid": Activation(
        "Sigmoid",
        "Sigmoid",
        r"\sigma(a) = \frac{1}{1 + e^{-a}}",
        r"\sigma(a)\,(1 - \sigma(a))",
        torch.sigmoid,
        _sigmoid_slope,
        (0.0, 1.0),
    ),
    "tanh": Activation(
        "Tanh",
        "Hyperbolic tangent",
        r"\tanh(a) = 2\sigma(2a) - 1",
        r"1 - \tanh^2(a)",
        torch.tanh,
        lambda a: 1.0 - a.tanh().square(),
        (-1.0, 1.0),
    ),
    "softplus": Activation(
        "Softplus",
        "Softplus",
        r"\sigma_+(a) = \log(1 + e^a)",
        r"\sigma(a)",
        F.softplus,
        torch.sigmoid,
        (0.0, math.inf),
    ),
    "relu": Activation(
        "ReLU",
        "Rectified linear unit",
        r"\max(a, 0)",
        r"1 \text{ if } a > 0, \text{ else } 0",
        torch.relu,
        lambda a: (a > 0).to(a.dtype),
        (0.0, math.inf),
    ),
    "leaky-relu": Activation(
        "Leaky ReLU",
        "Leaky ReLU",
        r"\max(a, 0) + \alpha \min(a, 0), \quad \alpha = 0.01",
        r"1 \text{ if } a > 0, \text{ else } \alpha",
        lambda a: F.leaky_relu(a, LEAK),
        lambda a: torch.where(a > 0, torch.ones_like(a), torch.full_like(a, LEAK)),
        (-math.inf, math.inf),
    ),
    "elu": Activation(
        "ELU",
        "Exponential linear unit",
        r"\max(a, 0) + \min(\alpha (e^a - 1), 0), \quad \alpha = 1",
        r"1 \text{ if } a > 0, \text{ else } \alpha e^a",
        lambda a: F.elu(a, ALPHA),
        lambda a: torch.where(a > 0, torch.ones_like(a), ALPHA * a.clamp_max(0.0).exp()),
        (-ALPHA, math.inf),
    ),
    "swish": Activation(
        "Swish",
        "Swish",
        r"a\,\sigma(a)",
        r"\sigma(a) + a\,\sigma(a)\,(1 - \sigma(a))",
        F.silu,
        _swish_slope,
        (-0.2784645, math.inf),
    ),
    "gelu": Activation(
        "GELU",
        "Gaussian error linear unit",
        r"a\,\Phi(a)",
        r"\Phi(a) + a\,\varphi(a)",
        F.gelu,
        _gelu_slope,
        (-0.1699713, math.inf),
    ),
    "sine": Activation("Sine", "Sine", r"\sin(a)", r"\cos(a)", torch.sin, torch.cos, (-1.0, 1.0)),
}
"""By name, in the order of the lecture slides."""
