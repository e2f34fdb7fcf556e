"""EM is the same in any unit: scaled, shifted and turned points, and scikit-learn beside it."""

import itertools
import math

import pytest
import torch
from sklearn.mixture import GaussianMixture

from lm_core.clustering import em
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import mixture_from_centres, random_points
from lm_core.clustering.number_of_clusters import dimension_of
from lm_core.rng import generator

ANY_UNIT = (CovarianceKind.FULL, CovarianceKind.TIED, CovarianceKind.DIAGONAL)
SEEDS = range(9)


def some_points(seed):
    """Groups of different widths in one to four columns; with copies and whole numbers among them."""
    rng = generator(seed)
    n, width = 30 + 7 * seed % 60, 1 + seed % 4
    spread = torch.rand(3, 1, generator=rng, dtype=torch.float64) * 2.0 + 0.2
    group = torch.randint(0, 3, (n,), generator=rng)
    centres = torch.randn(3, width, generator=rng, dtype=torch.float64) * 4.0
    noise = torch.randn(n, width, generator=rng, dtype=torch.float64)
    points = centres[group] + spread[group] * noise
    if seed % 4 == 1:
        points[:6] = points[0]  # at one place: a component may collapse onto them
    return points.round() if seed % 3 == 0 else points


def runs(seed, kind, change):
    """EM's steps on points as they are, and on changed ones, from the same points as means."""
    points = some_points(seed)
    chosen = random_points(torch.arange(len(points))[:, None].double(), 3, generator(seed + 100))
    rows = torch.cat([torch.zeros(1, dtype=torch.int64), chosen[1:, 0].long()])
    for these in (points, change(points)):
        start = mixture_from_centres(these, these[rows], kind)
        yield list(em.steps(these, start, tolerance=1e-4, max_iterations=25))


def ratios(seed, width):
    """Units from nanometres to light years, of every column its own."""
    powers = torch.rand(width, generator=generator(seed + 200), dtype=torch.float64) * 26.0 - 9.0
    return 10.0**powers


@pytest.mark.parametrize("kind", ANY_UNIT)
@pytest.mark.parametrize("seed", SEEDS)
def test_another_unit_of_a_column_changes_nothing_but_the_unit(seed, kind):
    unit = ratios(seed, some_points(seed).shape[1])
    plain, scaled = runs(seed, kind, lambda points: points * unit)
    assert len(plain) == len(scaled)
    for a, b in zip(plain, scaled, strict=True):
        torch.testing.assert_close(b.responsibilities, a.responsibilities, atol=1e-5, rtol=0.0)
        torch.testing.assert_close(b.mixture.means / unit, a.mixture.means, atol=1e-5, rtol=1e-5)
        assert [c.component for c in b.collapses] == [c.component for c in a.collapses]
        shift = len(a.points) * float(unit.log().sum())
        assert b.log_likelihood + shift == pytest.approx(a.log_likelihood, rel=1e-6, abs=1e-4)


@pytest.mark.parametrize("kind", CovarianceKind)
@pytest.mark.parametrize("seed", SEEDS)
def test_another_origin_changes_nothing_but_the_origin(seed, kind):
    shift = 1e4 * torch.randn(some_points(seed).shape[1], generator=generator(seed)).double()
    plain, moved = runs(seed, kind, lambda points: points + shift)
    assert len(plain) == len(moved)
    a, b = plain[-1], moved[-1]
    torch.testing.assert_close(b.responsibilities, a.responsibilities, atol=1e-4, rtol=0.0)
    torch.testing.assert_close(b.mixture.means - shift, a.mixture.means, atol=1e-4, rtol=1e-4)
    assert b.collapses == a.collapses or len(b.collapses) == len(a.collapses)


@pytest.mark.parametrize("kind", [CovarianceKind.FULL, CovarianceKind.TIED])
@pytest.mark.parametrize("seed", SEEDS)
def test_turned_points_are_turned_clusters(seed, kind):
    width = some_points(seed).shape[1]
    square = torch.randn(width, width, generator=generator(seed), dtype=torch.float64)
    turn = torch.linalg.qr(square)[0]
    plain, turned = runs(seed, kind, lambda points: points @ turn)
    for a, b in zip(plain, turned, strict=False):
        if a.collapses or b.collapses:
            break  # the floor is one along each column
        torch.testing.assert_close(b.responsibilities, a.responsibilities, atol=1e-5, rtol=0.0)
        assert b.log_likelihood == pytest.approx(a.log_likelihood, rel=1e-6, abs=1e-4)


def test_some_examples_act_on_the_floor_and_some_do_not():
    ends = [next(runs(seed, kind, lambda x: x))[-1] for kind in CovarianceKind for seed in SEEDS]
    assert 0 < sum(bool(end.collapses) for end in ends) < len(ends)


@pytest.mark.parametrize("kind", CovarianceKind)
@pytest.mark.parametrize("seed", SEEDS)
def test_in_no_unit_does_the_likelihood_fall(seed, kind):
    unit = ratios(seed, some_points(seed).shape[1])
    for steps in runs(seed, kind, lambda points: points * unit):
        bounds = [step.lower_bound for step in steps]
        assert all(b >= a - 1e-8 * (1.0 + abs(a)) for a, b in itertools.pairwise(bounds))
        assert all(math.isfinite(bound) for bound in bounds)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_the_floor_does_not_act_the_fit_is_scikit_learns(seed):
    points = some_points(seed)
    points = points * ratios(seed, points.shape[1]).clamp(1e-3, 1e3)
    start = mixture_from_centres(points, random_points(points, 2, generator(seed)))
    ours = em.fit(points, start, max_iterations=5, tolerance=0.0)
    if ours.collapses:
        pytest.skip("the floor acts")
    theirs = GaussianMixture(
        2,
        tol=0.0,
        max_iter=5,
        reg_covar=0.0,
        weights_init=start.weights.numpy(),
        means_init=start.means.numpy(),
        precisions_init=torch.linalg.inv(start.covariances).numpy(),
    )
    theirs.fit(points.numpy())
    found = torch.from_numpy(theirs.predict_proba(points.numpy()))
    torch.testing.assert_close(ours.responsibilities, found, atol=1e-6, rtol=0.0)


def test_a_component_on_the_floor_is_said_to_be_so_in_shares_that_agree():
    points = torch.cat([some_points(1), torch.tensor([[50.0, 50.0]], dtype=torch.float64)])
    for unit in (1.0, 1e7):
        constraint = Constraint(floor=1e-4)
        start = mixture_from_centres(points * unit, points[[0, -1]] * unit, constraint=constraint)
        last = em.fit(points * unit, start, constraint)
        (collapse,) = last.collapses
        assert collapse.component == 1
        assert "only the floor of 0.0001 holds it up" in collapse.reason
        share = float(collapse.reason.split(" is ")[1].split(" of ")[0])
        assert share < 1e-4, "what is held up lies below the floor"
        variances = last.mixture.covariances[1].diagonal() / (points * unit).var(0, correction=0)
        assert variances.tolist() == pytest.approx([1e-4, 1e-4])


def test_in_how_many_directions_points_vary_does_not_depend_on_the_unit():
    points = some_points(3)
    assert points.shape[1] == 4
    for unit in (1.0, 1e16):
        scale = torch.tensor([unit, 1.0, 1.0, 1.0], dtype=torch.float64)
        assert dimension_of(points * scale) == 4
