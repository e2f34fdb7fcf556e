"""A picture that moves: its map follows but at the edges, its pooled map by whole windows alone."""

import pytest
import torch

from lm_core.experiments.convolution.examples import FILTERS, PICTURES, VERTICAL
from lm_core.experiments.convolution.moved import move
from lm_core.models.convolution import AVERAGE, MAXIMUM

SQUARE = PICTURES["Square"]


@pytest.mark.parametrize("by", [(0, 1), (2, -3), (-1, 0)])
def test_a_map_moves_with_its_picture(by):
    assert move(SQUARE, FILTERS[VERTICAL], by, 2, AVERAGE).n_astray == 0


def test_a_map_is_astray_where_it_is_not_the_moved_one():
    moved = move(SQUARE, FILTERS[VERTICAL], (1, 0), 2, MAXIMUM)
    bent = moved.maps[1].clone()
    bent[0, 0] += 1  # a place that the edge of the picture came to
    bent[3, 4] += 1
    assert moved._replace(maps=(moved.maps[0], bent)).n_astray == 1


def test_pooling_hides_a_move_within_a_window_only():
    steps = torch.arange(8.0)[None].expand(4, 8)
    one = torch.ones(1, 1)
    assert move(steps, one, (0, 0), 2, MAXIMUM).changed.sum() == 0
    assert move(steps, one, (0, 1), 2, MAXIMUM).changed.sum() == 8
    corner = torch.zeros(4, 4)
    corner[0, 0] = 1
    assert move(corner, one, (1, 1), 2, MAXIMUM).changed.sum() == 0
    assert move(corner, one, (2, 0), 2, MAXIMUM).changed.tolist() == [[True, False], [True, False]]
