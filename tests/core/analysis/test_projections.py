"""Pictures of word vectors: principal components, axes of words, t-SNE, and which neighbours they preserve."""

import numpy as np
import pytest
import torch

from lm_core.analysis import t_sne as module
from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.projection_planes import coordinate_plane, principal_plane
from lm_core.analysis.t_sne import divergence_and_gradient, neighbour_probabilities, t_sne
from lm_core.analysis.word_space import axis_between, unit_vectors
from lm_core.clustering.datasets import iris
from lm_core.errors import SettingError, ShapeError
from lm_core.rng import generator


def random(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_principal_components_are_those_of_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    vectors = random(40, 9) * torch.linspace(3, 0.2, 9) + 2.0
    found = principal_components(vectors, 3)
    reference = decomposition.PCA(3).fit(vectors.numpy())
    np.testing.assert_allclose(found.shares, reference.explained_variance_ratio_, atol=1e-12)
    signs = np.sign((found.directions.numpy() * reference.components_).sum(1))
    expected = reference.transform(vectors.numpy()) * signs
    np.testing.assert_allclose(found.points, expected, atol=1e-10)
    torch.testing.assert_close(found.place(vectors), found.points)
    largest = found.directions.gather(1, found.directions.abs().argmax(1, keepdim=True))
    assert (largest > 0).all()


def test_two_points_have_one_direction_and_the_rest_is_nothing():
    found = principal_components(torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 3.0]]), 2)
    assert found.shares.tolist() == [1.0, pytest.approx(0.0, abs=1e-12)]
    assert found.points[:, 0].tolist() == [-1.0, 1.0]
    with pytest.raises(SettingError, match="2 vectors or more and 1 <= k <= 3, got 1 and 2"):
        principal_components(torch.zeros(1, 3))


def test_an_axis_leads_from_some_words_to_others():
    low, high = torch.tensor([[1.0, 0.0], [1.0, 2.0]]), torch.tensor([[1.0, 5.0]])
    assert axis_between(low, high).tolist() == [0.0, 1.0]
    with pytest.raises(SettingError, match="must differ"):
        axis_between(high, high)
    with pytest.raises(ShapeError, match=r"\(1, 2\) and \(1, 3\)"):
        axis_between(high, torch.ones(1, 3))


# t-SNE ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("perplexity", [3.0, 12.0])
def test_probabilities_of_neighbours_are_scikit_learns(perplexity):
    reference = pytest.importorskip("sklearn.manifold._t_sne")
    distance = pytest.importorskip("scipy.spatial.distance")
    vectors = random(50, 5)
    squared = distance.squareform(distance.pdist(vectors.numpy(), "sqeuclidean")).astype(np.float32)
    expected = distance.squareform(reference._joint_probabilities(squared, perplexity, 0))
    found = neighbour_probabilities(vectors, perplexity)
    np.testing.assert_allclose(found, expected, atol=2e-7)
    assert float(found.sum()) == pytest.approx(1.0)


def test_the_gradient_is_that_of_the_divergence():
    true = neighbour_probabilities(random(12, 4), 4.0)
    points = random(12, 2, seed=1).requires_grad_()
    off_diagonal = ~torch.eye(12, dtype=torch.bool)
    tails = (1.0 / (1.0 + (points[:, None] - points).square().sum(-1))) * off_diagonal
    shown = tails / tails.sum()
    divergence = (true[off_diagonal] * (true[off_diagonal] / shown[off_diagonal]).log()).sum()
    divergence.backward()
    found, gradient = divergence_and_gradient(true, points.detach())
    assert found == pytest.approx(divergence.item())
    torch.testing.assert_close(gradient, points.grad)


def test_clusters_come_apart_and_a_seed_repeats():
    centres = random(3, 10) * 4.0
    vectors = centres.repeat_interleave(15, 0) + 0.3 * random(45, 10, seed=1)
    first, again, other = (
        list(t_sne(vectors, 8.0, torch.Generator().manual_seed(seed), steps=200))
        for seed in (1, 1, 2)
    )
    assert torch.equal(first[-1].points, again[-1].points)
    assert not torch.equal(first[-1].points, other[-1].points)
    assert [step.step for step in first] == list(range(201))
    assert first[-1].divergence < 0.3 < first[0].divergence
    groups = torch.arange(45) // 15
    near = torch.cdist(first[-1].points, first[-1].points).topk(10, largest=False).indices
    assert (groups[near] == groups[:, None]).all()


def test_neighbours_pull_harder_during_the_first_quarter(monkeypatch):
    pulls = []

    def noted(true, points, pull):
        pulls.append(pull)
        return divergence_and_gradient(true, points, pull)

    monkeypatch.setattr(module, "divergence_and_gradient", noted)
    list(t_sne(random(20, 4), 4.0, torch.Generator().manual_seed(1), steps=8))
    assert pulls == [12.0] * 2 + [1.0] * 7


