"""Losses of two parameters and descents on them: curvature, best rates, Newton, batches, the edge."""

import math

import pytest
import torch
from torch.func import grad, hessian

from lm_core.errors import SettingError
from lm_core.experiments.optimisers import descent
from lm_core.experiments.optimisers.descent import hessian as curvature
from lm_core.experiments.optimisers.landscapes import (
    BANANA,
    N_EXAMPLES,
    NAMES,
    NETWORK,
    PLATEAU,
    QUADRATIC,
    SADDLE,
    examples,
    hessian_of_quadratic,
    landscape,
    worst_start,
)
from lm_core.models.perceptron import grid
from lm_core.training.update_rules import GradientDescent

START = (-1.6, -0.9)


def point(*numbers):
    return torch.tensor(numbers, dtype=torch.float64)


@pytest.mark.parametrize("name", NAMES)
def test_gradient_and_hessian_are_those_of_torch_func(name):
    scene = landscape(name)
    place = point(0.3, -0.7)
    torch.testing.assert_close(descent.gradient(scene.loss, place), grad(scene.loss)(place))
    torch.testing.assert_close(curvature(scene.loss, place), hessian(scene.loss)(place))
    several = torch.stack([place, 2 * place])
    torch.testing.assert_close(
        descent.gradient(scene.loss, several)[1], grad(scene.loss)(2 * place)
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_place_of_the_picture_is_lower_than_the_lowest_loss(name):
    scene = landscape(name)
    losses = scene.loss(grid(scene.bounds, 81))
    assert losses.shape == (81, 81)
    assert float(losses.min()) >= scene.lowest - 1e-9
    assert float(losses.min()) == pytest.approx(scene.lowest, abs=0.02)
    assert scene.loss(point(*scene.start)).shape == ()


def test_the_quadratic_has_its_condition_number():
    values = torch.linalg.eigvalsh(hessian(landscape(QUADRATIC, 20.0).loss)(point(0.3, 0.4)))
    assert values.tolist() == pytest.approx([1.0, 20.0])
    with pytest.raises(SettingError, match="condition"):
        landscape(QUADRATIC, 0.5)
    with pytest.raises(SettingError, match="name"):
        landscape("hill")


def test_the_saddle_and_the_plateau_are_what_they_are_called():
    at_saddle = torch.linalg.eigvalsh(hessian(landscape(SADDLE).loss)(point(0.0, 0.0)))
    assert at_saddle[0] < 0 < at_saddle[1]
    slope = grad(landscape(PLATEAU).loss)(point(2.0, 2.0))
    assert float(slope.norm()) < 1e-4
    assert landscape(BANANA).loss(point(1.0, 1.0)) == 0


def test_the_network_is_lowest_near_what_it_has_learned():
    scene = landscape(NETWORK)
    assert float(scene.loss(point(0.0, 0.0))) < 0.2 * float(scene.loss(point(*scene.start)))


@pytest.mark.parametrize("name", descent.RUNNERS)
def test_every_rule_gets_down_the_quadratic(name):
    scene = landscape(QUADRATIC)
    runner = descent.RUNNERS[name]
    way = descent.descend(scene.loss, START, runner.rule, runner.rate_on(scene), 60)
    losses = descent.losses_along(scene, way)
    assert len(losses) == 61
    assert float(losses[-1]) < 0.1 * float(losses[0])


def test_gradient_descent_is_the_power_of_a_matrix():
    a = hessian_of_quadratic(10.0)
    way = descent.descend(landscape(QUADRATIC).loss, START, GradientDescent(), 0.07, 7)
    once = torch.eye(2, dtype=torch.float64) - 0.07 * a
    torch.testing.assert_close(way[7], torch.linalg.matrix_power(once, 7) @ point(*START))


@pytest.mark.parametrize(("times", "diverges"), [(0.99, False), (1.01, True)])
def test_two_over_lambda_is_the_edge(times, diverges):
    scene = landscape(QUADRATIC)
    edge = descent.edge_of_divergence(scene.loss, START)
    assert edge == pytest.approx(0.2)
    way = descent.descend(scene.loss, START, GradientDescent(), times * edge, 400)
    losses = descent.losses_along(scene, way)
    assert (float(losses[-1]) > float(losses[0])) is diverges


def test_newton_needs_one_step_on_a_quadratic_and_is_torch_funcs_elsewhere():
    assert descent.descend_by_newton(landscape(QUADRATIC).loss, START, 1)[
        1
    ].tolist() == pytest.approx([0, 0], abs=1e-12)
    loss = landscape(BANANA).loss
    place = point(-1.3, 2.2)
    expected = place - torch.linalg.inv(hessian(loss)(place)) @ grad(loss)(place)
    torch.testing.assert_close(descent.descend_by_newton(loss, (-1.3, 2.2), 1)[1], expected)


def test_newton_goes_to_a_saddle_and_ends_where_nothing_bends():
    way = descent.descend_by_newton(landscape(SADDLE).loss, (-1.6, 0.1), 10)
    assert way[-1].tolist() == pytest.approx([0, 0], abs=1e-6)
    flat = descent.descend_by_newton(lambda p: p.sum(-1), (1.0, 1.0), 2)
    assert math.isnan(float(flat[-1, 0]))


@pytest.mark.parametrize("condition", [2.0, 10.0, 100.0])
def test_the_best_rate_of_a_quadratic_is_that_of_its_curvature(condition):
    loss = landscape(QUADRATIC, condition).loss
    place = point(0.7, -1.1)
    g = grad(loss)(place)
    expected = float(g @ g) / float(g @ hessian(loss)(place) @ g)
    assert descent.best_rate(loss, place, g) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("condition", [2.0, 10.0, 100.0])
def test_line_search_from_the_worst_start_shrinks_as_the_bound_says_and_faster_from_others(
    condition,
):
    scene = landscape(QUADRATIC, condition)
    for start, is_worst in ((worst_start(condition), True), ((0.4, 1.3), False)):
        losses = descent.losses_along(scene, descent.descend_by_line_search(scene.loss, start, 6))
        ratios = (losses[1:] / losses[:-1]).tolist()
        bound = descent.bound_of_line_search(condition)
        assert max(ratios) <= bound + 1e-4
        if is_worst:
            assert ratios == pytest.approx([bound] * 6, abs=1e-4)


def test_all_examples_together_are_the_quadratic():
    inputs, targets = examples(10.0)
    torch.testing.assert_close(inputs.T @ inputs / N_EXAMPLES, hessian_of_quadratic(10.0))
    assert (inputs.T @ targets).abs().max() < 1e-9
    whole = descent.descend_by_minibatches(10.0, START, 0.05, N_EXAMPLES, 20, seed=1)
    alone = descent.descend(landscape(QUADRATIC).loss, START, GradientDescent(), 0.05, 20)
    torch.testing.assert_close(whole, alone)


def test_rates_that_follow_the_curvature_do_so():
    for runner in descent.RUNNERS.values():
        gentle, steep = (runner.rate_on(landscape(QUADRATIC, k)) for k in (5.0, 50.0))
        assert gentle / steep == pytest.approx(10.0 if runner.follows_curvature else 1.0)


def test_the_smaller_the_batch_the_higher_the_loss_stays():
    scene = landscape(QUADRATIC)
    ends = [
        float(
            torch.stack(
                [
                    descent.losses_along(
                        scene, descent.descend_by_minibatches(10.0, START, 0.05, b, 200, s)
                    )[-100:]
                    for s in range(4)
                ]
            ).mean()
        )
        for b in (1, 8, N_EXAMPLES)
    ]
    assert ends[0] > 2 * ends[1] > 2 * ends[2]
