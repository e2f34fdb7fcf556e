"""What the answers for teachers say of optimisers, held to the ways that the page draws."""

import math

import pytest

from lm_core.experiments.optimisers import landscapes
from lm_core.experiments.optimisers.descent import (
    RUNNERS,
    descend,
    descend_by_line_search,
    losses_along,
)
from lm_core.experiments.optimisers.study import OptimiserResults
from pages.optimisers import minibatches, race
from tests.pages.answering import assert_says

PAGE = "optimisers"
GD, EMA = "GD", "EMA momentum"


def way(name, start, method):
    return race._way.__wrapped__(name, 50, start, method, 1.0)


# Race -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", race.METHODS)
def test_on_the_level_line_all_stay_and_off_it_newton_alone(method):
    assert way(landscapes.SADDLE, (-1.5, 0.0), method)[-1][1] == 0
    fallen = abs(float(way(landscapes.SADDLE, (-1.5, 1e-3), method)[-1][1])) > 0.9
    assert fallen == (method != "Newton")


def test_who_still_moves_on_the_plateau():
    start = (1.8, 1.8)
    loss = landscapes.landscape(landscapes.PLATEAU).loss
    ends = {method: way(landscapes.PLATEAU, start, method) for method in race.METHODS}
    moved = {method: float((w[-1] - w[0]).norm()) for method, w in ends.items()}
    assert all(loss(ends[method][-1]) < 0.01 for method in ("RMSProp", "Adam", "AdaGrad"))
    assert max(moved[GD], moved["momentum"]) < 0.01
    assert moved["AdaDelta"] < 0.1
    assert float(ends["Newton"][-1].norm()) > float(ends["Newton"][0].norm())
    assert_says(PAGE, "Choose the *Plateau*", "less than 0.01 in 60 steps")


def test_who_turns_round_the_corner():
    banana = landscapes.landscape(landscapes.BANANA)
    losses = {
        m: losses_along(banana, way(landscapes.BANANA, banana.start, m)).tolist()
        for m in race.METHODS
    }
    first = {m: next((i for i, x in enumerate(row) if x < 0.1), None) for m, row in losses.items()}
    said = f"after {first['Newton']} steps"
    theirs = f"Nesterov after {first['Nesterov']} steps and momentum after {first['momentum']}"
    assert_says(PAGE, "On the *Banana*", said, theirs)
    assert first[GD] is None
    ends = {method: row[-1] for method, row in losses.items()}
    assert max(ends["Adam"], ends["RMSProp"]) < ends[GD] < ends["AdaGrad"]


def test_rates_of_both_kinds_of_momentum():
    rates = [RUNNERS[name].rate_on(landscapes.quadratic(50.0)) for name in (EMA, "momentum")]
    assert_says(PAGE, "Compare *momentum*", f"{rates[0]:g} instead of {rates[1]:g}")
    assert rates[0] < 2 / 50
    scene = landscapes.quadratic(50.0)
    rule = RUNNERS[EMA].rule
    beyond = losses_along(scene, descend(scene.loss, scene.start, rule, 0.2, 200)).tolist()
    assert beyond[1] > 10 * beyond[0] > 1e5 * beyond[-1], "thrown out, it comes back"
    assert_says(PAGE, "Compare *momentum*", "It would come back")


# Learning rate and line search ------------------------------------------------------------------


def last_loss(condition, rate, steps=400):
    scene = landscapes.quadratic(condition)
    return float(
        losses_along(scene, descend(scene.loss, scene.start, RUNNERS[GD].rule, rate, steps))[-1]
    )


def test_the_highest_rate_that_converges():
    assert last_loss(50.0, 0.0399) < 0.3 < 3 < last_loss(50.0, 0.0401)
    assert_says(PAGE, "Find the highest", "0.04")