def test_the_end_is_as_good_as_scikit_learns():
    """Of three starts each: one start ends where the machine's roundings lead it."""
    manifold = pytest.importorskip("sklearn.manifold")
    vectors = random(60, 8)
    ours, theirs = [], []
    for seed in (1, 2, 3):
        ours.append(list(t_sne(vectors, 10.0, torch.Generator().manual_seed(seed)))[-1].divergence)
        reference = manifold.TSNE(
            perplexity=10, method="exact", init="random", random_state=seed
        ).fit(vectors.numpy())
        theirs.append(reference.kl_divergence_)
    assert min(ours) < 1.1 * min(theirs)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(SettingError, match="at most 300 points, got 301"):
        neighbour_probabilities(torch.zeros(module.MOST_POINTS + 1, 2), 5.0)
    with pytest.raises(SettingError, match="between 1 and 9, got 9"):
        neighbour_probabilities(random(10, 2), 9.0)


# Neighbourhood preservation --------------------------------------------------------------------------------------


def test_a_picture_without_loss_keeps_all_neighbours():
    angles = torch.linspace(0.0, 1.5, 12).square()
    circle = torch.stack([angles.cos(), angles.sin()], 1)
    found = neighbourhood_preservation(circle, circle, 3)
    assert found.share == 1.0
    assert torch.equal(found.true, found.shown)
    assert found.true[0].tolist() == [1, 2, 3]


def test_what_the_picture_loses_is_counted_by_hand():
    # Four directions a quarter turn apart, but for the last, which lies close to the first.
    vectors = unit_vectors(torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.1], [0.9, -0.1]]))
    line = torch.tensor([[0.0], [0.5], [2.0], [9.0]])
    found = neighbourhood_preservation(vectors, line, 1)
    assert found.true.flatten().tolist() == [3, 2, 1, 0]
    assert found.shown.flatten().tolist() == [1, 0, 1, 2]
    assert found.preserved.flatten().tolist() == [False, False, True, False]
    assert found.share == 0.25
    assert neighbourhood_preservation(vectors, line, 2).preserved[0].tolist() == [False, True]


def test_preservation_by_chance_is_the_share_of_the_others():
    found = neighbourhood_preservation(unit_vectors(random(200, 20)), random(200, 2, seed=3), 20)
    assert found.share == pytest.approx(20 / 199, abs=0.02)
    with pytest.raises(SettingError, match="k must be from 1 to 2, the other points, got 3"):
        neighbourhood_preservation(random(3, 2), random(3, 2), 3)
    with pytest.raises(ShapeError, match="a point for each vector, got 2 for 3"):
        neighbourhood_preservation(random(3, 2), random(2, 2), 1)


# Planes ---------------------------------------------------------------------------------------


def test_principal_axes_hold_the_most_variance_and_do_not_flip():
    points = iris().points
    plane = principal_plane(points)
    assert torch.allclose(plane.axes.T @ plane.axes, torch.eye(2, dtype=torch.float64))
    assert plane.shares == pytest.approx((0.9246, 0.0531), abs=1e-4)  # the textbook's shares
    for seed in range(8):  # the library's own signs are arbitrary
        drawn_at_random = torch.randn(20, 5, generator=generator(seed), dtype=torch.float64)
        axes = principal_plane(drawn_at_random).axes
        assert (axes.gather(0, axes.abs().argmax(0, keepdim=True)) > 0).all()
    drawn = plane.project(points)
    assert drawn.mean(0).abs().max() < 1e-9


def test_covariances_are_those_of_the_projected_points():
    points = iris().points
    plane = principal_plane(points)
    drawn = plane.project(points)
    assert torch.allclose(
        plane.project_covariances(torch.cov(points.T)[None])[0], torch.cov(drawn.T)
    )


def test_two_columns_are_drawn_as_they_are_and_a_step_is_lifted_back():
    points = iris().points
    plane = coordinate_plane(points, 3, 1)
    assert torch.equal(plane.project(points), points[:, [3, 1]])
    assert not plane.is_whole
    step = torch.tensor([0.5, -1.0], dtype=torch.float64)
    assert torch.equal(plane.lift(step), torch.tensor([0.0, -1.0, 0.0, 0.5], dtype=torch.float64))
    assert torch.allclose(plane.project(points + plane.lift(step)), plane.project(points) + step)
    with pytest.raises(SettingError, match="two different columns of 0 to 3, got 2 and 2"):
        coordinate_plane(points, 2, 2)
    with pytest.raises(SettingError, match="at least two dimensions"):
        principal_plane(points[:, :1])
