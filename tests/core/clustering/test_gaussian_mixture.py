"""Mixtures: densities, samples, and the measures of a clustering, with scikit-learn as the judge."""

import itertools
import math

import numpy as np
import pytest
import torch
from sklearn.datasets import load_iris
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from lm_core.clustering import em, gaussian_mixture, initialisation, k_means
from lm_core.clustering.datasets import DATA_SETS, draw, iris, on_a_line, stretched_blobs, two_blobs
from lm_core.clustering.metrics import aic, bic, cheapest_matching, misassigned, silhouette
from lm_core.errors import CovarianceError, PointsError, ShapeError
from lm_core.rng import generator


def test_the_density_is_torchs_own():
    mixture, points = stretched_blobs(), draw(stretched_blobs(), 40, generator(1)).points
    parts = torch.distributions.MultivariateNormal(mixture.means, mixture.covariances)
    whole = torch.distributions.MixtureSameFamily(
        torch.distributions.Categorical(mixture.weights), parts
    )
    torch.testing.assert_close(
        gaussian_mixture.log_density(points, mixture), whole.log_prob(points)
    )


def test_far_from_every_component_the_shares_still_sum_to_one():
    far = torch.tensor([[1e8, -1e8]], dtype=torch.float64)
    shares = gaussian_mixture.responsibilities(far, two_blobs())
    assert float(shares.sum()) == pytest.approx(1.0)
    assert math.isfinite(float(gaussian_mixture.log_density(far, two_blobs())))


def test_a_sample_has_the_mixtures_weights_means_and_covariances():
    points, labels = gaussian_mixture.sample(stretched_blobs(), 40_000, generator(3))
    assert float((labels == 1).double().mean()) == pytest.approx(0.05, abs=0.005)
    for component in range(2):
        own = points[labels == component]
        torch.testing.assert_close(
            own.mean(0), stretched_blobs().means[component], atol=0.05, rtol=0.0
        )
        torch.testing.assert_close(
            own.T.cov(), stretched_blobs().covariances[component], atol=0.06, rtol=0.0
        )


def test_a_component_without_a_covariance_is_named():
    flat = gaussian_mixture.Mixture(torch.ones(1), torch.zeros(1, 2), torch.zeros(1, 2, 2))
    with pytest.raises(CovarianceError, match="component 0 is not positive definite"):
        gaussian_mixture.log_density(torch.zeros(3, 2), flat)
    with pytest.raises(ShapeError, match=r"shapes \(1,\) and \(1, 2, 2\), got \(2,\)"):
        gaussian_mixture.Mixture(torch.ones(2), torch.zeros(1, 2), torch.zeros(1, 2, 2))


@pytest.mark.parametrize("kind", gaussian_mixture.CovarianceKind)
def test_the_criteria_are_scikit_learns(kind):
    points = iris().points
    last = em.fit(points, initialisation.mixture_from_centres(points, points[::60], kind))
    name = {"diagonal": "diag"}.get(kind, str(kind))
    judge = GaussianMixture(3, covariance_type=name, max_iter=2, tol=1e9).fit(points.numpy())
    assert last.mixture.free_parameters == judge._n_parameters()
    twice = -2.0 * last.log_likelihood
    assert aic(last) == pytest.approx(twice + 2 * judge._n_parameters())
    assert bic(last) == pytest.approx(twice + math.log(150) * judge._n_parameters())


def test_bic_picks_two_components_on_iris():
    points = iris().points
    found = {}
    for clusters in (1, 2, 3, 4):
        ends = k_means.restarts(points, clusters, initialisation.random_points, 10, generator(1))
        labels = min(ends, key=lambda end: end.inertia).labels
        found[clusters] = bic(
            em.fit(points, initialisation.mixture_from_labels(points, labels, clusters))
        )
    assert min(found, key=found.get) == 2
    assert found[2] == pytest.approx(574.0, abs=0.1)


@pytest.mark.parametrize("clusters", [2, 3, 7])
def test_the_silhouette_is_scikit_learns(clusters):
    points = draw(two_blobs(), 200, generator(2)).points
    labels = k_means.fit(points, points[:clusters]).labels
    expected = silhouette_score(points.numpy(), labels.numpy())
    assert silhouette(points, labels, generator(1)) == pytest.approx(expected)


