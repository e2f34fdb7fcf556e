r"""Learning from rewards: REINFORCE with a baseline, PPO's clipped objective, and the KL penalty.

A language model \pi is a policy: a text y of L tokens is what it does, r(y) the reward. Learned is

    maximise  E[r(y)] - \beta KL(\pi || \pi_ref),   KL(\pi || \pi_ref) = E[log \pi(y) - log \pi_ref(y)]

by samples y from \pi, whose penalised reward is R(y) = r(y) - \beta (log \pi(y) - log \pi_ref(y)).

    REINFORCE   gradient of the objective = E[(R(y) - b) d log \pi(y)],  b a baseline without y
    PPO         several steps on the same samples with q_t = \pi(y_t | ...) / \pi_old(y_t | ...):
                maximise E[sum_t min(q_t A, clip(q_t, 1 - \epsilon, 1 + \epsilon) A)],  A = R(y) - b

One advantage for all tokens of a text: there is no value network here.

References
----------
Williams 1992, "Simple statistical gradient-following algorithms" (REINFORCE).
Schulman et al. 2017, "Proximal Policy Optimization Algorithms", equation 7.
https://arxiv.org/abs/1707.06347
Ziegler et al. 2019, "Fine-Tuning Language Models from Human Preferences", equation 2 (KL penalty).
https://arxiv.org/abs/1909.08593
Kool et al. 2019, "Buy 4 REINFORCE Samples, Get a Baseline for Free!" (leave-one-out baseline).
"""

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, require_positive


def log_probabilities(logits: Tensor, tokens: Tensor) -> Tensor:
    """Return the log probability (..., L) of each token (..., L) by its logits (..., L, V), in nats."""
    return logits.log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)


def token_kl(logits: Tensor, reference_logits: Tensor) -> Tensor:
    r"""Return KL(\pi || \pi_ref) of each next-token distribution (..., L) from logits (..., L, V), in nats.

    Summed over a text's tokens and averaged over texts from \pi it estimates the KL divergence of the
    two distributions over texts, with less noise than log \pi(y) - log \pi_ref(y).
    """
    log_policy, log_reference = logits.log_softmax(-1), reference_logits.log_softmax(-1)
    return (log_policy.exp() * (log_policy - log_reference)).sum(-1)


def penalised_rewards(
    rewards: Tensor, log_policy: Tensor, log_reference: Tensor, kl_weight: float
) -> Tensor:
    r"""Return R(y) = r(y) - \beta (log \pi(y) - log \pi_ref(y)) of each text.

    Raises SettingError if \beta is negative.

    Parameters
    ----------
    rewards : Tensor of shape (B,)
    log_policy, log_reference : Tensor of shape (B, L), log probability of each token
    kl_weight : float, \beta, at least 0
    """
    if kl_weight < 0.0:
        raise SettingError(f"kl_weight must be at least 0, got {kl_weight}")
    return rewards - kl_weight * (log_policy - log_reference).sum(-1)


def leave_one_out_advantages(rewards: Tensor) -> Tensor:
    """Return each reward less the mean of the other texts' that continue the same prompt.

    Raises ShapeError if there is one text of a prompt alone.

    `rewards`: Tensor of shape (P, G), of G texts for each of P prompts; G at least 2.

    Returns
    -------
    Tensor of shape (P, G)
        The baseline of a text does not depend on it, so that the gradient stays unbiased.
    """
    n = rewards.shape[-1]
    if rewards.dim() != 2 or n < 2:
        raise ShapeError(f"rewards must have shape (P, G), G >= 2, got {tuple(rewards.shape)}")
    others = (rewards.sum(-1, keepdim=True) - rewards) / (n - 1)
    return rewards - others


def reinforce_loss(log_policy: Tensor, advantages: Tensor) -> Tensor:
    """Return the loss whose gradient is REINFORCE's, with the sign of a descent.

    Parameters
    ----------
    log_policy : Tensor of shape (B, L), with a graph
    advantages : Tensor of shape (B,)
    """
    return -(advantages.detach() * log_policy.sum(-1)).mean()


def ppo_loss(
    log_policy: Tensor, log_before: Tensor, advantages: Tensor, clip: float = 0.2
) -> Tensor:
    r"""Return PPO's clipped loss, with the sign of a descent.

    Raises SettingError if \epsilon is not positive.

    Parameters
    ----------
    log_policy : Tensor of shape (B, L), with a graph
    log_before : Tensor of shape (B, L), by the policy that wrote the texts
    advantages : Tensor of shape (B,)
    clip : float
        \epsilon, above 0: beyond 1 +- \epsilon a ratio earns nothing more. 0.2 in the paper.

    Returns
    -------
    Tensor of shape ()
        While the policy is the one that wrote, its gradient is that of `reinforce_loss`.
    """
    require_positive(clip=clip)
    advantage = advantages.detach().unsqueeze(-1)  # (B, 1)
    ratio = (log_policy - log_before.detach()).exp()  # (B, L)
    clipped = ratio.clamp(1.0 - clip, 1.0 + clip)
    return -torch.minimum(ratio * advantage, clipped * advantage).sum(-1).mean()
