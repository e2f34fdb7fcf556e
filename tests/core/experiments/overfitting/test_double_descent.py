"""Least squares on random features: numpy's solution, through all points, with a peak and two descents."""

import math

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.experiments.overfitting.double_descent import (
    COUNTS,
    POINTS,
    draw_problem,
    errors_by_count,
    features,
    fitted,
    least_squares,
    truth,
)

PROBLEM = draw_problem(1, 0.3)


@pytest.mark.parametrize("count", [5, 20, 60])
def test_the_solution_is_numpys_shortest_one(count):
    design = features(PROBLEM, PROBLEM.x, count)
    ours = least_squares(design, PROBLEM.y)
    theirs, *_ = np.linalg.lstsq(design.numpy(), PROBLEM.y.numpy(), rcond=1e-12)
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-6, atol=1e-8)
    assert float((design @ ours - PROBLEM.y).abs().max()) < 1e-6 or count < POINTS


@pytest.mark.parametrize("count", [5, 20, 60])
def test_with_weight_decay_the_gradient_is_zero(count):
    design = features(PROBLEM, PROBLEM.x, count)
    w = least_squares(design, PROBLEM.y, 0.1).requires_grad_()
    loss = (design @ w - PROBLEM.y).square().sum() + 0.1 * w.square().sum()
    (slope,) = torch.autograd.grad(loss, w)
    assert float(slope.abs().max()) < 1e-10


def test_gradient_descent_from_zero_comes_to_the_shortest():
    design = features(PROBLEM, PROBLEM.x[::4], 200)
    y = PROBLEM.y[::4]
    w = torch.zeros(200, dtype=torch.float64)
    for _ in range(500):
        w = w - 0.3 * design.T @ (design @ w - y)
    torch.testing.assert_close(w, least_squares(design, y), atol=1e-8, rtol=1e-6)


def test_features_are_cosines_of_which_more_leave_the_first_as_they_are():
    places = torch.tensor([-0.3, 0.8], dtype=torch.float64)
    few, many = features(PROBLEM, places, 3), features(PROBLEM, places, 12)
    torch.testing.assert_close(few / math.sqrt(2 / 3), many[:, :3] / math.sqrt(2 / 12))
    by_hand = math.cos(float(PROBLEM.frequencies[1]) * 0.8 + float(PROBLEM.phases[1]))
    assert float(few[1, 1]) == pytest.approx(by_hand * math.sqrt(2 / 3))


def test_the_error_on_new_points_peaks_at_as_many_features_as_points_and_falls_again():
    counts = (10, POINTS, 1_000)
    found = [errors_by_count(draw_problem(seed, 0.3), 0.0, counts).new for seed in range(12)]
    small, peak, large = np.median(found, 0)
    assert peak > 5 * small
    assert peak > 5 * large
    decayed = [errors_by_count(draw_problem(s, 0.3), 0.01, (POINTS,)).new for s in range(12)]
    assert np.median(decayed) < 1.5 * small


def test_both_errors_are_what_they_say():
    errors = errors_by_count(PROBLEM, 0.0, (6,))
    said = fitted(PROBLEM, 6, PROBLEM.x)
    assert errors.training[0] == pytest.approx(float((said - PROBLEM.y).square().mean()))
    places = torch.linspace(-1, 1, 20_001, dtype=torch.float64)
    noise = 0.3 * torch.randn(20_001, generator=torch.Generator().manual_seed(0)).double()
    drawn = (fitted(PROBLEM, 6, places) - truth(places) - noise).square().mean()
    assert errors.new[0] == pytest.approx(float(drawn), rel=0.03)


def test_noise_of_another_size_is_the_same_noise():
    quiet, loud = draw_problem(2, 0.1), draw_problem(2, 0.3)
    torch.testing.assert_close(3.0 * (quiet.y - truth(quiet.x)), loud.y - truth(loud.x))
    assert POINTS in COUNTS


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(SettingError, match="noise"):
        draw_problem(1, -1.0)
    with pytest.raises(SettingError, match="points"):
        draw_problem(1, 0.1, 0)
    with pytest.raises(ShapeError, match="design"):
        least_squares(torch.ones(3, 2), torch.ones(4))
