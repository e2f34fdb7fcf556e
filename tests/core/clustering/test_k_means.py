"""k-means: the steps, the starts, and scikit-learn as the judge."""

import itertools
import warnings

import numpy as np
import pytest
import torch
from sklearn.cluster import KMeans

from lm_core.clustering import fast, initialisation, k_means
from lm_core.clustering.datasets import DATA_SETS, iris
from lm_core.clustering.k_means import Phase
from lm_core.clustering.metrics import misassigned
from lm_core.errors import PointsError, SettingError, ShapeError
from lm_core.rng import generator


def cloud(n=300, width=3, seed=1, dtype=torch.float64):
    return torch.randn(n, width, generator=generator(seed), dtype=dtype)


def scikit_learns(points, centres, iterations):
    model = KMeans(len(centres), init=centres.numpy(), n_init=1, max_iter=iterations, tol=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it has not converged, which is meant
        return model.fit(points.numpy())


def test_four_points_by_hand():
    points = torch.tensor([[0.0, 0.0], [0.0, 2.0], [10.0, 0.0], [10.0, 2.0]])
    steps = list(k_means.steps(points, torch.tensor([[0.0, 0.0], [0.0, 2.0]])))
    assert [step.phase for step in steps] == ["assignment", "update", "assignment"]
    assert [step.iteration for step in steps] == [0, 1, 1]
    assert steps[0].labels.tolist() == [0, 1, 0, 1]
    assert steps[0].squared_distances.tolist() == [0.0, 0.0, 100.0, 100.0]
    assert steps[1].centres.tolist() == [[5.0, 0.0], [5.0, 2.0]]
    assert [step.inertia for step in steps] == [200.0, 100.0, 100.0]
    assert [step.converged for step in steps] == [False, False, True]


@pytest.mark.parametrize("iterations", [1, 2, 5, 100])
@pytest.mark.parametrize("clusters", [1, 2, 8])
@pytest.mark.parametrize("width", [1, 2, 7])
def test_the_same_start_gives_scikit_learns_iterates(clusters, width, iterations):
    points = cloud(400, width) + 50.0
    centres = initialisation.random_points(points, clusters, generator(2))
    ours = k_means.fit(points, centres, max_iterations=iterations)
    theirs = scikit_learns(points, centres, iterations)
    np.testing.assert_allclose(ours.centres, theirs.cluster_centers_, rtol=1e-9)
    np.testing.assert_array_equal(ours.labels, theirs.labels_)
    assert ours.inertia == pytest.approx(theirs.inertia_, rel=1e-9)


def test_points_of_many_blocks_are_all_seen():
    points = cloud(140_000, 3)
    ours = k_means.fit(points, points[:4], max_iterations=3)
    theirs = scikit_learns(points, points[:4], 3)
    np.testing.assert_allclose(ours.centres, theirs.cluster_centers_, rtol=1e-9)
    np.testing.assert_array_equal(ours.labels, theirs.labels_)
    assert ours.inertia == pytest.approx(theirs.inertia_, rel=1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("width", [1, 4, 20])
def test_the_fast_steps_are_the_readable_ones(width, dtype):
    points = cloud(60_000, width, dtype=dtype)  # more than a block of them change their cluster
    carried, centres = fast.RunningMeans(points, 5), points[:5]
    for seed in range(4):
        labels, before = fast.nearest(points, centres), points.clone()
        assert torch.equal(labels, k_means.assignment_step(points, centres))
        found = carried.update(points, labels, centres)
        expected = k_means.update_step(points.double(), labels, centres)
        torch.testing.assert_close(found, expected.to(dtype), rtol=1e-6, atol=1e-9)
        assert torch.equal(points, before)
        centres = points[torch.randperm(len(points), generator=generator(seed))[:5]]


def test_far_from_zero_the_fast_step_loses_no_digits():
    chance = torch.Generator().manual_seed(0)
    points = 1e7 + torch.randn(500, 3, generator=chance, dtype=torch.float64)
    nearest = torch.cdist(points - 1e7, points[:5] - 1e7).argmin(1)
    assert torch.equal(fast.nearest(points, points[:5]), nearest)


@pytest.mark.parametrize(
    "update", [k_means.update_step, fast.RunningMeans(torch.zeros(3, 1), 3).update]
)
def test_a_centre_without_points_stays(update):
    points, centres = torch.tensor([[1.0], [2.0], [6.0]]), torch.tensor([[0.0], [7.0], [5.0]])
    moved = update(points, torch.tensor([0, 0, 2]), centres)
    assert moved.tolist() == [[1.5], [7.0], [6.0]]


@pytest.mark.parametrize("assign", [k_means.assignment_step, fast.nearest])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("origin", [0.0, 1000.0])
@pytest.mark.parametrize("clusters", [2, 3, 7, 12])
def test_of_equally_near_centres_the_lowest_number_wins(clusters, origin, dtype, assign):
    axis = torch.arange(-8.0, 9.0, dtype=dtype) + origin
    grid = torch.cartesian_prod(axis, axis)
    for seed in range(20):  # of whole numbers, every distance below is exact, and many are equal
        centres = grid[torch.randint(len(grid), (clusters,), generator=generator(seed))]
        squares = (grid[:, None] - centres).square().sum(2)
        assert torch.equal(assign(grid, centres), squares.argmin(1))


def test_points_that_want_a_gradient_are_clustered_like_others():
    points = cloud(50)
    last = k_means.fit(points.clone().requires_grad_(), points[:3])
    assert torch.equal(last.labels, k_means.fit(points, points[:3]).labels)


def test_empty_clusters_move_where_scikit_learns_do():
    points = cloud(200, 2)
    centres = torch.cat([points[:2], torch.full((2, 2), 100.0, dtype=points.dtype)])
    centres[3] += 1.0
    steps = list(k_means.steps(points, centres))
    assert steps[1].reseeded == (2, 3)
    assert not (steps[1].centres == 0.0).any()
    farthest = steps[0].squared_distances.topk(2).indices
    torch.testing.assert_close(steps[1].centres[2:], points[farthest])
    assert steps[1].labels[farthest].tolist() == [2, 3]
    theirs = scikit_learns(points, centres, 1)
    np.testing.assert_allclose(steps[1].centres, theirs.cluster_centers_, rtol=1e-9)


def test_no_cluster_is_emptied_to_fill_another():
    points = torch.tensor([[0.0], [1.0], [50.0]])
    steps = list(k_means.steps(points, torch.tensor([[1.0], [40.0], [900.0]])))
    assert steps[0].labels.tolist() == [0, 0, 1]
    assert steps[1].reseeded == (2,)
    assert steps[1].labels.tolist() == [2, 0, 1]  # 50 lies farthest from its centre, but alone
    assert steps[1].centres.tolist() == [[1.0], [50.0], [0.0]]
    assert steps[-1].inertia == 0.0


def test_a_cluster_that_has_given_a_point_away_keeps_its_last():
    points = torch.tensor([[-30.0], [31.0], [99.0], [101.0], [97.0], [102.0]])
    centres = torch.tensor([[0.0], [100.0], [1_000.0], [2_000.0]])
    steps = list(k_means.steps(points, centres))
    assert steps[0].labels.tolist() == [0, 0, 1, 1, 1, 1]
    assert steps[1].reseeded == (2, 3)
    assert steps[1].labels.tolist() == [0, 2, 1, 1, 3, 1]  # -30 lies farther away, but alone


@pytest.mark.parametrize("name", DATA_SETS)
@pytest.mark.parametrize("start", initialisation.INITIALISATIONS)
def test_no_half_step_raises_the_inertia(name, start):
    points = DATA_SETS[name](200, generator(5)).points
    centres = initialisation.INITIALISATIONS[start](points, 5, generator(6))
    inertias = [step.inertia for step in k_means.steps(points, centres)]
    assert all(b <= a * (1 + 1e-12) for a, b in itertools.pairwise(inertias))


@pytest.mark.parametrize("seed", range(30))
def test_laws_hold_on_any_points(seed):
    rng = generator(seed)
    n, width = (int(torch.randint(1, 40, (1,), generator=rng)) for _ in range(2))
    points = torch.randn(n, width, generator=rng, dtype=torch.float64).round(decimals=seed % 3)
    clusters = int(torch.randint(1, n + 1, (1,), generator=rng))
    centres = list(initialisation.INITIALISATIONS.values())[seed % 3](points, clusters, rng)
    steps = list(k_means.steps(points, centres))
    last = steps[-1]
    assert last.converged
    assert last.phase is Phase.ASSIGNMENT
    distances = k_means.squared_distances(points, last.centres)
    torch.testing.assert_close(last.squared_distances, distances.amin(1), atol=1e-9, rtol=0.0)
    for before, after in itertools.pairwise(steps):
        assert after.inertia <= before.inertia + 1e-9
    shuffled = torch.randperm(n, generator=rng)
    again = k_means.fit(points[shuffled], centres)
    assert again.inertia <= steps[0].inertia + 1e-9
    assert points.isfinite().all()


def test_nothing_given_is_changed():
    points, centres = cloud(50), cloud(4, seed=2)
    kept = points.clone(), centres.clone()
    list(k_means.steps(points, centres))
    assert torch.equal(points, kept[0])
    assert torch.equal(centres, kept[1])


def test_a_far_away_origin_costs_no_digits():
    points = cloud(500, 2, dtype=torch.float32)
    near = k_means.fit(points, points[:4])
    far = k_means.fit(points + 4096.0, points[:4] + 4096.0)
    assert far.inertia == pytest.approx(near.inertia, rel=1e-3)


def test_copies_of_one_point_are_one_cluster_and_spare_centres_stay():
    points = torch.ones(6, 2)
    last = k_means.fit(points, torch.ones(3, 2))
    assert last.converged
    assert last.inertia == 0.0
    assert last.labels.tolist() == [0] * 6
    assert torch.equal(last.centres, torch.ones(3, 2))


def test_where_all_points_lie_on_their_centres_an_empty_cluster_stays_where_it_is():
    points = torch.tensor([[1.0], [1.0], [4.0], [4.0]])
    steps = list(k_means.steps(points, torch.tensor([[1.0], [90.0], [4.0]])))
    assert [step.reseeded for step in steps] == [(), (), ()]
    assert steps[1].labels.tolist() == [0, 0, 2, 2]
    assert steps[-1].centres.tolist() == [[1.0], [90.0], [4.0]]


def test_one_point_is_its_own_cluster():
    last = k_means.fit(torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 0.0]]))
    assert last.centres.tolist() == [[3.0, 4.0]]
    assert last.inertia == 0.0