def test_the_steep_direction_is_done_after_one_step():
    scene = landscapes.quadratic(10.0)
    _, first, second, *_ = descend(scene.loss, scene.start, RUNNERS[GD].rule, 0.1, 2).tolist()
    assert first[1] / first[0] == pytest.approx(math.tan(math.radians(30)))
    assert second[0] / first[0] == pytest.approx(0.9)
    assert_says(PAGE, "At η = 0.1", "90 %")


def test_the_best_rate_is_near_the_edge():
    rates = [k / 1_000 for k in range(20, 200)]
    best = min(rates, key=lambda rate: last_loss(10.0, rate, 60))
    assert best == pytest.approx(2 / 11, abs=0.004)
    assert_says(PAGE, "Which rate is best", "2/(κ + 1)")


def kept(scene, start, steps=20):
    """Return the mean share of the loss that a step of line search leaves, and one of the best fixed rate."""
    condition = scene.curvature
    searched = descend_by_line_search(scene.loss, start, steps)
    fixed = descend(scene.loss, start, RUNNERS[GD].rule, 2 / (condition + 1), steps)
    losses = (losses_along(scene, found) for found in (searched, fixed))
    return [float(row[-1] / row[0]) ** (1 / steps) for row in losses]


def test_what_the_best_rate_of_each_step_is_worth():
    scene = landscapes.quadratic(50.0)
    worst, opening = kept(scene, landscapes.worst_start(50.0)), kept(scene, scene.start)
    assert worst[0] == pytest.approx(worst[1], abs=1e-3)
    shares = [f"{100 * share:.0f} %" for share in (worst[0], *opening)]
    assert_says(PAGE, "Compare the same", *shares)


@pytest.mark.parametrize("turned", [30, 120])
def test_on_an_axis_of_the_ellipses_one_step_is_enough(turned):
    scene = landscapes.quadratic(50.0)
    start = tuple(1.5 * part(math.radians(turned)) for part in (math.cos, math.sin))
    assert losses_along(scene, descend_by_line_search(scene.loss, start, 1))[-1] < 1e-15


def test_on_circles_one_step_is_enough_from_anywhere():
    scene = landscapes.landscape(landscapes.QUADRATIC, 1.0)
    assert losses_along(scene, descend_by_line_search(scene.loss, (-1.7, -0.4), 1))[-1] < 1e-20


# Minibatches and a real network -----------------------------------------------------------------


def test_gradients_that_each_batch_size_uses():
    scene = landscapes.quadratic(10.0)
    used = {}
    for size, found in minibatches._ways.__wrapped__(10, scene.start, 1).items():
        losses = losses_along(scene, found).tolist()
        used[size] = size * next(step for step, loss in enumerate(losses) if loss < 0.1)
    one, four, sixteen, every = (f"{n:,}" for n in used.values())
    said = f"{one} for B = 1, {four} for 4, {sixteen} for 16 and {every} for all 64"
    assert_says(PAGE, "How many gradients", said)


def test_which_batch_depends_on_the_seed():
    start = landscapes.quadratic(10.0).start
    first, second = (minibatches._ways.__wrapped__(10, start, seed) for seed in (1, 2))
    assert float((first[64] - second[64]).abs().max()) < 1e-12
    assert float((first[1] - second[1]).abs().max()) > 0.1


def test_what_a_real_network_takes():
    curves = {curve.name: curve for curve in OptimiserResults.load().curves}
    lowest = min(curves.values(), key=lambda curve: curve.losses[-1])
    times = [f"{curves[name].seconds[-1]:.1f}" for name in ("Muon", GD)]
    assert lowest.name == "Muon"
    assert_says(PAGE, "Change from steps", f"about {times[0]} seconds", times[1])
    ends = {name: curve.losses[-1] for name, curve in curves.items()}
    assert max(ends[name] for name in ("AdaGrad", "RMSProp", "Adam")) < ends[GD]


NOT_COMPUTED = {
    "Start on the level line": "a coordinate of the suggestion",
    "Set κ = 1": "a calculation with κ = 1, and one step, which a test above takes",
    "Change the seed": "batch sizes of the suggestion",
}
