"""EM from several kinds of starts, and the number of clusters that they lead to."""

import pytest
import torch

from lm_core.clustering import em, fast
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import mixture_from_centres, mixture_from_labels
from lm_core.clustering.number_of_clusters import candidates
from lm_core.clustering.points import standardised
from lm_core.clustering.restarts import KINDS, STARTS_OF_A_KIND, likeliest, starts
from lm_core.rng import generator


def cigars(n=240, seed=33):
    """Three long, thin groups beside each other, which k-means cuts across."""
    rng = generator(seed)
    group = torch.arange(n) % 3
    along = 10.0 * torch.randn(n, generator=rng, dtype=torch.float64)
    across = group + 0.15 * torch.randn(n, generator=rng, dtype=torch.float64)
    return torch.stack([along, across], 1), group


def best_by_bic(points, kind=CovarianceKind.FULL, seed=0):
    found = list(candidates(points, 5, kind, seed))
    return min(found, key=lambda candidate: candidate.bic)


def test_the_best_clusters_of_k_means_are_a_bad_start_for_long_groups():
    points, group = cigars()
    hard = list(candidates(points, 3))[2].hard
    from_k_means = em.fit(points, mixture_from_labels(points, hard.labels, 3))
    from_groups = em.fit(points, mixture_from_labels(points, group, 3))
    assert from_k_means.log_likelihood < from_groups.log_likelihood - 50
    best = likeliest(points, starts(points, 3))
    assert best.log_likelihood == pytest.approx(from_groups.log_likelihood, abs=0.1)


@pytest.mark.parametrize("kind", [CovarianceKind.FULL, CovarianceKind.DIAGONAL])
@pytest.mark.parametrize("seed", [0, 1])
def test_bic_finds_them_by_any_seed_in_any_unit(kind, seed):
    points, _ = cigars()
    unit = torch.tensor([1e6, 1e-3], dtype=torch.float64)
    plain, *others = (
        best_by_bic(these, kind, seed) for these in (points, standardised(points), points * unit)
    )
    assert plain.clusters == 3
    for other in others:
        assert other.clusters == 3
        torch.testing.assert_close(
            other.soft.responsibilities, plain.soft.responsibilities, atol=1e-4, rtol=0.0
        )


def test_there_are_as_many_starts_as_the_page_says_and_all_differ():
    points, _ = cigars(60)
    found = starts(points, 3)
    assert len(found) == STARTS_OF_A_KIND * len(KINDS)
    assert len({tuple(start.means.flatten().tolist()) for start in found}) == len(found)
    assert len(starts(points, 1)) == 1


@pytest.mark.parametrize("kind", CovarianceKind)
def test_all_starts_at_once_are_each_one_by_itself(kind):
    points, _ = cigars(80)
    points = points + 1e4
    far = torch.tensor([[1e9, 1e9]], dtype=torch.float64)  # no point belongs to this component
    begun = [mixture_from_centres(points, points[i : i + 3], kind) for i in (0, 10, 20)]
    begun.append(mixture_from_centres(points, torch.cat([points[:2], far]), kind))
    for start, reached in zip(
        begun, fast.from_all_starts(points, begun, Constraint(), 4), strict=True
    ):
        alone = em.fit(points, start, max_iterations=4, tolerance=0.0)
        torch.testing.assert_close(reached.mixture.weights, alone.mixture.weights)
        torch.testing.assert_close(reached.mixture.means, alone.mixture.means)
        torch.testing.assert_close(
            reached.mixture.covariances, alone.mixture.covariances, atol=1e-6, rtol=1e-5
        )
        assert reached.log_likelihood == pytest.approx(alone.log_likelihood, rel=1e-7)
        assert reached.rests_on_floor == bool(alone.collapses)


def test_an_end_on_the_floor_is_kept_only_where_there_is_no_other():
    rng = generator(2)
    points = torch.randn(40, 2, generator=rng, dtype=torch.float64)
    points = torch.cat([points, points[:1], points[:1]])  # three at one place among the others
    labels = torch.zeros(42, dtype=torch.int64)
    labels[[0, 40, 41]] = 1
    narrow = mixture_from_labels(points, labels, 2)
    wide = mixture_from_centres(points, points[[5, 9]])
    assert em.fit(points, narrow).log_likelihood > em.fit(points, wide).log_likelihood
    assert not likeliest(points, [narrow, wide]).collapses
    assert likeliest(points, [narrow]).collapses
    assert likeliest(points, [wide]).iteration == em.fit(points, wide).iteration, (
        "one start is fitted at once"
    )
    whole = (torch.rand(60, 2, generator=rng) < 0.5).to(torch.float64)
    assert likeliest(whole, starts(whole, 3)).collapses, "every group agrees in some column"
