"""EM: the steps, what collapses, and scikit-learn as the judge."""

import itertools
import math
import warnings

import numpy as np
import pytest
import torch
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from lm_core.clustering import em, fast, k_means
from lm_core.clustering.covariances import Constraint, least_variances
from lm_core.clustering.datasets import DATA_SETS, draw, iris, stretched_blobs
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import (
    mixture_from_centres,
    mixture_from_labels,
    random_points,
)
from lm_core.clustering.metrics import misassigned
from lm_core.errors import CovarianceError, PointsError, SettingError, ShapeError
from lm_core.rng import generator

SCIKIT_LEARNS = {
    CovarianceKind.FULL: ("full", lambda precisions: precisions),
    CovarianceKind.TIED: ("tied", lambda precisions: precisions[0]),
    CovarianceKind.DIAGONAL: ("diag", lambda precisions: np.einsum("kdd->kd", precisions)),
    CovarianceKind.SPHERICAL: ("spherical", lambda precisions: precisions[:, 0, 0]),
}
NO_FLOOR = Constraint(floor=0.0)


def clouds(n=400, width=3, seed=1):
    rng = generator(seed)
    points = torch.randn(n, width, generator=rng, dtype=torch.float64)
    return points * 1.5 + torch.randint(0, 3, (n, 1), generator=rng) * 3.0 + 20.0


