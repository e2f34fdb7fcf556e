"""What the page's answers for teachers say, held to the numbers of clusters that are compared."""

from functools import partial

import pytest

from lm_core.clustering.datasets import iris
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.number_of_clusters import candidates, inertia_without_groups
from lm_core.clustering.points import standardised
from pages.number_of_clusters.comparison import MOST, Comparison
from pages.shared.clustering.data import generated
from pages.shared.numbers import percent
from tests.pages.answering import assert_says

HERE = "number-of-clusters"
says = partial(assert_says, HERE)


def compared(points, kind=CovarianceKind.FULL, seed=1):
    return Comparison(tuple(candidates(points, MOST, kind, seed)), ())


def drawn(name, n=200, seed=1):
    return compared(generated(name, n, seed).points, seed=seed)


def left(found, clusters):
    return found.of[clusters - 1].inertia / found.of[0].inertia


@pytest.fixture(scope="module")
def whole():
    return compared(iris().points)


def test_restricted_covariances_need_more_components(whole):
    kinds = CovarianceKind.TIED, CovarianceKind.DIAGONAL, CovarianceKind.SPHERICAL
    restricted = [compared(iris().points, kind).best("bic") for kind in kinds]
    picked = [whole.best("bic"), *restricted]
    assert picked == sorted(set(picked))
    assert picked[-1] == MOST
    says(
        "Iris: try",
        "BIC picks {}, with tied ones {}, with diagonal ones {} and with spherical ones {},".format(
            *picked
        ),
    )
    of_seeds = [
        {compared(iris().points, kind, seed).best("bic") for seed in range(1, 5)}
        for kind in kinds[1:]
    ]
    assert of_seeds == [{5, 6, 7}, {7, 8}]
    says("Iris: try", "5 to 7 with diagonal ones and 7 or 8 with spherical ones")


def test_groups_are_found_where_there_are_none():
    found = drawn("no structure")
    picked = [str(found.best(criterion)) for criterion in ("bic", "aic")]
    said = f"K = {found.best('silhouette')}"
    other = drawn("no structure", seed=3)
    assert other.best("bic") == 1 < min(other.best("aic"), other.best("silhouette"))
    many = drawn("no structure", 2000)
    says("*no structure*", *picked, said, f"picks {many.best('bic')}")


def test_two_blobs_open_a_gap_at_two_that_narrows():
    found = drawn("two blobs")
    gaps = [inertia_without_groups(1.0, k, 2) - left(found, k) for k in range(1, MOST + 1)]
    assert max(range(MOST), key=gaps.__getitem__) == 1
    assert gaps[1:] == sorted(gaps[1:], reverse=True)
    assert left(found, 2) == pytest.approx(0.1, abs=0.02)
    says("*two blobs*", "K = 2")


def test_a_ring_is_covered_by_many():
    picked = [drawn("rings", seed=seed).best("bic") for seed in (1, 2)]
    assert picked[1] == MOST
    says("*rings* has", *map(str, picked))


def test_what_scaled_columns_and_fewer_change(whole):
    scaled = compared(standardised(iris().points))
    sepals = compared(iris().points[:, :2])
    for criterion in ("bic", "aic", "silhouette"):
        assert scaled.best(criterion) == whole.best(criterion)
    for criterion in ("bic", "silhouette"):
        assert sepals.best(criterion) == whole.best(criterion) == 2
    shares = percent(left(scaled, 2)), percent(left(whole, 2))
    says("Iris with scaled", *shares, f"{sepals.best('aic')} instead of {whole.best('aic')}")
