"""Edits by hand, matching, the number of clusters, collapse, sigma to zero, curves, words."""

import math

import pytest
import torch

from lm_core.clustering import em, k_means
from lm_core.clustering import side_by_side as lockstep
from lm_core.clustering.collapse import deviations, start_on_a_point
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.datasets import DATA_SETS, on_a_line, two_blobs
from lm_core.clustering.densities import weighted_densities
from lm_core.clustering.gaussian_mixture import Mixture
from lm_core.clustering.hard_assignment_limit import agreements
from lm_core.clustering.iris import iris
from lm_core.clustering.matching import wrongly_assigned
from lm_core.clustering.number_of_clusters import (
    STARTS_TRIED,
    candidates,
    dimension_of,
    inertia_without_groups,
)
from lm_core.clustering.quality import misassigned
from lm_core.clustering.random_restarts import start
from lm_core.errors import PointsError, SettingError, ShapeError
from lm_core.experiments.clustering.edits import (
    MOST_EDITS,
    PointEdit,
    read_centres,
    read_edits,
    with_edits,
    with_one_more,
    written_centres,
    written_edits,
)
from lm_core.experiments.clustering.word_points import frequent_words, word_clusters, word_points
from lm_core.models.embeddings import WordVectors
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary


def blobs(n=60, seed=1):
    return DATA_SETS["two blobs"](n, generator(seed)).points


# Hands ----------------------------------------------------------------------------------------


def test_edits_are_done_in_their_order_and_the_points_stay_as_they_were():
    points = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    edited = with_edits(points, [PointEdit(5, 6), PointEdit(7, 8, 2), PointEdit(-1, -2, 0)])
    assert edited.tolist() == [[-1, -2], [1, 1], [7, 8]]
    assert points.tolist() == [[0, 0], [1, 1]]
    with pytest.raises(PointsError, match="there is no point 2 among 2"):
        with_edits(points, [PointEdit(0, 0, 2)])
    with pytest.raises(PointsError, match="in the plane"):
        with_edits(points[:, :1], [])


def test_each_point_is_edited_once_and_its_place_is_rounded_to_what_a_picture_shows():
    points = torch.tensor([[0.0, 0.0], [4.0, 2.0]], dtype=torch.float64)
    edits = ()
    for edit in (
        PointEdit(9.87654, 1.0, 1),
        PointEdit(7.0, 8.0),
        PointEdit(6.0, 6.0),
        PointEdit(1.0001234, -2.0, 1),
        PointEdit(7.5, 8.5, 2),
    ):
        edits = with_one_more(edits, edit, points)
    assert edits == (PointEdit(7.5, 8.5), PointEdit(6.0, 6.0), PointEdit(1.0, -2.0, 1))
    assert with_edits(points, edits).tolist() == [[0, 0], [1, -2], [7.5, 8.5], [6, 6]]
    (small,) = with_one_more((), PointEdit(1.23456789e-5, 0.0), 1e-5 * points)
    assert small.x == 1.235e-5
    (far,) = with_one_more((), PointEdit(1_700_000_123.4, 0.0), 1.7e9 + points)
    assert far.x == 1_700_000_123.4, "what is far from zero is not rounded coarser"
    (alone,) = with_one_more((), PointEdit(0.12345, 2.0), torch.zeros(3, 2))
    assert alone.x == 0.123


def test_edits_are_read_as_they_are_written():
    edits = (PointEdit(0.5, -4.25, 11), PointEdit(1_700_000_123.4, 1e-5), PointEdit(1, 2, 0))
    assert written_edits(edits) == "12 0.5 -4.25; 1700000123.4 1e-05; 1 1 2"
    assert read_edits(written_edits(edits), 12) == edits
    assert read_edits(" ; 3, 1, 2\n9 9;", 3) == (PointEdit(1, 2, 2), PointEdit(9, 9))
    assert read_edits(" ", 3) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1", "three numbers .* a new one two; got 1"),
        ("1 2 3 4", "got 4"),
        ("1 <b>", "changes must be numbers"),
        ("nan 1", "finite"),
        ("nan 1 1", "finite"),
        ("1 1 1e13", r"at most 1e\+12 in size"),
        ("13 1 1", "no point 13 to be moved among 12"),
        ("0 1 1", "no point 0 "),
        ("1.5 1 1", "no point 1.5 "),
        ("1 1;" * (MOST_EDITS + 1), "at most 500 points may be changed, got 501"),
        ("1 " * 6000, "at most 10,000 characters"),
    ],
)
def test_what_is_no_edit_of_the_points_is_refused(text, message):
    with pytest.raises(PointsError, match=message):
        read_edits(text, 12)


