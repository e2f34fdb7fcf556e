"""Units found by example among noise, with a planted one: found on one half, scored on the other."""

import numpy as np
import pytest

from lm_core.analysis.unit_search import chance_correlations, correlations, find_units
from lm_core.errors import ShapeError

T, UNITS, PLANTED = 2_000, 50, 17


@pytest.fixture(scope="module")
def target():
    return (np.sin(np.arange(T) / 11) > 0.4).astype(float) * (np.arange(T) % 300 > 40)


@pytest.fixture(scope="module")
def activations(target):
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(T, UNITS)).astype(np.float32)
    noise[:, PLANTED] = -2.0 * target + 0.3 * noise[:, PLANTED]
    noise[:, 3] = 1.0
    return noise


def test_correlations_are_pearsons_and_zero_for_what_is_constant(activations, target):
    found = correlations(activations, target)
    others = [u for u in range(UNITS) if u != 3]
    expected = [np.corrcoef(activations[:, u], target)[0, 1] for u in others]
    np.testing.assert_allclose(found[others], expected, atol=1e-6)
    assert found[3] == 0
    assert not correlations(activations, np.ones(T)).any()


def test_the_planted_unit_comes_first_and_holds_on_the_other_half(activations, target):
    best, second = find_units(activations, target, 2)
    assert best.unit == PLANTED
    assert best.correlation < -0.9
    assert best.held_out < -0.9
    assert best.inside == pytest.approx(-2.0, abs=0.1)
    assert best.outside == pytest.approx(0.0, abs=0.1)
    assert best.on_inside > 0.99
    assert best.on_outside < 0.01
    assert abs(second.held_out) < 0.1


def test_a_unit_that_fits_the_first_half_alone_is_found_out(activations, target):
    fickle = activations.copy()
    fickle[: T // 2, 5] = 5 * target[: T // 2]
    best = find_units(fickle, target, 1)[0]
    assert best.unit == 5
    assert abs(best.held_out) < 0.15
    assert best.on_inside - best.on_outside < 0.2


def test_a_shifted_target_loses_the_planted_unit(activations, target):
    chance = chance_correlations(activations, target, 7)
    assert chance.shape == (7,)
    assert (chance < 0.6).all()
    noise = np.delete(activations, PLANTED, axis=1)
    assert chance_correlations(noise, target, 7).max() < 0.15


def test_numbers_of_different_texts_are_refused(activations, target):
    with pytest.raises(ShapeError):
        find_units(activations, target[:-1], 1)


def test_the_split_may_lie_anywhere():
    target = np.array([0.0, 1, 0, 1, 0, 0, 1, 0, 0, 0])
    activations = np.stack([target, np.where(np.arange(10) < 3, target, -target)], 1)
    late, early = find_units(activations, target, 2, split=3)
    assert (late.correlation, early.correlation) == pytest.approx((1.0, 1.0))
    assert (late.held_out, early.held_out) == pytest.approx((1.0, -1.0))
