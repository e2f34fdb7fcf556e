"""Bradley-Terry, the reward model's fit and DPO: by hand, and beside scikit-learn."""

import math

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from lm_core.errors import SettingError, ShapeError
from lm_core.rng import generator
from lm_core.training.preference_losses import (
    agreement,
    bradley_terry_loss,
    dpo_loss,
    fit_reward_weights,
)


def double(*numbers, learned=False):
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=learned)


def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


def test_bradley_terry_by_hand():
    found = bradley_terry_loss(double(2.0, 0.0), double(0.5, 0.0))
    assert float(found) == pytest.approx((-math.log(sigmoid(1.5)) + math.log(2.0)) / 2)


def test_dpo_on_three_tokens_has_the_gradient_written_out():
    """Of logits z: beta sigma(-margin) (p's derivative of the rejected less that of the preferred)."""
    logits, reference, beta = double(0.2, -0.5, 0.9, learned=True), double(0.0, 0.3, -0.1), 0.7
    log_p, log_q = logits.log_softmax(0), reference.log_softmax(0)
    dpo_loss(log_p[:1], log_p[2:], log_q[:1], log_q[2:], beta).backward()

    z, r = logits.tolist(), reference.tolist()
    margin = beta * ((z[0] - z[2]) - (r[0] - r[2]))  # the normalisers cancel
    slope = -beta * sigmoid(-margin)
    torch.testing.assert_close(logits.grad, double(slope, 0.0, -slope))


def test_dpo_begins_at_log_2_whatever_beta():
    log_p = double(-1.0, -2.0)
    for beta in (0.01, 0.3, 5.0):
        found = dpo_loss(log_p[:1], log_p[1:], log_p[:1], log_p[1:], beta)
        assert float(found) == pytest.approx(math.log(2.0))


def test_the_best_policy_has_the_reward_as_its_implicit_score():
    """pi = pi_ref exp(r / beta) / Z maximises E[r] - beta KL: DPO's scores differ from r by a constant."""
    rewards, beta = double(1.0, 0.0, -2.0), 0.6
    reference = double(0.0, 0.3, -0.1).log_softmax(0)
    best = (reference + rewards / beta).log_softmax(0)
    scores = beta * (best - reference)
    torch.testing.assert_close(scores - scores[0], rewards - rewards[0])


def comparisons(n=200, width=6):
    rng = generator(3)
    first, second = torch.randn(2, n, width, generator=rng).double()
    truth = torch.randn(width, generator=rng).double()
    odds = torch.sigmoid((first - second) @ truth)
    is_first = torch.rand(n, generator=rng, dtype=torch.float64) < odds
    return torch.where(is_first[:, None], first, second), torch.where(
        is_first[:, None], second, first
    )


@pytest.mark.parametrize("ridge", [0.001, 0.1, 10.0])
def test_the_fit_is_scikit_learns_logistic_regression(ridge):
    preferred, rejected = comparisons()
    differences = (preferred - rejected).numpy()
    n = len(differences)
    # Each pair both ways round, because scikit-learn wants two classes.
    both = np.concatenate([differences, -differences])
    labels = np.repeat([1, 0], n)
    theirs = LogisticRegression(C=1 / (2 * n * ridge), fit_intercept=False, tol=1e-10).fit(
        both, labels
    )
    ours = fit_reward_weights(preferred, rejected, ridge)
    np.testing.assert_allclose(ours.numpy(), theirs.coef_[0], rtol=1e-4, atol=1e-5)


def test_pairs_that_can_be_told_apart_have_weights_all_the_same():
    preferred = torch.tensor([[100.0, 0.0], [50.0, 1.0]])
    weights = fit_reward_weights(preferred, torch.zeros(2, 2), 1e-6)
    assert torch.isfinite(weights).all()
    assert weights[0] > 0


def test_a_step_that_goes_too_far_is_halved_until_the_lowest_point_is_met():
    """From these differences a whole step of Newton's passes where the loss is lower."""
    rows = [[2.2, 0.26, 4.35], [-2.0, -1.7, -3.5], [-0.055, -0.054, 0.106]]
    differences, ridge = torch.tensor(rows, dtype=torch.float64), 1e-5
    weights = fit_reward_weights(differences, torch.zeros_like(differences), ridge)
    slope = ridge * weights - torch.sigmoid(-differences @ weights) @ differences / 3
    torch.testing.assert_close(slope, torch.zeros_like(slope), rtol=0, atol=1e-12)


def test_without_pairs_there_is_no_opinion():
    assert fit_reward_weights(torch.zeros(0, 3), torch.zeros(0, 3), 0.1).tolist() == [0.0] * 3


def test_agreement_counts_equal_scores_half():
    assert agreement(double(1.0, 0.0, 2.0, 5.0), double(0.0, 1.0, 2.0, 1.0)) == 2.5 / 4


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="beta must be positive"):
        dpo_loss(double(0.0), double(0.0), double(0.0), double(0.0), 0.0)
    with pytest.raises(SettingError, match="ridge must be positive"):
        fit_reward_weights(torch.zeros(1, 2), torch.zeros(1, 2), 0.0)
    with pytest.raises(ShapeError, match="one shape"):
        fit_reward_weights(torch.zeros(1, 2), torch.zeros(2, 2), 0.1)
