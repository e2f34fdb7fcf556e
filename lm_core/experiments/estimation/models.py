"""Models f(x; w) of P(bird | x): each returns a logit for every animal, and how it moves with w.

Several weight vectors are evaluated at once, one for each of R samples, so that all are fitted
together.
"""

from typing import NamedTuple, Protocol

import torch
from torch import Generator, Tensor


class Linearised(NamedTuple):
    """A model at its present weights.

    Attributes
    ----------
    logits : Tensor of shape (R, n)
        ``f(x; w) = sigmoid(logit)``.
    jacobian : Tensor of shape (R, n, P)
        Derivative of each logit with respect to each weight.
    """

    logits: Tensor
    jacobian: Tensor


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
    """``logit = c + v . tanh(A x + b)``: one layer of hidden units.

    Attributes
    ----------
    hidden : int
        H units, and so 4 H + 1 weights, laid out as A (H, 2), b (H), v (H), c.
    """

    hidden: int = 6

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
