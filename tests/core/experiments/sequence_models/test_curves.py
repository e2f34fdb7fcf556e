"""Curves from a vector: what is drawn is what was expected, and the loss is that of the density."""

import math

import pytest
import torch

from lm_core.experiments.sequence_models import curves
from lm_core.rng import generator


@pytest.fixture(scope="module")
def shipped():
    return curves.CurveResults.load()


def test_what_is_drawn_value_by_value_is_expected_alike_when_it_is_read_at_once(shipped):
    network, vector = shipped.network(), curves.vector_of(11.0, 1.2)
    drawn = network.draw(vector, 5, generator(3))
    means, deviations = network(vector.expand(5, 2), drawn.values)
    torch.testing.assert_close(means, drawn.means)
    torch.testing.assert_close(deviations, drawn.deviations)


def test_a_vector_says_period_and_height_within_what_was_trained():
    assert curves.vector_of(8.0, 0.5).tolist() == [0.0, 0.0]
    assert curves.vector_of(24.0, 2.0).tolist() == [1.0, 1.0]


def test_true_curves_have_the_period_and_the_height_of_their_vector():
    vectors, values = curves.draw_curves(400, generator(1))
    heights = 0.5 + 1.5 * vectors[:, 1]
    within = (values.pow(2).mean(1) - curves.NOISE**2).sqrt() * math.sqrt(2)
    # A period that does not end with the curve leaves the mean of the squares a little off.
    assert (within / heights).median().item() == pytest.approx(1.0, abs=0.03)
    period = 8.0 + 16.0 * vectors[:, 0]
    spectrum = torch.fft.rfft(values, n=4_800).abs()
    found = 4_800 / spectrum[:, 1:].argmax(1).add(1)
    assert (found / period).median().item() == pytest.approx(1.0, abs=0.03)


def test_the_loss_is_minus_the_logarithm_of_the_density():
    network = curves.CurveGenerator(4)
    network.initialise(generator(0))
    vectors, values = curves.draw_curves(3, generator(2))
    means, deviations = network(vectors, values)
    z = (values - means) / deviations
    by_hand = 0.5 * z.pow(2) + deviations.log() + 0.5 * math.log(2 * math.pi)
    torch.testing.assert_close(curves.losses_of(network, vectors, values), by_hand)


def test_nothing_that_was_shipped_is_better_than_the_noise_allows(shipped):
    assert min(shipped.loss_by_place) > curves.least_loss() - 0.01
    assert shipped.loss_by_place[-1] == pytest.approx(curves.least_loss(), abs=0.05)
    assert shipped.deviation_by_place[0] > 8 * curves.NOISE


def test_a_training_lowers_the_loss():
    network, rng = curves.CurveGenerator(8), generator(1)
    network.initialise(rng)
    losses = [step.loss for step in curves.train(network, rng, steps=60)]
    assert sum(losses[-10:]) < sum(losses[:10]) - 1.0
