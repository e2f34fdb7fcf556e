"""Edits by hand, matching, the number of clusters, collapse, sigma to zero, curves, words."""

import math

import pytest
import torch

from lm_core.clustering import em, k_means, number_of_clusters, side_by_side
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.datasets import DATA_SETS, iris, on_a_line, two_blobs
from lm_core.clustering.gaussian_mixture import Mixture, deviations, weighted_densities
from lm_core.clustering.initialisation import initial_centres, mixture_on_a_point
from lm_core.clustering.metrics import is_misassigned, misassigned
from lm_core.clustering.side_by_side import hard_assignment_limit
from lm_core.errors import SettingError, ShapeError
from lm_core.rng import generator


def blobs(n=60, seed=1):
    return DATA_SETS["two blobs"](n, generator(seed)).points


def test_wrong_points_are_those_counted():
    rng = generator(5)
    for clusters, groups in ((2, 2), (4, 2), (2, 4), (5, 5)):
        found = torch.randint(clusters, (40,), generator=rng)
        true = torch.randint(groups, (40,), generator=rng)
        assert int(is_misassigned(found, true).sum()) == misassigned(found, true)
    found, true = torch.tensor([1, 1, 1, 0]), torch.tensor([0, 0, 1, 1])
    assert is_misassigned(found, true).tolist() == [False, False, True, False]


# How many -------------------------------------------------------------------------------------


def test_bic_picks_two_of_the_three_species_and_the_figures_are_the_known_ones():
    found = list(number_of_clusters.candidates(iris().points, 4))
    assert [c.clusters for c in found] == [1, 2, 3, 4]
    assert [c.bic for c in found[:3]] == pytest.approx([830.0, 574.0, 580.9], abs=0.1)
    assert found[2].aic == pytest.approx(448.4, abs=0.1)
    assert [round(c.inertia, 1) for c in found[:3]] == [681.4, 152.3, 78.9]
    assert math.isnan(found[0].silhouette)
    assert found[1].silhouette == pytest.approx(0.681, abs=1e-3)
    assert number_of_clusters.RESTARTS > 1


def test_the_best_of_the_starts_is_taken():
    points = DATA_SETS["no structure"](100, generator(3)).points
    *_, last = number_of_clusters.candidates(points, 6, seed=2)
    ends = [
        k_means.fit(points, initial_centres(points, 6, "k-means++", 2, number)).inertia
        for number in range(1, number_of_clusters.RESTARTS + 1)
    ]
    assert max(ends) > min(ends) + 0.01, "the example must have local optima"
    assert last.inertia == min(ends)


def test_there_are_no_more_clusters_than_different_points():
    points = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    assert [c.clusters for c in number_of_clusters.candidates(points, 8)] == [1, 2]
    alike = torch.ones(5, 2, dtype=torch.float64)
    assert [c.clusters for c in number_of_clusters.candidates(alike, 3)] == [1]


def test_even_points_follow_the_curve_without_groups_and_a_line_has_one_dimension():
    points = DATA_SETS["no structure"](2000, generator(0)).points
    found = list(number_of_clusters.candidates(points, 4))
    expected = number_of_clusters.inertia_without_groups(found[0].inertia, 4, 2)
    assert found[3].inertia == pytest.approx(expected, rel=0.1)
    assert number_of_clusters.dimension_of(points) == 2
    assert number_of_clusters.dimension_of(torch.cat([points[:, :1], 0 * points[:, :1]], 1)) == 1


# Collapse -------------------------------------------------------------------------------------


def collapse_run(floor):
    points = blobs()
    begin = mixture_on_a_point(points, 4, 0.4)
    return list(em.steps(points, begin, Constraint(floor=floor), tolerance=1e-6))


def test_without_a_floor_the_component_dies_and_the_likelihood_is_infinite():
    steps = collapse_run(0.0)
    assert steps[-1].has_broken
    assert side_by_side.log_likelihoods(steps)[-1] == math.inf
    narrow = [float(deviations(step.mixture)[1]) for step in steps]
    assert narrow == sorted(narrow, reverse=True)
    assert narrow[-1] < 1e-6


def test_each_decade_of_the_floor_is_worth_ln_10():
    ends = [collapse_run(10.0**-power)[-1].log_likelihood for power in (6, 7, 8)]
    assert ends[1] - ends[0] == pytest.approx(math.log(10), abs=1e-3)
    assert ends[2] - ends[1] == pytest.approx(math.log(10), abs=1e-3)


def test_the_start_is_one_point_and_all_points():
    points = blobs()
    begin = mixture_on_a_point(points, 7, 0.25)
    assert torch.equal(begin.means[1], points[7])
    assert torch.allclose(begin.means[0], points.mean(0))
    assert deviations(begin)[1] == pytest.approx(0.25)
    assert torch.allclose(begin.covariances[0], torch.cov(points.T, correction=0))
    flat = Mixture(begin.weights, begin.means, torch.diag(torch.tensor([9.0, 4.0])).repeat(2, 1, 1))
    assert deviations(flat).tolist() == pytest.approx([2.0, 2.0])
    with pytest.raises(SettingError, match="index must be from 0 to 59, got 60"):
        mixture_on_a_point(points, 60, 0.1)
    with pytest.raises(SettingError, match="deviation must be positive"):
        mixture_on_a_point(points, 0, 0.0)


# sigma to zero --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["unequal sizes", "moons", "no structure"])
def test_with_sigma_towards_zero_em_is_k_means(name):
    points = DATA_SETS[name](150, generator(2)).points
    found = list(
        hard_assignment_limit(points, initial_centres(points, 3, "k-means++", 0), [3.0, 0.3, 0.003])
    )
    assert found[-1].agreeing == 1.0
    assert found[-1].certainty > 0.999
    assert found[0].certainty < 0.7
    assert torch.allclose(found[-1].soft.mixture.means, found[-1].hard.centres, atol=1e-6)
    assert found[-1].soft.mixture.covariances[0, 0, 0] == pytest.approx(0.003**2)


# Curves ---------------------------------------------------------------------------------------


def test_each_curve_covers_its_weight_and_a_variance_taken_for_a_deviation_is_too_narrow():
    mixture = on_a_line()
    x = torch.linspace(-9, 9, 4001, dtype=torch.float64)
    true = weighted_densities(mixture, x)
    narrow = weighted_densities(mixture, x, stretch=math.sqrt(0.5))
    for curves in (true, narrow):
        assert torch.trapezoid(curves, x).tolist() == pytest.approx([0.7, 0.3], abs=1e-6)
    assert float(narrow.max() / true.max()) == pytest.approx(math.sqrt(2), rel=1e-4)
    deviation = 0.5  # the published scale
    peak = 0.7 / (deviation * math.sqrt(2 * math.pi))
    assert float(narrow.max()) == pytest.approx(peak, rel=1e-4)
    with pytest.raises(ShapeError, match="one dimension is needed, the mixture has 2"):
        weighted_densities(two_blobs(), x)
