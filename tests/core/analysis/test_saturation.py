"""Saturated and dead tanh units, counted by hand."""

import pytest
import torch

from lm_core.analysis.saturation import N_BINS, saturation


def test_a_unit_is_dead_only_if_every_input_saturates_it():
    hidden = torch.tensor([[0.995, 0.995, 0.0], [-0.999, 0.5, 0.2]])
    found = saturation(hidden)
    assert found.saturated == pytest.approx(3 / 6)
    assert found.dead == pytest.approx(1 / 3)


def test_the_histogram_has_a_share_for_each_part_of_the_range():
    found = saturation(torch.tensor([[-1.0], [0.01], [1.0], [1.0]]))
    assert len(found.histogram) == N_BINS
    assert found.histogram[0] == 0.25
    assert found.histogram[N_BINS // 2] == 0.25
    assert found.histogram[-1] == 0.5


def test_responses_of_small_inputs_are_not_saturated():
    hidden = torch.tanh(torch.linspace(-1, 1, 100))[:, None]
    assert saturation(hidden)[1:] == (0.0, 0.0)
