"""Both methods in step, planes to draw them in, a visitor's table, and starts by number."""

import itertools

import pytest
import torch

from lm_core.clustering import em, k_means, side_by_side
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.datasets import DATA_SETS
from lm_core.clustering.gaussian_mixture import CovarianceKind, log_density
from lm_core.clustering.initialisation import INITIALISATIONS, initial_centres, restarts_of_seed
from lm_core.clustering.side_by_side import inertias, log_likelihoods, lower_bounds, random_restarts
from lm_core.errors import SettingError
from lm_core.rng import generator


def points_of(name="95 : 5", n=200, seed=0):
    return DATA_SETS[name](n, generator(seed)).points


def both(clusters=3, **settings):
    points = points_of()
    return side_by_side.run(points, initial_centres(points, clusters, "k-means++", 0), **settings)


# Both methods ---------------------------------------------------------------------------------


def test_both_start_from_the_same_centres_and_halves_stand_beside_each_other():
    run = both()
    hard, soft = run.at(0)
    assert torch.equal(hard.centres, soft.mixture.means)
    halves = [(h.phase, s.phase) for h, s in map(run.at, range(4))]
    assert halves == 2 * [
        (k_means.Phase.ASSIGNMENT, em.Phase.E),
        (k_means.Phase.UPDATE, em.Phase.M),
    ]


def test_the_method_that_is_over_keeps_its_last_step():
    run = both(max_iterations=100)
    assert len(run.hard) != len(run.soft), "the example must have one that ends first"
    assert len(run) == max(len(run.hard), len(run.soft))
    hard, soft = run.at(len(run) - 1)
    assert hard is run.hard[-1]
    assert soft is run.soft[-1]


@pytest.mark.parametrize("name", DATA_SETS)
@pytest.mark.parametrize("kind", CovarianceKind)
def test_no_trace_ever_goes_the_wrong_way(name, kind):
    points = points_of(name)
    run = side_by_side.run(points, initial_centres(points, 4, "random points", 3), kind)
    for falling in (inertias(run.hard), [-v for v in log_likelihoods(run.soft)]):
        slack = 1e-9 * abs(falling[0])
        assert all(a >= b - slack for a, b in itertools.pairwise(falling))
    bounds = lower_bounds(run.soft)
    assert all(a <= b + 1e-6 for a, b in itertools.pairwise(bounds))


def test_a_log_likelihood_is_that_of_the_parameters_after_the_half_step():
    run = both()
    expected = [float(log_density(step.points, step.mixture).sum()) for step in run.soft]
    assert log_likelihoods(run.soft) == pytest.approx(expected)
    below = [b - v for b, v in zip(lower_bounds(run.soft), expected, strict=True)]
    assert below[0] == pytest.approx(0.0)
    assert below[1] < -0.01


def test_a_broken_component_ends_its_trace_at_infinity():
    points = torch.cat([points_of(n=30), torch.tensor([[50.0, 50.0]], dtype=torch.float64)])
    centres = torch.stack([points[0], points[-1]])
    run = side_by_side.run(points, centres, constraint=Constraint(floor=0.0), tolerance=0.0)
    assert run.soft[-1].has_broken
    assert log_likelihoods(run.soft)[-1] == torch.inf


# Starts by number -----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", INITIALISATIONS)
def test_a_start_is_found_again_by_its_number(rule):
    points = points_of()
    found = list(random_restarts(points, restarts_of_seed(points, 4, rule, 7, 3)))
    assert [restart.number for restart in found] == [1, 2, 3]
    again = side_by_side.run(points, initial_centres(points, 4, rule, 7, 3))
    assert found[2].inertia == again.hard[-1].inertia
    assert found[2].log_likelihood == again.soft[-1].log_likelihood


def test_starts_differ_by_number_and_by_seed():
    points = points_of()
    drawn = [initial_centres(points, 4, "random points", *of) for of in ((1, 1), (1, 2), (2, 1))]
    assert all(not torch.equal(drawn[0], other) for other in drawn[1:])
    with pytest.raises(SettingError, match="restart must be from 1 to 999, got 0"):
        initial_centres(points, 4, "random points", 1, 0)
    with pytest.raises(SettingError, match="initialisation must be one of"):
        initial_centres(points, 4, "by hand", 1)