def test_a_silhouette_of_many_points_is_that_of_some():
    data = draw(two_blobs(), 3000, generator(2))
    whole = silhouette(data.points, data.labels, generator(1), limit=3000)
    part = silhouette(data.points, data.labels, generator(1), limit=300)
    assert part != whole
    assert part == pytest.approx(whole, abs=0.03)


def test_a_cluster_of_one_has_no_silhouette_and_one_cluster_is_refused():
    points = torch.tensor([[0.0], [1.0], [9.0]])
    labels = torch.tensor([0, 0, 5])
    expected = silhouette_score(points.numpy(), labels.numpy())
    assert silhouette(points, labels, generator(1)) == pytest.approx(expected)
    with pytest.raises(PointsError, match="at least two clusters"):
        silhouette(points, torch.zeros(3, dtype=torch.int64), generator(1))


@pytest.mark.parametrize(
    ("found", "true", "wrong"),
    [
        ([1, 1, 0, 0], [0, 0, 1, 1], 0),
        ([1, 1, 0, 1], [0, 0, 1, 1], 1),
        ([0, 1, 2, 3], [0, 0, 0, 0], 3),
        ([0, 0, 0, 0], [2, 2, 1, 0], 2),
        ([0, 0, 1, 1, 2, 2], [2, 2, 2, 0, 0, 1], 2),
    ],
)
def test_misassigned_points_are_counted_under_the_best_names(found, true, wrong):
    assert misassigned(torch.tensor(found), torch.tensor(true)) == wrong


@pytest.mark.parametrize("seed", range(20))
def test_no_matching_is_cheaper(seed):
    size = 1 + seed % 6
    costs = torch.randint(-9, 9, (size, size), generator=generator(seed)).tolist()
    total = sum(row[column] for row, column in zip(costs, cheapest_matching(costs), strict=True))
    orders = itertools.permutations(range(size))
    assert total == min(sum(costs[i][order[i]] for i in range(size)) for order in orders)


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ShapeError, match=r"shape \(3,\)"):
        misassigned(torch.zeros(3, dtype=torch.int64), torch.zeros(4, dtype=torch.int64))


def test_iris_is_scikit_learns():
    flowers, judge = iris(), load_iris()
    np.testing.assert_array_equal(flowers.points, judge.data)
    np.testing.assert_array_equal(flowers.labels, judge.target)
    assert flowers.features == tuple(judge.feature_names)
    assert flowers.species == tuple(judge.target_names)


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_data_set_hangs_on_its_seed_alone(name):
    first, again = (DATA_SETS[name](60, generator(4)) for _ in range(2))
    assert torch.equal(first.points, again.points)
    assert not torch.equal(first.points, DATA_SETS[name](60, generator(5)).points)
    assert first.points.shape[0] == 60
    assert first.points.dtype == torch.float64
    with pytest.raises(PointsError, match="at least one point must be drawn, got 0"):
        DATA_SETS[name](0, generator(4))


def test_the_data_sets_are_the_sources():
    good, bad = two_blobs(), stretched_blobs()
    assert good.means.tolist() == bad.means.tolist() == [[5.0, 1.0], [1.0, 4.0]]
    assert good.covariances[0].diagonal().tolist() == pytest.approx([0.36, 0.36])
    assert bad.weights.tolist() == pytest.approx([0.95, 0.05])
    assert bad.covariances[0].diagonal().tolist() == pytest.approx([1.5, 0.1])
    line = on_a_line()
    assert line.covariances.flatten().tolist() == pytest.approx([0.5, 0.5])
    assert DATA_SETS["no structure"](10, generator(1)).labels is None
    rings = DATA_SETS["rings"](500, generator(1))
    radii = rings.points.norm(dim=1)
    assert radii[rings.labels == 0].mean() == pytest.approx(1.0, abs=0.02)
    assert radii[rings.labels == 1].mean() == pytest.approx(2.0, abs=0.02)


def test_two_blobs_fall_apart_as_the_source_says_and_95_to_5_do_not():
    good = DATA_SETS["two blobs"](100, generator(1))
    bad = DATA_SETS["95 : 5, stretched"](500, generator(1))
    wrong = []
    for data in (good, bad):
        ends = k_means.restarts(data.points, 2, initialisation.random_points, 10, generator(2))
        best = min(ends, key=lambda end: end.inertia)
        wrong.append(misassigned(best.labels, data.labels))
    assert wrong[0] == 0
    assert wrong[1] > 50
