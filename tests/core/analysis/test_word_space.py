"""Words as points: cosines from 0 and from the mean, neighbours, analogies, the odd one out."""

import math

import pytest
import torch

from lm_core.analysis.word_space import WordSpace, odd_one_out, unit_vectors
from lm_core.errors import SettingError, ShapeError
from lm_core.text.word_vocabulary import WordVocabulary

COMPASS = WordVocabulary(("east", "northeast", "north", "west", "south"), (5, 4, 3, 2, 1))


@pytest.fixture
def crowd():
    """9,000 random words around a point off 0, more than are looked at at a time."""
    vectors = torch.randn(9_000, 7, generator=torch.Generator().manual_seed(0)) + 0.5
    names = tuple(f"w{i}" for i in range(9_000))
    return WordVocabulary(names, tuple(range(9_000, 0, -1))), vectors


@pytest.mark.parametrize("subtract_mean", [False, True])
def test_cosines_are_those_of_vectors_from_the_origin(crowd, subtract_mean):
    vocabulary, vectors = crowd
    space = WordSpace.of(vocabulary, vectors, subtract_mean=subtract_mean)
    seen = vectors - vectors.mean(0) if subtract_mean else vectors
    wanted = torch.randn(7, generator=torch.Generator().manual_seed(1))
    expected = torch.cosine_similarity(seen, wanted[None])
    torch.testing.assert_close(space.cosines(wanted), expected, atol=2e-6, rtol=0)
    torch.testing.assert_close(space.cosines(wanted, 40), expected[:40], atol=2e-6, rtol=0)
    torch.testing.assert_close(space.unit([8_000, 3]), unit_vectors(seen[[8_000, 3]]))
    pair = space.pair(2, 8_500)
    assert pair.dot == pytest.approx(float(seen[2] @ seen[8_500]), abs=1e-5)
    assert pair.lengths[1] == pytest.approx(float(seen[8_500].norm()), rel=1e-5)
    assert pair.cosine == pytest.approx(pair.dot / pair.lengths[0] / pair.lengths[1], abs=1e-5)
    assert space.matrix([2, 8_500])[0, 1] == pytest.approx(pair.cosine, abs=1e-6)


def test_off_the_mean_random_words_have_nothing_in_common(crowd):
    plain, centred = (WordSpace.of(*crowd, subtract_mean=off) for off in (False, True))
    unit = unit_vectors(crowd[1])
    assert plain.mean_cosine() == pytest.approx(float((unit @ unit.T).mean()), abs=1e-5)
    assert plain.mean_cosine() > 0.1
    assert abs(centred.mean_cosine()) < 1e-3
    assert plain.vectors.data_ptr() == centred.vectors.data_ptr()


def test_neighbours_may_be_sought_among_the_most_frequent_alone(crowd):
    space = WordSpace.of(*crowd)
    wanted = space.vectors[8_999]
    assert space.nearest(wanted, 1)[0].id == 8_999
    found = space.nearest(wanted, 3, among=100, exclude=[8_999, 5])
    assert all(each.id < 100 for each in found)
    best = int(space.cosines(wanted, 100).argmax())
    assert found[0].id == best
    assert best not in [each.id for each in space.nearest(wanted, 3, among=100, exclude=[best])]


def test_the_most_alike_pairs_have_the_largest_cosines_and_no_word_twice():
    angles = torch.tensor([0.0, 10.0, 25.0, 100.0, 112.0]).deg2rad()
    space = WordSpace.of(COMPASS, torch.stack([angles.cos(), angles.sin()], 1))
    found = space.most_alike((4, 2, 0, 1, 3), 3)
    assert [{a, b} for a, b, _ in found] == [{0, 1}, {3, 4}], (
        "2 is nearest to 1, which has its pair"
    )
    assert [cosine for *_, cosine in found] == pytest.approx(
        [math.cos(math.radians(10)), math.cos(math.radians(12))]
    )
    assert space.most_alike((2,), 3) == []


def test_an_analogy_is_a_step_from_a_third_word():
    vectors = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0], [-1.0, 0.0], [0.0, -1.0]])
    space = WordSpace.of(COMPASS, vectors)
    # north-east - east + north points to the north-west: west is nearest, the three passed over
    assert space.analogy(1, 0, 2, 2)[0].id == 3
    assert [each.id for each in space.analogy(1, 0, 2, 9)] == [3, 4]


def test_a_word_without_a_vector_is_no_division_by_zero():
    space = WordSpace.of(WordVocabulary(("a", "b"), (2, 1)), torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    assert space.cosines(space.vectors[1]).tolist() == [0.0, 1.0]
    assert space.unit([0]).tolist() == [[0.0, 0.0]]


@pytest.fixture
def compass():
    """Unit vectors to the east, north-east, north, west and south."""
    return unit_vectors(torch.tensor([[1.0, 0], [1, 1], [0, 1], [-1, 0], [0, -1]]))


def test_nearest_words_have_the_largest_cosines(compass):
    wanted = torch.tensor([7.0, 0.7])  # almost east, a little to the north
    space = WordSpace.of(COMPASS, compass)
    found = space.nearest(wanted, 3)
    assert [each.id for each in found] == [0, 1, 2]
    cosines = [math.cos(math.radians(turn) - math.atan(0.1)) for turn in (0, 45, 90)]
    assert [each.cosine for each in found] == pytest.approx(cosines)
    assert [each.id for each in space.nearest(wanted, 9, exclude=[0, 1])] == [2, 4, 3]
    with pytest.raises(ShapeError, match=r"\(5, 2\), got \(3,\)"):
        space.nearest(torch.ones(3), 1)


def test_the_odd_one_out_fits_the_others_least(compass):
    place, fits = odd_one_out(compass, [0, 1, 2, 4])
    assert place == 3
    assert len(fits) == 4
    with pytest.raises(SettingError, match="at least 3, got 2"):
        odd_one_out(compass, [0, 1])
