"""Whether a group lies together, by hand and by what may not matter."""

import pytest
import torch

from lm_core.analysis.group_distances import distance_ratio, random_groups_as_close
from lm_core.rng import generator


def test_three_points_together_and_one_far_away():
    vectors = torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 8.0], [0.0, -10.0]])
    within = (5 + 8 + 5) / 3
    across = (10 + (3**2 + 14**2) ** 0.5 + 18) / 3
    assert distance_ratio(vectors, [0, 1, 2], [3]) == pytest.approx(within / across)


def test_turning_moving_and_stretching_change_nothing():
    vectors = torch.randn(9, 3, generator=generator(0), dtype=torch.float64)
    turn, _ = torch.linalg.qr(torch.randn(3, 3, generator=generator(1), dtype=torch.float64))
    group, others = [0, 4, 5], [1, 2, 3, 6]
    expected = distance_ratio(vectors, group, others)
    assert distance_ratio(7 * vectors @ turn + 2, group, others) == pytest.approx(expected)


def test_a_group_scattered_among_the_others_has_a_ratio_near_1():
    vectors = torch.randn(400, 2, generator=generator(2))
    assert distance_ratio(vectors, range(200), range(200, 400)) == pytest.approx(1, abs=0.05)


def test_the_closest_pair_is_met_by_chance_only_as_itself_and_the_farthest_always():
    vectors = torch.tensor([[0.0], [10.0], [11.0], [30.0]])
    closest = random_groups_as_close(vectors, [1, 2], [0, 3], 600, generator(3))
    assert closest == pytest.approx(100, abs=35)  # one of the six pairs
    farthest = random_groups_as_close(vectors, [0, 3], [1, 2], 600, generator(3))
    assert farthest == 600
