"""Models f(x; w) of P(bird | x), and how they are fitted to many samples at once.

Each model returns a logit for every animal, and how it moves with w, for R weight vectors at once: one
for each of R samples. A fit maximises the log-likelihood of the labels less ``decay / 2 * |w|^2``, which
is the logarithm of a normal prior on the weights. Each step is one of Newton's, with the Fisher
information for the second derivatives (for logistic regression they are the same) and as much damping
as it needs to go uphill: Levenberg and Marquardt's rule.

References
----------
Bishop 2006, "Pattern Recognition and Machine Learning", sections 4.3.3 and 5.2.
Marquardt 1963, "An algorithm for least-squares estimation of nonlinear parameters".
"""

from typing import NamedTuple, Protocol

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.experiments.estimation.population import Animals


class Linearised(NamedTuple):
    """A model at its present weights."""

    logits: Tensor
    """Of shape (R, n). ``f(x; w) = sigmoid(logit)``."""
    jacobian: Tensor
    """Of shape (R, n, P). Derivative of each logit with respect to each weight."""


class Model(Protocol):
    """What the fit asks of a model."""

    def start(self, samples: int, rng: Generator) -> Tensor:
        """Return weights to start from, (R, P)."""

    def logits(self, weights: Tensor, features: Tensor) -> Tensor:
        """Return the logits, (R, n), of features (R, n, 2)."""

    def linearised(self, weights: Tensor, features: Tensor) -> Linearised:
        """Return the logits and their derivatives."""


class LogisticRegression(NamedTuple):
    """``logit = w0 + w1 * can_fly + w2 * log length``: three weights."""

    def start(self, samples: int, rng: Generator) -> Tensor:
        """Return zeros, (R, 3): there is one optimum, and every start leads to it."""
        return torch.zeros(samples, 3, dtype=torch.float64, device=rng.device)

    def logits(self, weights: Tensor, features: Tensor) -> Tensor:
        """Return the logits, (R, n), of features (R, n, 2)."""
        return weights[:, :1] + (features @ weights[:, 1:, None])[..., 0]

    def linearised(self, weights: Tensor, features: Tensor) -> Linearised:
        """Return the logits, and as their derivatives the features themselves beside a one."""
        one = torch.ones_like(features[..., :1])
        return Linearised(self.logits(weights, features), torch.cat([one, features], -1))


class SmallNetwork(NamedTuple):
    """``logit = c + v . tanh(A x + b)``: one layer of hidden units."""

    hidden: int = 6
    """H units, and so 4 H + 1 weights, laid out as A (H, 2), b (H), v (H), c."""

    def start(self, samples: int, rng: Generator) -> Tensor:
        """Return random weights, (R, 4 H + 1): equal units would stay equal for ever."""
        shape = (samples, 4 * self.hidden + 1)
        return torch.randn(shape, generator=rng, dtype=torch.float64, device=rng.device)

    def logits(self, weights: Tensor, features: Tensor) -> Tensor:
        """Return the logits, (R, n), of features (R, n, 2)."""
        _, _, outward, constant = self._parts(weights)
        return (self._activations(weights, features) @ outward[..., None])[..., 0] + constant

    def linearised(self, weights: Tensor, features: Tensor) -> Linearised:
        """Return the logits and their derivatives, by hand: tanh' = 1 - tanh^2."""
        _, _, outward, constant = self._parts(weights)
        h = self._activations(weights, features)  # (R, n, H)
        logits = (h @ outward[..., None])[..., 0] + constant
        inner = (1.0 - h.square()) * outward[:, None, :]  # d logit / d (A x + b)
        inward = (inner[..., None] * features[..., None, :]).flatten(-2)
        return Linearised(logits, torch.cat([inward, inner, h, torch.ones_like(h[..., :1])], -1))

    def _parts(self, weights: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        inward, biases, outward, constant = weights.split(
            [2 * self.hidden, self.hidden, self.hidden, 1], dim=-1
        )
        return inward.view(-1, self.hidden, 2), biases, outward, constant

    def _activations(self, weights: Tensor, features: Tensor) -> Tensor:
        inward, biases, _, _ = self._parts(weights)
        return torch.baddbmm(biases[:, None, :], features, inward.mT).tanh()


def fit(
    model: Model, animals: Animals, rng: Generator, *, decay: float = 0.1, iterations: int = 24
) -> Tensor:
    """Return the fitted weights, (R, P), of R samples of n animals each.

    Raises SettingError if the decay is not positive.

    Parameters
    ----------
    animals : Animals of shape (R, n)
    rng : Generator, for the weights to start from
    decay : float, above 0
        Strength of the prior. Without one, a sample that a model can separate has no best weights.
    iterations : int, at most; the fit ends earlier where no sample gains any more
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
