"""REINFORCE, PPO and the KL penalty on a toy of three tokens, with gradients worked out by hand."""

import itertools
import math

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.training.policy_gradient import (
    leave_one_out_advantages,
    log_probabilities,
    penalised_rewards,
    ppo_loss,
    reinforce_loss,
    token_kl,
)

REWARDS = torch.tensor([1.0, 0.0, -2.0], dtype=torch.float64)
LOGITS = (0.2, -0.5, 0.9)
REFERENCE = (0.0, 0.3, -0.1)


def policy():
    return torch.tensor(LOGITS, dtype=torch.float64, requires_grad=True)


def log_p_of_each(logits):
    """Return the log probability (3, 1) of each of the three texts of one token."""
    tokens = torch.arange(3)[:, None]
    return log_probabilities(logits.expand(3, 1, 3), tokens)


def softmax(logits):
    exponentials = [math.exp(x) for x in logits]
    return [x / sum(exponentials) for x in exponentials]


def expected_gradient(values):
    """Return d E[v] / d logit_k = p_k (v_k - E[v]), the softmax's derivative written out."""
    p = softmax(LOGITS)
    mean = sum(a * b for a, b in zip(p, values, strict=True))
    return torch.tensor(
        [-a * (v - mean) for a, v in zip(p, values, strict=True)], dtype=torch.float64
    )


def weighted(losses_of, p):
    """Return the expected loss over the three texts, each weighted with its probability."""
    return sum(float(p[k]) * losses_of(k) for k in range(3))


def test_log_probabilities_are_those_of_the_tokens():
    logits = torch.tensor([[[0.0, math.log(3.0)], [math.log(9.0), 0.0]]])
    found = log_probabilities(logits, torch.tensor([[1, 1]]))
    torch.testing.assert_close(found.exp(), torch.tensor([[0.75, 0.1]]))


@pytest.mark.parametrize("baseline", [0.0, 0.7, -5.0])
def test_reinforce_is_the_gradient_of_the_expected_reward_whatever_the_baseline(baseline):
    logits = policy()
    log_p = log_p_of_each(logits)
    p = softmax(LOGITS)
    weighted(
        lambda k: reinforce_loss(log_p[k : k + 1], REWARDS[k : k + 1] - baseline), p
    ).backward()
    torch.testing.assert_close(logits.grad, expected_gradient(REWARDS.tolist()))


def test_with_the_kl_penalty_it_is_the_gradient_of_reward_less_kl():
    logits, reference, beta = policy(), torch.tensor(REFERENCE, dtype=torch.float64), 0.6
    log_p, log_reference = log_p_of_each(logits), log_p_of_each(reference)
    total = penalised_rewards(REWARDS, log_p.detach(), log_reference, beta)
    p = softmax(LOGITS)
    weighted(lambda k: reinforce_loss(log_p[k : k + 1], total[k : k + 1]), p).backward()

    q = softmax(REFERENCE)
    values = [r - beta * math.log(a / b) for r, a, b in zip(REWARDS.tolist(), p, q, strict=True)]
    torch.testing.assert_close(logits.grad, expected_gradient(values))
    other = policy()
    objective = (other.softmax(0) * REWARDS).sum() - beta * token_kl(other, reference)
    (-objective).backward()
    torch.testing.assert_close(logits.grad, other.grad)


def test_ppo_begins_as_reinforce():
    advantages = torch.tensor([0.4, -1.1, 2.0], dtype=torch.float64)
    gradients = []
    for loss in (ppo_loss, None):
        logits = policy()
        log_p = log_p_of_each(logits)
        found = (
            loss(log_p, log_p.detach(), advantages) if loss else reinforce_loss(log_p, advantages)
        )
        found.backward()
        gradients.append(logits.grad)
    torch.testing.assert_close(*gradients)


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "slope"),
    [
        (1.1, 2.0, -2.2, -2.2),  # inside: the ratio times the advantage; d ratio / d log p = ratio
        (1.5, 2.0, -2.4, 0.0),  # beyond the clip, and better: nothing more is earned
        (0.5, 2.0, -1.0, -1.0),  # beyond, but worse: it may come back
        (0.5, -2.0, 1.6, 0.0),
        (1.5, -2.0, 3.0, 3.0),
    ],
)
def test_ppo_clips_what_is_earned_and_never_what_is_lost(ratio, advantage, loss, slope):
    before = torch.tensor([[-1.0]], dtype=torch.float64)
    now = (before + math.log(ratio)).requires_grad_(True)
    found = ppo_loss(now, before, torch.tensor([advantage], dtype=torch.float64), clip=0.2)
    found.backward()
    assert float(found.detach()) == pytest.approx(loss)
    assert float(now.grad) == pytest.approx(slope)


def test_leave_one_out_by_hand():
    found = leave_one_out_advantages(torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]]))
    torch.testing.assert_close(found, torch.tensor([[-3.0, -1.5, 4.5], [-1.5, -1.5, 3.0]]))


def test_leave_one_out_leaves_the_gradient_unbiased():
    """Summed over all pairs of texts that may be drawn, it is the gradient of the expected reward."""
    logits = policy()
    log_p, p = log_p_of_each(logits), softmax(LOGITS)
    total = 0.0
    for i, j in itertools.product(range(3), repeat=2):
        both = [i, j]
        advantages = leave_one_out_advantages(REWARDS[both][None])[0]
        total = total + p[i] * p[j] * reinforce_loss(log_p[both], advantages)
    total.backward()
    torch.testing.assert_close(logits.grad, expected_gradient(REWARDS.tolist()))


def test_kl_by_hand_and_never_negative():
    found = float(token_kl(torch.tensor([0.0, math.log(3.0)]), torch.zeros(2)))
    assert found == pytest.approx(0.25 * math.log(0.5) + 0.75 * math.log(1.5))
    assert float(token_kl(torch.tensor(LOGITS), torch.tensor(LOGITS))) == pytest.approx(0.0)


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="kl_weight must be at least 0"):
        penalised_rewards(REWARDS, torch.zeros(3, 1), torch.zeros(3, 1), -0.1)
    with pytest.raises(SettingError, match="clip must be positive"):
        ppo_loss(torch.zeros(1, 1), torch.zeros(1, 1), torch.zeros(1), clip=0.0)
    with pytest.raises(ShapeError, match="G >= 2"):
        leave_one_out_advantages(torch.zeros(3, 1))