def test_centres_are_read_as_they_are_written():
    centres = torch.tensor([[1.25, -3.5, 1e-5], [0.0, 60.25, 2e-5]], dtype=torch.float64)
    assert torch.equal(read_centres(written_centres(centres, centres), 3), centres)
    assert read_centres("1, 2\n3 4;", 2).tolist() == [[1, 2], [3, 4]]


def test_centres_are_rounded_to_what_a_picture_shows_however_far_from_zero():
    points = torch.tensor([[1.7e9, 0.0], [1.7e9 + 500.0, 0.0]], dtype=torch.float64)
    centres = torch.tensor([[1.7e9 + 12.345, 1e-9], [1.7e9 + 499.0, 0.0]], dtype=torch.float64)
    assert written_centres(centres, points) == "1700000012.3 0; 1700000499 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one centre"),
        ("1 2 3; 4 5", "each centre needs 2 numbers, centre 1 has 3"),
        ("1 <b>", "centres must be numbers"),
        ("1 inf", "finite"),
        ("1 1e13", r"at most 1e\+12 in size"),
        ("1 " * 6000, "at most 10,000 characters"),
    ],
)
def test_what_is_no_centre_is_refused(text, message):
    with pytest.raises(PointsError, match=message):
        read_centres(text, 2)


def test_wrong_points_are_those_counted():
    rng = generator(5)
    for clusters, groups in ((2, 2), (4, 2), (2, 4), (5, 5)):
        found = torch.randint(clusters, (40,), generator=rng)
        true = torch.randint(groups, (40,), generator=rng)
        assert int(wrongly_assigned(found, true).sum()) == misassigned(found, true)
    found, true = torch.tensor([1, 1, 1, 0]), torch.tensor([0, 0, 1, 1])
    assert wrongly_assigned(found, true).tolist() == [False, False, True, False]


# How many -------------------------------------------------------------------------------------


def test_bic_picks_two_of_the_three_species_and_the_figures_are_the_known_ones():
    found = list(candidates(iris().points, 4))
    assert [c.clusters for c in found] == [1, 2, 3, 4]
    assert [c.bic for c in found[:3]] == pytest.approx([830.0, 574.0, 580.9], abs=0.1)
    assert found[2].aic == pytest.approx(448.4, abs=0.1)
    assert [round(c.inertia, 1) for c in found[:3]] == [681.4, 152.3, 78.9]
    assert math.isnan(found[0].silhouette)
    assert found[1].silhouette == pytest.approx(0.681, abs=1e-3)
    assert STARTS_TRIED > 1


def test_the_best_of_the_starts_is_taken():
    points = DATA_SETS["no structure"](100, generator(3)).points
    *_, last = candidates(points, 6, seed=2)
    ends = [
        k_means.fit(points, start(points, 6, "k-means++", 2, number)).inertia
        for number in range(1, STARTS_TRIED + 1)
    ]
    assert max(ends) > min(ends) + 0.01, "the example must have local optima"
    assert last.inertia == min(ends)


def test_there_are_no_more_clusters_than_different_points():
    points = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    assert [c.clusters for c in candidates(points, 8)] == [1, 2]
    alike = torch.ones(5, 2, dtype=torch.float64)
    assert [c.clusters for c in candidates(alike, 3)] == [1]


def test_even_points_follow_the_curve_without_groups_and_a_line_has_one_dimension():
    points = DATA_SETS["no structure"](2000, generator(0)).points
    found = list(candidates(points, 4))
    expected = inertia_without_groups(found[0].inertia, 4, 2)
    assert found[3].inertia == pytest.approx(expected, rel=0.1)
    assert dimension_of(points) == 2
    assert dimension_of(torch.cat([points[:, :1], 0 * points[:, :1]], 1)) == 1


# Collapse -------------------------------------------------------------------------------------


