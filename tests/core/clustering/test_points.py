"""What is done to points before they are clustered."""

import torch

from lm_core.clustering.datasets import iris
from lm_core.clustering.points import standardised


def test_standardised_columns_have_mean_0_and_deviation_1_and_constant_ones_vanish():
    points = torch.cat([iris().points, torch.full((150, 1), 7.1, dtype=torch.float64)], 1)
    scaled = standardised(points)
    assert torch.allclose(scaled.mean(0), torch.zeros(5, dtype=torch.float64), atol=1e-12)
    assert torch.allclose(scaled[:, :4].std(0, correction=0), torch.ones(4, dtype=torch.float64))
    assert torch.equal(scaled[:, 4], torch.zeros(150, dtype=torch.float64))
