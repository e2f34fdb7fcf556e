"""Numbers as inputs: one-hot times matrix is a row, and what a bare number cannot say."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from lm_core.errors import ShapeError
from lm_core.experiments.tokenization import integer_inputs
from lm_core.rng import generator


def test_one_hot_times_a_matrix_is_a_row():
    weights = torch.randn(5, 3, generator=generator(1), dtype=torch.float64)
    for token_id in range(5):
        vector = integer_inputs.one_hot(token_id, 5)
        assert torch.equal(vector, functional.one_hot(torch.tensor(token_id), 5).double())
        products = integer_inputs.row_products(token_id, weights)
        assert torch.equal(products.sum(0), vector @ weights)
        assert torch.equal(products.sum(0), weights[token_id])


def test_a_number_outside_the_vocabulary_is_refused():
    with pytest.raises(ShapeError, match="0 to 4, got 5"):
        integer_inputs.one_hot(5, 5)


def test_pairs_are_counted():
    counts = integer_inputs.pair_counts(np.array([0, 1, 1, 2, 1, 1]), 3)
    assert counts.tolist() == [[0, 1, 0], [0, 2, 1], [0, 1, 0]]


def test_a_number_can_say_only_what_grows_along_the_numbering():
    # 0 and 2 are followed by 0, 1 by 1: no line is high at both ends and low between them.
    counts = np.array([[10, 0, 0], [0, 10, 0], [10, 0, 0]])
    losses = integer_inputs.input_losses(counts, [np.array([0, 1, 2]), np.array([0, 2, 1])])
    assert losses.one_hot == pytest.approx(0.0, abs=1e-12)
    assert losses.nothing == pytest.approx(np.log(3) - 2 / 3 * np.log(2))
    assert losses.integer[0] == pytest.approx(losses.nothing)
    assert losses.integer[1] < 0.01


def test_the_loss_of_a_number_is_the_best_there_is():
    # Two tokens: a number and a bias can say all that a one-hot vector can.
    counts = np.array([[30, 10], [5, 55]])
    losses = integer_inputs.input_losses(counts, [np.array([0, 1]), np.array([7, 3])])
    assert losses.integer == pytest.approx([losses.one_hot] * 2, abs=1e-7)
    shares = counts / counts.sum()
    conditional = counts / counts.sum(1, keepdims=True)
    assert losses.one_hot == pytest.approx(-(shares * np.log(conditional)).sum())