def scikit_learns(points, start, iterations, ridge=0.0):
    name, shaped = SCIKIT_LEARNS[start.kind]
    model = GaussianMixture(
        start.clusters,
        covariance_type=name,
        tol=0.0,
        max_iter=iterations,
        reg_covar=ridge,
        weights_init=start.weights.numpy(),
        means_init=start.means.numpy(),
        precisions_init=shaped(torch.linalg.inv(start.covariances).numpy()),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it has not converged, which is meant
        return model.fit(points.numpy())


def written_out(model, width):
    found = model.covariances_
    match model.covariance_type:
        case "tied":
            return np.broadcast_to(found, (model.n_components, width, width))
        case "diag":
            return np.stack([np.diag(row) for row in found])
        case "spherical":
            return found[:, None, None] * np.eye(width)
    return found


@pytest.mark.parametrize("ridge", [0.0, 1e-6])
@pytest.mark.parametrize("iterations", [1, 2, 25])
@pytest.mark.parametrize("width", [1, 2, 6])
@pytest.mark.parametrize("kind", CovarianceKind)
def test_the_same_start_gives_scikit_learns_iterates(kind, width, iterations, ridge):
    points = clouds(width=width)
    start = mixture_from_centres(points, points[:3], kind)
    constraint = Constraint(floor=0.0, ridge=ridge)
    ours = em.fit(points, start, constraint, max_iterations=iterations, tolerance=0.0)
    theirs = scikit_learns(points, start, iterations, ridge)
    close = {"rtol": 1e-6, "atol": 1e-9}
    np.testing.assert_allclose(ours.mixture.weights, theirs.weights_, **close)
    np.testing.assert_allclose(ours.mixture.means, theirs.means_, **close)
    np.testing.assert_allclose(ours.mixture.covariances, written_out(theirs, width), **close)
    np.testing.assert_allclose(ours.responsibilities, theirs.predict_proba(points), atol=1e-6)
    assert ours.log_likelihood / 400 == pytest.approx(theirs.score(points.numpy()), rel=1e-6)
    assert ours.iteration == iterations


def test_points_of_many_blocks_are_all_shared_out():
    points = clouds(20_000, 5)
    start = mixture_from_centres(points, points[:8])
    ours = em.fit(points, start, NO_FLOOR, max_iterations=3, tolerance=0.0)
    theirs = scikit_learns(points, start, 3)
    np.testing.assert_allclose(ours.mixture.covariances, theirs.covariances_, rtol=1e-6, atol=1e-9)
    assert ours.log_likelihood / 20_000 == pytest.approx(theirs.score(points.numpy()), rel=1e-9)


def test_the_fast_e_step_is_the_readable_one():
    points = clouds(9_000, 4)  # of several blocks
    far = torch.full((1, 4), 1e6, dtype=torch.float64)  # no point belongs to this component
    mixture = mixture_from_centres(points, torch.cat([points[:6], far]))
    ours, readable = fast.sufficient_statistics(points, mixture), em.e_step(points, mixture)
    assert float(readable.counts[6]) == 0.0
    for name in ("counts", "means", "covariances"):
        torch.testing.assert_close(getattr(ours, name), getattr(readable, name))
    assert ours.log_likelihood == pytest.approx(readable.log_likelihood, rel=1e-12)


def test_points_that_want_a_gradient_are_shared_out_like_others():
    points = clouds()
    start = mixture_from_centres(points, points[:3])
    last = em.fit(points.clone().requires_grad_(), start, max_iterations=2)
    assert torch.equal(last.mixture.means, em.fit(points, start, max_iterations=2).mixture.means)


@pytest.mark.parametrize("kind", CovarianceKind)
@pytest.mark.parametrize("name", DATA_SETS)
def test_no_half_step_lowers_the_bound_and_it_touches_the_likelihood_after_each_e_step(name, kind):
    points = DATA_SETS[name](150, generator(5)).points
    start = mixture_from_centres(points, random_points(points, 4, generator(6)), kind)
    steps = list(em.steps(points, start, tolerance=1e-6))
    bounds = [step.lower_bound for step in steps]
    assert all(b >= a - 1e-9 * abs(a) for a, b in itertools.pairwise(bounds))
    for step in steps:
        touches = step.lower_bound == pytest.approx(step.log_likelihood, rel=1e-9)
        assert touches or step.phase is em.Phase.M
        assert step.lower_bound <= step.log_likelihood + 1e-9 * abs(step.log_likelihood)


def test_the_bound_rises_in_an_m_step_to_below_the_likelihood():
    points = clouds()
    steps = list(em.steps(points, mixture_from_centres(points, points[:3])))
    fitted = steps[1]
    assert steps[0].lower_bound < fitted.lower_bound < fitted.log_likelihood
    assert steps[2].log_likelihood == pytest.approx(fitted.log_likelihood, rel=1e-12)
    torch.testing.assert_close(fitted.responsibilities, steps[0].responsibilities)


@pytest.mark.parametrize("seed", range(30))
def test_laws_hold_on_any_points(seed):
    rng = generator(seed)
    n, width = 20 + 5 * seed, 1 + seed % 5
    points = torch.randn(n, width, generator=rng, dtype=torch.float64).round(decimals=seed % 3)
    clusters, kind = 1 + seed % 7, list(CovarianceKind)[seed % 4]
    start = mixture_from_centres(points, random_points(points, clusters, rng), kind)
    steps = list(em.steps(points, start, tolerance=1e-9))
    bounds = [step.lower_bound for step in steps]
    assert all(b >= a - 1e-8 * (1 + abs(a)) for a, b in itertools.pairwise(bounds))
    least = least_variances(points, kind, 1e-6)
    for step in steps:
        one = torch.ones(n, dtype=torch.float64)
        torch.testing.assert_close(step.responsibilities.sum(1), one)
        assert float(step.mixture.weights.sum()) == pytest.approx(1.0)
        in_least = step.mixture.covariances / (least.sqrt()[:, None] * least.sqrt())
        assert torch.linalg.eigvalsh(in_least).min() >= 1.0 - 1e-6
        assert math.isfinite(step.log_likelihood)


def test_iris_from_scikit_learns_default_start_is_its_default_fit():
    flowers = iris()
    table = flowers.points.numpy()
    theirs = GaussianMixture(3, random_state=0).fit(table)
    labels = KMeans(3, n_init=1, random_state=0).fit(table).labels_
    constraint = Constraint(floor=0.0, ridge=1e-6)
    start = mixture_from_labels(
        flowers.points, torch.from_numpy(labels).long(), 3, constraint=constraint
    )
    # It fits once at the start and once more when it has found that it has converged.
    last = em.fit(flowers.points, start, constraint, max_iterations=theirs.n_iter_, tolerance=0.0)
    assert -last.log_likelihood == pytest.approx(180.20, abs=0.005)
    assert -last.log_likelihood == pytest.approx(-150 * theirs.score(table), rel=1e-8)
    assert misassigned(last.responsibilities.argmax(1), flowers.labels) == 5


@pytest.mark.parametrize("variance", [1e-2, 1e-6])
def test_round_components_of_vanishing_variance_are_k_means(variance):
    points = clouds(200, 2)
    centres = points[:4]
    hard = [s for s in k_means.steps(points, centres) if s.phase is k_means.Phase.UPDATE]
    start = mixture_from_centres(
        points, centres, CovarianceKind.SPHERICAL, Constraint(fixed_variance=variance)
    )
    steps = em.steps(points, start, Constraint(fixed_variance=variance), tolerance=0.0)
    soft = [step for step in steps if step.phase is em.Phase.M]
    distance = max(
        float((a.mixture.means - b.centres).abs().max()) for a, b in zip(soft, hard, strict=False)
    )
    assert (distance < 1e-6) == (variance == 1e-6)


def lonely_point():
    """A far-off point and a start that gives it a component of its own."""
    points = torch.cat([clouds(60, 2), torch.tensor([[90.0, 90.0]], dtype=torch.float64)])
    labels = torch.zeros(61, dtype=torch.int64)
    labels[-1] = 1
    return points, labels


def test_without_a_floor_a_component_collapses_onto_one_point_and_the_run_ends_there():
    points, labels = lonely_point()
    start = mixture_from_labels(points, labels, 2, constraint=Constraint(floor=1.0))
    steps = list(em.steps(points, start, NO_FLOOR))
    last = steps[-1]
    assert last.has_broken
    assert last.phase is em.Phase.M
    assert [collapse.component for collapse in last.collapses] == [1]
    assert "component 2 has collapsed" in last.collapses[0].reason
    assert last.log_likelihood == math.inf
    assert not any(step.has_broken for step in steps[:-1])


def test_a_floor_holds_the_component_up_and_says_so():
    points, labels = lonely_point()
    constraint = Constraint(floor=1e-3)
    start = mixture_from_labels(points, labels, 2, constraint=constraint)
    last = em.fit(points, start, constraint)
    assert not last.has_broken
    assert last.converged
    assert "only the floor of 0.001 holds it up" in last.collapses[0].reason
    torch.testing.assert_close(
        last.mixture.covariances[1], (1e-3 * points.var(0, correction=0)).diag()
    )


def test_the_floor_lifts_only_the_directions_that_lie_below_it():
    line = torch.linspace(0.0, 1.0, 50, dtype=torch.float64)
    points = torch.stack([line, line], 1)
    start = mixture_from_centres(points, points[:1], constraint=Constraint(floor=1e-4))
    variances, own = torch.linalg.eigvalsh(start.covariances[0]), float(line.var(correction=0))
    assert variances[0] == pytest.approx(1e-4 * own)
    assert variances[1] == pytest.approx(2.0 * own)
    with pytest.raises(CovarianceError, match="component 1 has collapsed"):
        mixture_from_centres(points, points[:1], constraint=NO_FLOOR)


def test_a_component_that_loses_all_its_points_says_so_and_the_others_go_on():
    points = clouds(100, 2)
    far = torch.tensor([[1e6, 1e6]], dtype=torch.float64)
    start = mixture_from_centres(points, torch.cat([points[:1], far]))
    last = em.fit(points, start)
    assert last.collapses[0].reason == "no point belongs to component 2 any more"
    assert last.mixture.weights.tolist() == [1.0, 0.0]
    assert math.isfinite(last.log_likelihood)
    torch.testing.assert_close(last.mixture.means[0], points.mean(0))


@pytest.mark.parametrize("points", [torch.ones(5, 2), torch.ones(1, 2)])
def test_one_place_is_one_component_as_wide_as_the_floor(points):
    constraint = Constraint(floor=0.25)
    last = em.fit(
        points, mixture_from_centres(points, points[:1], constraint=constraint), constraint
    )
    torch.testing.assert_close(last.mixture.covariances[0], 0.25 * torch.eye(2))
    density = -0.5 * math.log((2 * math.pi * 0.25) ** 2)
    assert last.log_likelihood == pytest.approx(len(points) * density, rel=1e-6)


def test_more_components_than_points_and_numbers_that_are_none_are_refused():
    mixture = stretched_blobs()
    with pytest.raises(PointsError, match="2 clusters need at least 2 points, got 1"):
        em.fit(torch.zeros(1, 2, dtype=torch.float64), mixture)
    points = torch.full((3, 2), math.nan, dtype=torch.float64)
    with pytest.raises(PointsError, match="point 0"):
        em.fit(points, mixture)
    with pytest.raises(PointsError, match=r"needs a point, they have \[2, 0\]: take fewer"):
        mixture_from_labels(torch.zeros(2, 2), torch.zeros(2, dtype=torch.int64), 2)
    with pytest.raises(ShapeError, match=r"means must be torch\.float32"):
        em.fit(torch.zeros(4, 2), mixture)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"floor": -1.0}, "at least 0, got -1.0"),
        ({"ridge": math.nan}, "at least 0, got 1e-06 and nan"),
        ({"fixed_variance": 0.0}, "must be positive, got 0.0"),
    ],
)
def test_constraints_out_of_range_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        Constraint(**settings)


def test_steps_out_of_range_are_refused_before_the_first():
    data = draw(stretched_blobs(), 50, generator(1))
    with pytest.raises(SettingError, match="got -1 and"):
        em.steps(data.points, data.mixture, max_iterations=-1)
    with pytest.raises(SettingError, match="must be spherical"):
        em.steps(data.points, data.mixture, Constraint(fixed_variance=1.0))
