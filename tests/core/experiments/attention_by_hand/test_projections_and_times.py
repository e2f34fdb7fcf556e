"""Q, K and V from typed inputs, and the times of heads in both ways."""

import pytest
import torch

from lm_core.errors import ShapeError
from lm_core.experiments.attention_by_hand import head_times
from lm_core.experiments.attention_by_hand.typed_projections import project
from lm_core.rng import generator


def test_each_row_is_multiplied_with_each_matrix():
    x, *matrices = torch.randn(4, 3, 3, generator=generator(1))
    found = project(x, *(matrix[:, :2] for matrix in matrices))
    for product, matrix in zip(found, matrices, strict=True):
        expected = [
            [sum(x[t, e] * matrix[e, d] for e in range(3)) for d in range(2)] for t in range(3)
        ]
        assert torch.allclose(product, torch.tensor(expected), atol=1e-6)


def test_a_matrix_that_does_not_fit_is_named():
    x, fits = torch.ones(2, 3), torch.ones(3, 2)
    with pytest.raises(ShapeError, match="W_K must have as many rows as X has columns, 3, got 2"):
        project(x, fits, torch.ones(2, 2), fits)


def test_every_number_of_heads_is_timed_in_both_ways(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr(head_times.time, "thread_time", lambda: next(clock) * 1e-3)
    found = head_times.measure_heads(generator(1), heads=(1, 4), rounds=2)
    assert [(one.heads, one.one_by_one, one.at_once) for one in found] == [
        (1, pytest.approx(1.0), pytest.approx(1.0)),
        (4, pytest.approx(1.0), pytest.approx(1.0)),
    ]
