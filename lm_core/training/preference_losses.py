r"""Learning from comparisons: Bradley and Terry's model of them, a reward fitted to it, and DPO.

That y is preferred to z has the probability sigma(s(y) - s(z)), s a score. A reward model learns s
from judged pairs; direct preference optimisation (DPO) puts the policy itself in its place:

    s(y) = \beta (log \pi(y) - log \pi_ref(y))

because the policy that maximises E[s] - \beta KL(\pi || \pi_ref) has that score, up to a constant.

References
----------
Bradley & Terry 1952, "Rank Analysis of Incomplete Block Designs".
Rafailov et al. 2023, "Direct Preference Optimization", equation 7. https://arxiv.org/abs/2305.18290
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import ShapeError, require_positive

_TOLERANCE = 1e-8


def bradley_terry_loss(preferred: Tensor, rejected: Tensor) -> Tensor:
    """Return the mean of -log sigma(s(y) - s(z)) over pairs of scores (N,), in nats."""
    return -F.logsigmoid(preferred - rejected).mean()


def dpo_loss(
    preferred: Tensor,
    rejected: Tensor,
    preferred_reference: Tensor,
    rejected_reference: Tensor,
    beta: float,
) -> Tensor:
    r"""Return DPO's loss: `bradley_terry_loss` of the implicit scores.

    Raises SettingError if \beta is not positive.

    Parameters
    ----------
    preferred, rejected : Tensor of shape (N,), with a graph, log \pi of the texts
    preferred_reference, rejected_reference : Tensor of shape (N,), log \pi_ref of the texts
    beta : float, above 0: the larger, the nearer the policy stays to the reference
    """
    require_positive(beta=beta)
    return bradley_terry_loss(
        beta * (preferred - preferred_reference.detach()),
        beta * (rejected - rejected_reference.detach()),
    )


def fit_reward_weights(
    preferred: Tensor, rejected: Tensor, ridge: float, most_steps: int = 50
) -> Tensor:
    r"""Return the weights w of a linear score that explain judged pairs best, by Newton's method.

    Minimises  mean of -log sigma(w . (y - z))  +  \lambda |w|^2 / 2,  which is convex. Raises
    ShapeError if the two do not have one shape (N, D), and SettingError if \lambda is not positive.

    The result: Tensor of shape (D,), in float64.

    Parameters
    ----------
    preferred, rejected : Tensor of shape (N, D), features of the texts; N may be 0
    ridge : float, \lambda, above 0: without it, pairs that can be told apart would have infinite weights
    """
    if preferred.shape != rejected.shape or preferred.dim() != 2:
        raise ShapeError(
            "features must have one shape (N, D), got"
            f" {tuple(preferred.shape)} and {tuple(rejected.shape)}"
        )
    require_positive(ridge=ridge)
    differences = (preferred - rejected).double()  # (N, D)
    n, width = differences.shape
    weights = differences.new_zeros(width)
    for _ in range(most_steps if n else 0):
        p = torch.sigmoid(differences @ weights)  # (N,), of the judgements as they were made
        gradient = -(1.0 - p) @ differences / n + ridge * weights
        curvature = (p * (1.0 - p))[:, None] * differences  # (N, D)
        hessian = differences.T @ curvature / n
        hessian.diagonal().add_(ridge)
        step = torch.linalg.solve(hessian, gradient)
        # A full step may go too far where the curve is flat: halve it until the loss falls.
        before = _ridge_loss(differences, weights, ridge)
        while _ridge_loss(differences, weights - step, ridge) > before + _TOLERANCE:
            step = step / 2
        weights = weights - step
        if float(step.abs().max()) < _TOLERANCE:
            break
    return weights


def agreement(preferred_scores: Tensor, rejected_scores: Tensor) -> float:
    """Return the share of pairs whose preferred text has the higher score; equal ones count half."""
    difference = preferred_scores - rejected_scores
    return float(((difference > 0).double() + (difference == 0).double() / 2).mean())


def _ridge_loss(differences: Tensor, weights: Tensor, ridge: float) -> float:
    zeros = differences.new_zeros(len(differences))
    fit = bradley_terry_loss(differences @ weights, zeros)
    return float(fit + ridge * weights.square().sum() / 2)