def collapse_run(floor):
    points = blobs()
    begin = start_on_a_point(points, 4, 0.4)
    return list(em.half_steps(points, begin, Constraint(floor=floor), tolerance=1e-6))


def test_without_a_floor_the_component_dies_and_the_likelihood_is_infinite():
    steps = collapse_run(0.0)
    assert steps[-1].has_broken
    assert lockstep.log_likelihoods(steps)[-1] == math.inf
    narrow = [float(deviations(step.mixture)[1]) for step in steps]
    assert narrow == sorted(narrow, reverse=True)
    assert narrow[-1] < 1e-6


def test_each_decade_of_the_floor_is_worth_ln_10():
    ends = [collapse_run(10.0**-power)[-1].log_likelihood for power in (6, 7, 8)]
    assert ends[1] - ends[0] == pytest.approx(math.log(10), abs=1e-3)
    assert ends[2] - ends[1] == pytest.approx(math.log(10), abs=1e-3)


def test_the_start_is_one_point_and_all_points():
    points = blobs()
    begin = start_on_a_point(points, 7, 0.25)
    assert torch.equal(begin.means[1], points[7])
    assert torch.allclose(begin.means[0], points.mean(0))
    assert deviations(begin)[1] == pytest.approx(0.25)
    assert torch.allclose(begin.covariances[0], torch.cov(points.T, correction=0))
    flat = Mixture(begin.weights, begin.means, torch.diag(torch.tensor([9.0, 4.0])).repeat(2, 1, 1))
    assert deviations(flat).tolist() == pytest.approx([2.0, 2.0])
    with pytest.raises(SettingError, match="index must be from 0 to 59, got 60"):
        start_on_a_point(points, 60, 0.1)
    with pytest.raises(SettingError, match="deviation must be positive"):
        start_on_a_point(points, 0, 0.0)


# sigma to zero --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["unequal sizes", "moons", "no structure"])
def test_with_sigma_towards_zero_em_is_k_means(name):
    points = DATA_SETS[name](150, generator(2)).points
    found = list(agreements(points, start(points, 3, "k-means++", 0), [3.0, 0.3, 0.003]))
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
    deviation = 0.5  # what the source gives as scale
    peak = 0.7 / (deviation * math.sqrt(2 * math.pi))
    assert float(narrow.max()) == pytest.approx(peak, rel=1e-4)
    with pytest.raises(ShapeError, match="one dimension is needed, the mixture has 2"):
        weighted_densities(two_blobs(), x)


# Words ----------------------------------------------------------------------------------------


def vectors_of(n):
    rng = generator(0)
    words = WordVocabulary(tuple(f"w{i}" for i in range(n)), tuple(range(n, 0, -1)))
    read, asked = (torch.randn(n, 12, generator=rng) for _ in range(2))
    return WordVectors.of(words, read, asked)


def test_words_are_points_of_unit_vectors_without_the_most_frequent():
    words = frequent_words(vectors_of(30).vocabulary, skip=5, n=20)
    found = word_points(vectors_of(30), [*words[::-1], words[3], "unheard"], directions=12)
    assert found.words == tuple(f"w{i}" for i in range(5, 25))
    assert found.share == pytest.approx(1.0)
    model = vectors_of(30)
    unit = torch.nn.functional.normalize(model.read[5:25].double(), dim=1)
    # All directions kept, a turn of space: the distances are those of the unit vectors.
    assert torch.allclose(torch.cdist(found.points, found.points), torch.cdist(unit, unit))
    assert 0.3 < word_points(model, words, directions=4).share < 0.9
    with pytest.raises(SettingError, match="at least 102 words, it has 30"):
        frequent_words(model.vocabulary)
    with pytest.raises(SettingError, match="at least two words must have vectors, these have 1"):
        word_points(model, ["w1", "unheard"])
    assert word_points(model, ["w1", "w2", "w3"]).points.shape == (3, 3)


def test_words_of_three_bundles_are_three_clusters_the_largest_first():
    rng = generator(4)
    centres = torch.eye(3).repeat_interleave(torch.tensor([3, 9, 5]), 0)
    found = word_clusters(centres + 0.05 * torch.randn(17, 3, generator=rng), 3, generator(0))
    assert found.tolist() == [2] * 3 + [0] * 9 + [1] * 5
