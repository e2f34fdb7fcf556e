"""The cliff: its loss by hand, and descents that clipping keeps in place."""

import math

import pytest
import torch

from lm_core.experiments.gradients.cliff import STEPS, TARGET, descend, loss

START, RATE = (5.5, -2.0), 0.5


def test_the_loss_is_that_of_a_unit_run_by_hand():
    w, b, state = 3.0, -1.0, 0.5
    for _ in range(STEPS):
        state = w / (1 + math.exp(-state)) + b
    expected = (1 / (1 + math.exp(-state)) - TARGET) ** 2
    found = loss(torch.tensor([[w, b]], dtype=torch.float64))
    assert found.tolist() == pytest.approx([expected])


def test_without_clipping_one_step_throws_the_descent_away():
    free, clipped = descend(START, RATE, (math.inf, 0.2), 60)
    assert len(free.places) == len(free.losses) == len(free.norms) == 61
    assert float(free.norms.max()) > 20
    assert float((free.places[-1] - free.places[0]).norm()) > 10
    steps = (clipped.places[1:] - clipped.places[:-1]).norm(dim=1)
    assert float(steps.max()) <= 0.2 * RATE + 1e-9
    assert float(clipped.losses[-1]) < 0.01 < float(free.losses[-1])


def test_a_clip_longer_than_every_gradient_changes_nothing():
    free, clipped = descend((4.0, -1.0), 0.1, (math.inf, 100.0), 5)
    torch.testing.assert_close(free.places, clipped.places)