def test_k_means_never_gets_fewer_than_16_flowers_wrong():
    flowers = iris()
    ends = k_means.restarts(flowers.points, 3, initialisation.random_points, 200, generator(1))
    wrong = [misassigned(end.labels, flowers.labels) for end in ends]
    assert min(wrong) == 16
    assert len({round(end.inertia, 3) for end in ends}) > 1


@pytest.mark.parametrize("start", initialisation.INITIALISATIONS)
def test_a_start_is_k_different_points_and_hangs_on_the_seed_alone(start):
    points = cloud(40)
    centres = initialisation.INITIALISATIONS[start](points, 40, generator(3))
    assert sorted(map(tuple, centres.tolist())) == sorted(map(tuple, points.tolist()))
    assert torch.equal(centres, initialisation.INITIALISATIONS[start](points, 40, generator(3)))
    assert not torch.equal(centres, initialisation.INITIALISATIONS[start](points, 40, generator(4)))


def test_the_farthest_point_is_taken_next():
    points = torch.tensor([[0.0], [1.0], [2.0], [9.0], [30.0]])
    for seed in range(5):
        centres = initialisation.farthest_points(points, 3, generator(seed))[:, 0].tolist()
        if centres[0] != 30.0:
            assert centres[1] == 30.0


def test_k_means_plus_plus_draws_by_squared_distance():
    points = torch.tensor([[0.0], [0.0], [1.0], [3.0]])
    rng = generator(1)
    pairs = [initialisation.k_means_plus_plus(points, 2, rng)[:, 0].tolist() for _ in range(3000)]
    seconds = [second for first, second in pairs if first == 0.0]
    assert 0.0 not in seconds
    assert seconds.count(3.0) / len(seconds) == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("start", initialisation.INITIALISATIONS)
