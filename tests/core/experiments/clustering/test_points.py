"""What a visitor brings or changes by hand, and words, as points to cluster."""

import pytest
import torch

from lm_core.errors import PointsError, SettingError
from lm_core.experiments.clustering.editing import (
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


# Words ----------------------------------------------------------------------------------------


def vectors_of(n):
    rng = generator(0)
    words = WordVocabulary(tuple(f"w{i}" for i in range(n)), tuple(range(n, 0, -1)))
    input, output = (torch.randn(n, 12, generator=rng) for _ in range(2))
    return WordVectors.of(words, input, output)


def test_words_are_points_of_unit_vectors_without_the_most_frequent():
    words = frequent_words(vectors_of(30).vocabulary, skip=5, n=20)
    found = word_points(vectors_of(30), [*words[::-1], words[3], "unheard"], directions=12)
    assert found.words == tuple(f"w{i}" for i in range(5, 25))
    assert found.share == pytest.approx(1.0)
    model = vectors_of(30)
    unit = torch.nn.functional.normalize(model.input[5:25].double(), dim=1)
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
