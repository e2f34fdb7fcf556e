"""How good an estimate is: the likelihood of a sample, and the cross-entropy, which is the same.

    cross-entropy = -log(likelihood) / n

The likelihood is the product of the probabilities that an estimate gives to what each animal turned
out to be. On the whole population, which is known here, the cross-entropy is an integral.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.estimation.animals import GROUPS, true_probability


class Likelihood(NamedTuple):
    """What an estimate makes of a sample.

    Attributes
    ----------
    given : Tensor of shape (n,)
        The probability that each animal is what it is: f(x) of a bird, 1 - f(x) of another.
    """

    given: Tensor

    @property
    def log_likelihood(self) -> float:
        """Sum of the logarithms, in nats: minus infinity where something was held impossible."""
        return float(self.given.log().sum())

    @property
    def power_of_ten(self) -> float:
        """The likelihood as a power of ten, because it is too small a number to write out."""
        return self.log_likelihood / math.log(10.0)

    @property
    def cross_entropy(self) -> float:
        """Mean surprise at an animal, in nats."""
        return -self.log_likelihood / self.given.shape[0]


def likelihood(probabilities: Tensor, is_bird: Tensor) -> Likelihood:
    """Return what an estimate of P(bird), (n,), makes of the animals."""
    return Likelihood(torch.where(is_bird, probabilities, 1.0 - probabilities))


class Population(NamedTuple):
    """The whole population on a grid: who cannot fly in the first row, who can in the second.

    Attributes
    ----------
    lengths : Tensor of shape (G,)
        In cm, evenly spaced in their logarithm.
    mass : Tensor of shape (2, G)
        Share of the population in each cell; together 1.
    truth : Tensor of shape (2, G)
        P(bird | can fly, length).
    """

    lengths: Tensor
    mass: Tensor
    truth: Tensor

    @property
    def can_fly(self) -> Tensor:
        """Of each row, (2, 1)."""
        return torch.tensor([[False], [True]])

    def cross_entropy(self, estimate: Tensor) -> float:
        """Return the mean surprise at an animal of the population, in nats, of an estimate (2, G).

        Infinite where the estimate holds something impossible that is not.
        """
        surprise = torch.xlogy(self.truth, estimate) + torch.xlogy(1 - self.truth, 1 - estimate)
        return -float((self.mass * surprise).sum())

    @property
    def entropy(self) -> float:
        """What nobody can go below: the cross-entropy of the truth itself, in nats."""
        return self.cross_entropy(self.truth)


def population(cells: int = 60, shortest: float = 0.8, longest: float = 400.0) -> Population:
    """Return the population on a grid of so many lengths."""
    logs = torch.linspace(math.log(shortest), math.log(longest), cells, dtype=torch.float64)
    lengths, can_fly = logs.exp(), torch.tensor([[False], [True]])
    density = torch.zeros(2, cells, dtype=torch.float64)
    for group in GROUPS:
        normal = torch.distributions.Normal(math.log(group.median), group.spread)
        density += group.share * normal.log_prob(logs).exp() * (can_fly == group.can_fly)
    truth = true_probability(can_fly, lengths.expand(2, -1))
    return Population(lengths, density / density.sum(), truth)
