"""Activation functions: torch's own, their derivatives, ranges and ends."""

import math

import pytest
import torch
from torch.nn import functional as F

from lm_core.models.activations import ACTIVATIONS

A = torch.linspace(-12, 12, 481, dtype=torch.float64) + 1e-3  # beside the corners
TORCH = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "softplus": F.softplus,
    "relu": F.relu,
    "leaky-relu": F.leaky_relu,
    "elu": F.elu,
    "swish": F.silu,
    "gelu": F.gelu,
    "sine": torch.sin,
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_function_and_derivative_are_torchs(name):
    a = A.clone().requires_grad_()
    expected = TORCH[name](a)
    (slope,) = torch.autograd.grad(expected.sum(), a)
    torch.testing.assert_close(ACTIVATIONS[name].function(A), expected.detach())
    torch.testing.assert_close(ACTIVATIONS[name].derivative(A), slope, atol=1e-12, rtol=1e-9)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_all_values_lie_in_the_range_and_come_near_its_ends(name):
    wide = torch.linspace(-40, 40, 80_001, dtype=torch.float64)
    values = ACTIVATIONS[name].function(wide)
    low, high = ACTIVATIONS[name].range
    assert low - 1e-6 <= float(values.min())
    assert float(values.max()) <= high + 1e-6
    for end, found in ((low, values.min()), (high, values.max())):
        if math.isfinite(end):
            assert float(found) == pytest.approx(end, abs=1e-6)
        else:
            assert abs(float(found)) > 0.3


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("sigmoid", (True, True)),
        ("tanh", (True, True)),
        ("softplus", (True, False)),
        ("relu", (True, False)),
        ("leaky-relu", (False, False)),
        ("elu", (True, False)),
        ("swish", (True, False)),
        ("gelu", (True, False)),
        ("sine", (False, False)),
    ],
)
def test_where_each_saturates(name, sides):
    assert ACTIVATIONS[name].saturates == sides
