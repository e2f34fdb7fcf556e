"""What is done to points before they are clustered."""

import torch

from lm_core.clustering.datasets import iris
from lm_core.clustering.points import distances_from_medians, standardised


def test_standardised_columns_have_mean_0_and_deviation_1_and_constant_ones_vanish():
    points = torch.cat([iris().points, torch.full((150, 1), 7.1, dtype=torch.float64)], 1)
    scaled = standardised(points)
    assert torch.allclose(scaled.mean(0), torch.zeros(5, dtype=torch.float64), atol=1e-12)
    assert torch.allclose(scaled[:, :4].std(0, correction=0), torch.ones(4, dtype=torch.float64))
    assert torch.equal(scaled[:, 4], torch.zeros(150, dtype=torch.float64))


def test_a_far_point_is_counted_in_usual_distances_that_it_does_not_change():
    near = torch.tensor([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0], [5.0, 5.0]])
    for last in (103.0, 1003.0):
        points = torch.cat([near, torch.tensor([[last, 6.0]])])
        ratios, usual = distances_from_medians(points)
        assert usual.tolist() == [1.0, 0.0]
        assert ratios[5].tolist() == [last - 3.0, 0.0], (
            "in a column of equal numbers nothing is far"
        )
        assert ratios[:5].max() == 2.0