def test_copies_leave_a_start_nothing_to_draw_by_and_it_goes_on(start):
    assert initialisation.INITIALISATIONS[start](torch.ones(4, 2), 4, generator(1)).shape == (4, 2)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_points_that_are_not_finite_are_named(bad):
    points = torch.zeros(5, 2)
    points[3, 1] = bad
    with pytest.raises(PointsError, match=r"point 3 is \[0.0, (nan|inf)\]"):
        k_means.fit(points, torch.zeros(1, 2))


def test_more_clusters_than_points_are_refused():
    with pytest.raises(PointsError, match="3 clusters need at least 3 points, got 2"):
        k_means.fit(torch.zeros(2, 2), torch.zeros(3, 2))
    with pytest.raises(PointsError, match="5 clusters need at least 5 points, got 4"):
        initialisation.random_points(torch.zeros(4, 2), 5, generator(1))


@pytest.mark.parametrize(
    ("points", "centres", "message"),
    [
        (torch.zeros(4), torch.zeros(1, 1), r"points must have the shape \(N, D\)"),
        (torch.zeros(4, 2), torch.zeros(1, 3), r"centres must have the shape \(K, 2\)"),
        (torch.zeros(4, 2).long(), torch.zeros(1, 2).long(), "floating-point numbers"),
        (torch.zeros(4, 2), torch.zeros(1, 2).double(), "torch.float32 like the points"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(points, centres, message):
    with pytest.raises(ShapeError, match=message):
        k_means.fit(points, centres)


def test_settings_out_of_range_are_refused_before_the_first_step():
    with pytest.raises(SettingError, match="at least 0, got -1"):
        k_means.steps(torch.zeros(2, 1), torch.zeros(1, 1), max_iterations=-1)
    assert len(list(k_means.steps(torch.zeros(2, 1), torch.zeros(1, 1), max_iterations=0))) == 1
    with pytest.raises(PointsError, match="centres must be finite"):
        k_means.steps(torch.zeros(2, 1), torch.full((1, 1), float("nan")))
