"""Deep networks: backward as autograd, normalisation as torch's, initialisations, clipping."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models import deep_network
from lm_core.models.activations import ACTIVATIONS
from lm_core.rng import generator

DEPTH, WIDTH, EXAMPLES = 3, 5, 4


@pytest.fixture
def draws():
    return deep_network.draw_weights(DEPTH, WIDTH, generator(1))


@pytest.mark.parametrize("block", deep_network.BLOCKS)
@pytest.mark.parametrize("name", ["tanh", "gelu"])
def test_backward_is_that_of_autograd(draws, block, name):
    activation = ACTIVATIONS[name]
    weights = torch.stack(
        [
            deep_network.scaled_weights(draws, deep_network.HE),
            deep_network.scaled_weights(draws, deep_network.ORTHOGONAL),
        ]
    )
    inputs = torch.randn((EXAMPLES, WIDTH), generator=generator(2), dtype=torch.float64)
    top = torch.randn((2, EXAMPLES, WIDTH), generator=generator(3), dtype=torch.float64)
    leaf = inputs.clone().requires_grad_()
    trace = deep_network.forward(weights, leaf, activation, block)
    found = deep_network.backward(
        weights, deep_network.forward(weights, inputs, activation, block), top, activation, block
    )
    assert found.shape == trace.activations.shape == (DEPTH + 1, 2, EXAMPLES, WIDTH)
    (expected,) = torch.autograd.grad((trace.activations[-1] * top).sum(), leaf)
    torch.testing.assert_close(found[0].sum(0), expected)
    assert torch.equal(found[-1], top)


def test_a_plain_network_is_torchs(draws):
    weights = deep_network.scaled_weights(draws, deep_network.XAVIER)[None]
    inputs = torch.randn((EXAMPLES, WIDTH), generator=generator(2), dtype=torch.float64)
    expected = inputs
    for layer in weights[0]:
        expected = torch.relu(F.linear(expected, layer.T))
    trace = deep_network.forward(weights, inputs, ACTIVATIONS["relu"], deep_network.PLAIN)
    torch.testing.assert_close(trace.activations[-1, 0], expected)


def test_normalisation_is_torchs_and_so_is_its_gradient():
    sums = torch.randn((7, 5), generator=generator(1), dtype=torch.float64).requires_grad_()
    gradient = torch.randn((7, 5), generator=generator(2), dtype=torch.float64)
    for over, expected in (
        (-2, F.batch_norm(sums, None, None, training=True)),
        (-1, F.layer_norm(sums, (5,))),
    ):
        found, deviation = deep_network.normalise(sums.detach(), over)
        torch.testing.assert_close(found, expected)
        (at_sums,) = torch.autograd.grad(expected, sums, gradient)
        torch.testing.assert_close(
            deep_network.normalise_backward(gradient, found, deviation, over), at_sums
        )


def test_initialisations_have_their_variances():
    draws = deep_network.draw_weights(4, 100, generator(1))
    for name in deep_network.INITIALISATIONS:
        found = deep_network.scaled_weights(draws, name, 0.05)
        expected = deep_network.weight_variance(name, 100, 100, 0.05)
        assert float(found.var()) == pytest.approx(expected, rel=0.02)
    assert deep_network.weight_variance(deep_network.XAVIER, 300, 100) == pytest.approx(2 / 400)
    assert deep_network.weight_variance(deep_network.HE, 300, 100) == pytest.approx(2 / 300)
    assert deep_network.weight_variance(deep_network.NAIVE, 300, 100, 0.1) == pytest.approx(0.01)
    (q,) = deep_network.scaled_weights(
        deep_network.draw_weights(1, 6, generator(2)), deep_network.ORTHOGONAL
    )
    torch.testing.assert_close(q @ q.T, torch.eye(6, dtype=torch.float64))


def test_orthogonal_layers_keep_every_length_both_ways():
    draws = deep_network.draw_weights(20, 8, generator(1))
    weights = deep_network.scaled_weights(draws, deep_network.ORTHOGONAL)[None]
    inputs = torch.randn((3, 8), generator=generator(2), dtype=torch.float64)
    trace = deep_network.forward(weights, inputs, deep_network.LINEAR, deep_network.PLAIN)
    gradients = deep_network.backward(
        weights, trace, inputs, deep_network.LINEAR, deep_network.PLAIN
    )
    for found in (trace.activations, gradients):
        lengths = found.norm(dim=-1)
        torch.testing.assert_close(lengths, inputs.norm(dim=-1).expand_as(lengths))


def test_normalised_layers_do_not_feel_the_size_of_the_weights(draws):
    inputs = torch.randn((EXAMPLES, WIDTH), generator=generator(2), dtype=torch.float64)
    for block in (deep_network.BATCH_NORM, deep_network.LAYER_NORM):
        small, large = (
            deep_network.forward(scale * draws.normal[None], inputs, ACTIVATIONS["tanh"], block)
            for scale in (10.0, 1_000.0)
        )
        torch.testing.assert_close(small.activations, large.activations, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("longest", [0.5, 100.0])
def test_clipping_is_torchs_and_keeps_the_direction(longest):
    gradient = torch.tensor([3.0, -4.0], dtype=torch.float64)
    parameter = nn.Parameter(torch.zeros(2, dtype=torch.float64))
    parameter.grad = gradient.clone()
    nn.utils.clip_grad_norm_([parameter], longest)
    torch.testing.assert_close(
        deep_network.clipped(gradient, longest), parameter.grad, rtol=1e-6, atol=0
    )
    assert float(deep_network.clipped(gradient, longest).norm()) <= longest + 1e-12
    assert torch.equal(deep_network.clipped(torch.zeros(2), longest), torch.zeros(2))


def test_settings_that_make_no_sense_are_refused(draws):
    weights = deep_network.scaled_weights(draws, deep_network.HE)[None]
    inputs = torch.zeros((2, WIDTH), dtype=torch.float64)
    with pytest.raises(SettingError, match="block"):
        deep_network.forward(weights, inputs, deep_network.LINEAR, "dense")
    with pytest.raises(ShapeError, match="inputs"):
        deep_network.forward(weights, inputs[:, :3], deep_network.LINEAR, deep_network.PLAIN)
    with pytest.raises(SettingError, match="name"):
        deep_network.weight_variance("lecun", 3, 3)
    with pytest.raises(SettingError, match="depth"):
        deep_network.draw_weights(0, 3, generator(1))
