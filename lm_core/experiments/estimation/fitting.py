"""Fitting f(x; w): the weights that make the sample likely, for many samples at once.

Maximised is the log-likelihood of the labels less ``decay / 2 * |w|^2``, which is the logarithm of
a normal prior on the weights. Each step is one of Newton's, with the Fisher information for the
second derivatives (for logistic regression they are the same) and as much damping as it needs to
go uphill: Levenberg and Marquardt's rule.

References
----------
Bishop 2006, "Pattern Recognition and Machine Learning", sections 4.3.3 and 5.2.
Marquardt 1963, "An algorithm for least-squares estimation of nonlinear parameters".
"""

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.experiments.estimation.animals import Animals
from lm_core.experiments.estimation.models import Model


def fit(
    model: Model, animals: Animals, rng: Generator, *, decay: float = 0.1, iterations: int = 24
) -> Tensor:
    """Return the fitted weights, (R, P), of R samples of n animals each.

    Parameters
    ----------
    model : Model
    animals : Animals of shape (R, n)
    rng : Generator
        For the weights to start from.
    decay : float, above 0
        Strength of the prior. Without one, a sample that a model can separate has no best weights.
    iterations : int
        At most; the fit ends earlier where no sample gains any more.

    Raises
    ------
    SettingError
        If the decay is not positive.
    """
    if not decay > 0.0:
        raise SettingError(f"decay must be positive, got {decay}")
    features, labels = animals.features, animals.is_bird.to(torch.float64)
    weights = model.start(features.shape[0], rng)
    unit = torch.eye(weights.shape[1], dtype=weights.dtype, device=weights.device)
    damping = torch.full_like(weights[:, 0], 10.0)
    loss = _loss(model.logits(weights, features), labels, weights, decay)
    for _ in range(iterations):
        logits, jacobian = model.linearised(weights, features)
        probabilities = logits.sigmoid()
        gradient = _combine(jacobian, labels - probabilities) - decay * weights
        certainty = (probabilities * (1.0 - probabilities))[..., None]
        information = (certainty * jacobian).mT @ jacobian + decay * unit
        step = _solve(information + damping[:, None, None] * unit, gradient)
        tried = _loss(model.logits(weights + step, features), labels, weights + step, decay)
        better = tried < loss
        gain = torch.where(better, loss - tried, 0.0)
        weights = torch.where(better[:, None], weights + step, weights)
        loss = torch.where(better, tried, loss)
        damping = torch.where(better, damping / 3.0, damping * 4.0)
        if bool(((gain < 1e-6) & (better | (damping > 1e6))).all()):
            break
    return weights


def _combine(jacobian: Tensor, errors: Tensor) -> Tensor:
    return (jacobian.mT @ errors[..., None])[..., 0]


def _solve(matrices: Tensor, right: Tensor) -> Tensor:
    return torch.cholesky_solve(right[..., None], torch.linalg.cholesky(matrices))[..., 0]


def _loss(logits: Tensor, labels: Tensor, weights: Tensor, decay: float) -> Tensor:
    """Return what is made small, (R,): minus the logarithm of likelihood times prior."""
    surprise = F.binary_cross_entropy_with_logits(logits, labels, reduction="none").sum(-1)
    return surprise + 0.5 * decay * weights.square().sum(-1)
