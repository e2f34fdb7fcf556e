"""Two lists of words and what they are near to: the difference, its size, and how often chance does as much."""

from itertools import combinations
from statistics import fmean, stdev

import pytest
import torch

from lm_core.analysis import word_associations
from lm_core.analysis.word_associations import association_test, associations
from lm_core.analysis.word_space import unit_vectors
from lm_core.errors import SettingError
from lm_core.rng import generator

FIRST, SECOND = [0.4, 0.1, 0.3, 0.35], [0.0, 0.2, -0.1, 0.05]


def compared(first, second):
    return association_test(torch.tensor(first), torch.tensor(second), generator(1))


def test_an_association_is_the_difference_of_two_mean_cosines():
    words, near, far = (unit_vectors(torch.randn(n, 5, generator=generator(n))) for n in (4, 3, 2))
    found = associations(words, near, far)
    for word, each in zip(words, found, strict=True):
        expected = fmean(float(word @ n) for n in near) - fmean(float(word @ f) for f in far)
        assert float(each) == pytest.approx(expected, abs=1e-6)


def test_every_split_is_counted_as_by_hand():
    found = compared(FIRST, SECOND)
    every, difference = FIRST + SECOND, fmean(FIRST) - fmean(SECOND)
    splits = []
    for chosen in combinations(range(8), 4):
        rest = [i for i in range(8) if i not in chosen]
        splits.append(fmean(every[i] for i in chosen) - fmean(every[i] for i in rest))
    assert found.is_exact
    assert sorted(found.splits.tolist()) == pytest.approx(sorted(splits), abs=1e-6)
    assert found.difference == pytest.approx(difference)
    assert found.effect_size == pytest.approx(difference / stdev(every))
    assert found.share == sum(s >= difference - 1e-6 for s in splits) / 70 == 2 / 70


def test_which_list_is_named_first_does_not_matter():
    found, turned = compared(FIRST, SECOND), compared(SECOND, FIRST)
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.share == found.share == 2 / 70


def test_splits_that_are_drawn_agree_with_all_of_them(monkeypatch):
    exact = compared(FIRST, SECOND).share
    monkeypatch.setattr(word_associations, "MOST_SPLITS", 69)
    few = compared(FIRST, SECOND)
    assert not few.is_exact
    assert len(few.splits) == 69
    monkeypatch.setattr(word_associations, "MOST_SPLITS", 20_000)
    monkeypatch.setattr(word_associations.math, "comb", lambda *_: 10**9)
    drawn = compared(FIRST, SECOND)
    assert drawn.share == pytest.approx(exact, abs=0.005)
    assert drawn.share > 0
    assert torch.equal(drawn.splits, compared(FIRST, SECOND).splits), "the same for everybody"


def test_lists_may_differ_in_length_and_equal_ones_differ_by_nothing():
    found = compared(FIRST, SECOND[:2])
    assert len(found.splits) == 15
    assert compared([0.1, 0.1], [0.1, 0.1]).effect_size == 0.0
    assert compared([0.1, 0.1], [0.1, 0.1]).share == 1.0
    with pytest.raises(SettingError, match="at least 2 words, got 1 and 4"):
        compared([0.1], SECOND)
