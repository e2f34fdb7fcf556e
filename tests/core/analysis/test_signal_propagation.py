"""Theory's variances: the slides' rule, what is known of ReLU, and networks that are measured."""

import math

import pytest
import torch

from lm_core.analysis.signal_propagation import expected_variances, normal_mean
from lm_core.errors import SettingError
from lm_core.models import deep_network
from lm_core.models.activations import ACTIVATIONS
from lm_core.rng import generator

DEPTH, WIDTH, EXAMPLES = 6, 100, 64


def test_means_under_the_normal_law_are_those_of_calculus():
    assert normal_mean(torch.relu, 4.0) == pytest.approx(2 / math.sqrt(2 * math.pi), rel=1e-5)
    assert normal_mean(lambda a: a.relu().square(), 4.0) == pytest.approx(2.0, rel=1e-5)
    assert normal_mean(torch.cos, 1.0) == pytest.approx(math.exp(-0.5), rel=1e-9)


def test_without_an_activation_every_layer_multiplies_by_n_sigma_squared():
    found = expected_variances(0.25, 3, deep_network.LINEAR, deep_network.PLAIN)
    assert found.activations == pytest.approx((1.0, 0.25, 0.0625, 0.015625))
    assert found.gradients == pytest.approx((0.015625, 0.0625, 0.25, 1.0))


def test_what_is_known_of_relu():
    relu = ACTIVATIONS["relu"]
    he = expected_variances(2.0, 4, relu, deep_network.PLAIN)
    assert he.gradients == pytest.approx([1.0] * 5, rel=1e-6)
    xavier = expected_variances(1.0, 4, relu, deep_network.PLAIN)
    assert xavier.gradients[0] == pytest.approx(0.5**4, rel=1e-6)
    normed = expected_variances(0.3, 4, relu, deep_network.LAYER_NORM)
    assert normed.gradients[2] == pytest.approx(1.0, rel=1e-4)
    # Yang et al. 2019: with batch norm gradients explode by pi / (pi - 1) a layer.
    batch = expected_variances(0.3, 4, relu, deep_network.BATCH_NORM).gradients
    assert batch[2] / batch[3] == pytest.approx(math.pi / (math.pi - 1), rel=1e-4)
    residual = expected_variances(2.0, 4, relu, deep_network.RESIDUAL)
    assert residual.gradients[0] == pytest.approx(2.0**4, rel=1e-6)


@pytest.mark.parametrize("block", deep_network.BLOCKS)
@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_measured_networks_follow_the_theory(block, name):
    activation = ACTIVATIONS[name]
    draws = deep_network.draw_weights(DEPTH, WIDTH, generator(3))
    weights = torch.stack(
        [deep_network.scaled_weights(draws, kind) for kind in deep_network.INITIALISATIONS]
    )
    inputs, top = torch.randn((2, EXAMPLES, WIDTH), generator=generator(4), dtype=torch.float64)
    trace = deep_network.forward(weights, inputs, activation, block)
    gradients = deep_network.backward(weights, trace, top, activation, block)
    for i, kind in enumerate(deep_network.INITIALISATIONS):
        gain = WIDTH * deep_network.weight_variance(kind, WIDTH, WIDTH)
        theory = expected_variances(gain, DEPTH, activation, block)
        for measured, expected in (
            (trace.activations[-1, i], theory.activations[-1]),
            (gradients[0, i], theory.gradients[0]),
        ):
            assert math.log(float(measured.var()) / expected) == pytest.approx(0.0, abs=0.5)


def test_he_is_the_edge_of_relu():
    relu = ACTIVATIONS["relu"]
    gain = 50 * deep_network.weight_variance(deep_network.HE, 50, 50)
    ends = [
        expected_variances(f * gain, 20, relu, deep_network.PLAIN).gradients[0]
        for f in (0.9, 1.0, 1.1)
    ]
    assert ends[0] < 0.2 < ends[1] < 5 < ends[2]


def test_weights_of_nothing_let_nothing_through():
    found = expected_variances(0.0, 3, deep_network.LINEAR, deep_network.PLAIN)
    assert found.activations == (1.0, 0.0, 0.0, 0.0)


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(SettingError, match="block"):
        expected_variances(1.0, 2, deep_network.LINEAR, "dense")
    with pytest.raises(SettingError, match="gain"):
        expected_variances(-1.0, 2, deep_network.LINEAR, deep_network.PLAIN)
