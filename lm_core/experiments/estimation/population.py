"""A population of animals that is wholly known, because it is made up: who flies, how long, bird or not.

The two features are those of the blog series' post on statistics: whether an animal can fly, and its
length in cm. Five groups stand for all animals. Within a group the logarithm of the length
is normally distributed; what is true of a bird of some length then follows by Bayes' rule.
"""

import math
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.errors import SettingError


class Group(NamedTuple):
    """One kind of animal."""

    name: str
    share: float
    """Of the population."""
    is_bird: bool
    can_fly: bool
    median: float
    """Of its lengths, in cm."""
    spread: float
    """Standard deviation of the natural logarithm of the length."""


GROUPS = (
    Group("flying birds", 0.28, True, True, 20.0, 0.5),
    Group("flightless birds", 0.10, True, False, 60.0, 0.4),
    Group("flying insects", 0.20, False, True, 4.0, 0.45),
    Group("bats", 0.12, False, True, 8.0, 0.25),
    Group("other animals", 0.30, False, False, 35.0, 1.0),
)
"""Invented for the classroom: only the order of the lengths is taken from nature."""


class Animals(NamedTuple):
    """Some animals; leading axes (such as several samples) are the same in all."""

    can_fly: Tensor
    """bool, of shape (..., n)."""
    lengths: Tensor
    """float64, of shape (..., n). In cm."""
    is_bird: Tensor
    """bool, of shape (..., n)."""

    @property
    def features(self) -> Tensor:
        """What a model is given, (..., n, 2); see `features_of`."""
        return features_of(self.can_fly, self.lengths)


def draw_animals(shape: tuple[int, ...], rng: Generator) -> Animals:
    """Draw animals at random from the population, each independently of the others.

    Raises SettingError if none are asked for.

    `shape`: tuple of int, such as (n,), or (samples, n).
    """
    n = math.prod(shape)
    if n < 1:
        raise SettingError(f"a sample needs at least one animal, got the shape {shape}")
    shares, birds, fliers, medians, spreads = (
        torch.tensor(column) for column in list(zip(*GROUPS, strict=True))[1:]
    )
    group = torch.multinomial(shares.double(), n, replacement=True, generator=rng)
    noise = torch.randn(n, generator=rng, dtype=torch.float64)
    lengths = medians[group] * (spreads[group] * noise).exp()
    return Animals(fliers[group].view(shape), lengths.view(shape), birds[group].view(shape))


def true_probability(can_fly: Tensor, lengths: Tensor) -> Tensor:
    """Return P(bird | can fly, length) in the population, of the shape of the lengths.

    Parameters
    ----------
    can_fly : bool Tensor, broadcastable to the lengths
    lengths : Tensor, in cm, above 0
    """
    birds, others = torch.zeros_like(lengths), torch.zeros_like(lengths)
    for group in GROUPS:
        normal = torch.distributions.Normal(math.log(group.median), group.spread)
        density = group.share * normal.log_prob(lengths.log()).exp() * (can_fly == group.can_fly)
        (birds if group.is_bird else others).add_(density)
    return birds / (birds + others)


def features_of(can_fly: Tensor, lengths: Tensor) -> Tensor:
    """Return what a model is given, (..., n, 2): 0 or 1, and the logarithm of the length, scaled.

    The logarithm is taken about 15 cm and divided by 1.2, so that it lies around 0, mostly within 2.
    """
    scaled = (lengths / 15.0).log() / 1.2
    return torch.stack([can_fly.to(scaled.dtype).expand_as(scaled), scaled], -1)


class Population(NamedTuple):
    """The whole population on a grid: who cannot fly in the first row, who can in the second."""

    lengths: Tensor
    """Of shape (G,). In cm, evenly spaced in their logarithm."""
    mass: Tensor
    """Of shape (2, G). Share of the population in each cell; together 1."""
    truth: Tensor
    """Of shape (2, G). P(bird | can fly, length)."""

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
