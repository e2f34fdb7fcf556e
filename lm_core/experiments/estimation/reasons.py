"""Why a sigmoid, why the cross-entropy, why weight decay: each follows from Bayes' rule or from a gradient.

References
----------
Bishop 2006, "Pattern Recognition and Machine Learning", sections 4.2, 4.3.2 and 3.1.4.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.experiments.estimation.population import Animals, draw_animals
from lm_core.rng import generator


class Bell(NamedTuple):
    """A normal distribution of lengths."""

    mean: float
    """In cm."""
    spread: float
    """Standard deviation, in cm, above 0."""

    def log_density(self, lengths: Tensor) -> Tensor:
        """Return the logarithm of the density at lengths in cm."""
        return torch.distributions.Normal(self.mean, self.spread).log_prob(lengths)


class LogOdds(NamedTuple):
    """``log P(bird | x) / P(other | x) = square x^2 + slope x + constant``, x in cm."""

    square: float
    """0 where both bells are equally wide: then P(bird | x) is a sigmoid of a straight line."""
    slope: float
    constant: float

    def posterior(self, lengths: Tensor) -> Tensor:
        """Return P(bird | x) at lengths in cm: the sigmoid of the log odds."""
        return (self.square * lengths**2 + self.slope * lengths + self.constant).sigmoid()


def log_odds(birds: Bell, others: Bell, share: float) -> LogOdds:
    """Return what Bayes' rule makes of two bells, multiplied out.

    Raises SettingError if the share of the birds does not lie between 0 and 1, or a spread is not positive.
    """
    if not (0.0 < share < 1.0 and min(birds.spread, others.spread) > 0.0):
        raise SettingError(
            "the share must lie between 0 and 1 and each spread above 0, got"
            f" {share}, {birds.spread} and {others.spread}"
        )
    bird, other = birds.spread**-2, others.spread**-2
    return LogOdds(
        (other - bird) / 2.0,
        birds.mean * bird - others.mean * other,
        math.log(share / (1.0 - share))
        + math.log(others.spread / birds.spread)
        + (others.mean**2 * other - birds.mean**2 * bird) / 2.0,
    )


_FARTHEST, _HALVINGS = 60.0, 36
"""Within which a constant is looked for, and how often the interval is halved: to less than 1e-8."""

LOSSES = ("cross-entropy", "least squares")


def loss_of(name: str, logits: Tensor, is_bird: Tensor) -> Tensor:
    """Return the loss of each animal, of the shape of the logits; `name` is one of `LOSSES`."""
    labels = is_bird.to(logits.dtype).expand_as(logits)
    if name == LOSSES[0]:
        return F.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return (logits.sigmoid() - labels).square()


def pull(name: str, logits: Tensor) -> Tensor:
    """Return how hard a loss pulls at the logits of birds: the size of its derivative."""
    logits = logits.detach().requires_grad_()
    loss_of(name, logits, torch.tensor(True)).sum().backward()
    assert logits.grad is not None
    return logits.grad.abs()


class Descent(NamedTuple):
    """What a gradient descent of a loss comes to, step by step, the start included."""

    given: Tensor
    """Of shape (steps + 1,). Mean probability that is given to what the animals are."""
    right: Tensor
    """Of shape (steps + 1,). Share of the animals whose likelier class is theirs."""


def flying_sample(n: int, seed: int) -> Animals:
    """Return n animals that fly, drawn at random from the population."""
    rng = generator(seed)
    found: list[Animals] = []
    while sum(animals.lengths.numel() for animals in found) < n:
        drawn = draw_animals((4 * n,), rng)
        found.append(Animals(*(column[drawn.can_fly] for column in drawn)))
    return Animals(*(torch.cat(columns)[:n] for columns in zip(*found, strict=True)))


def descend(
    name: str, animals: Animals, start: float, steps: int = 300, rate: float = 1.0
) -> Descent:
    """Return a descent of the mean loss of a logistic regression on the length alone.

    Parameters
    ----------
    name : str, one of `LOSSES`
    animals : Animals of shape (n,)
    start : float
        The slope that it starts from. Below 0 it begins by taking long animals for no birds.
    """
    x, is_bird = animals.features[..., 1], animals.is_bird
    weights = torch.tensor([0.0, start], dtype=torch.float64)
    given, right = [], []
    for _ in range(steps + 1):
        weights = weights.detach().requires_grad_()
        logits = weights[0] + weights[1] * x
        p = logits.sigmoid().detach()
        given.append(torch.where(is_bird, p, 1.0 - p).mean())
        right.append(((p > 0.5) == is_bird).double().mean())
        (slope,) = torch.autograd.grad(loss_of(name, logits, is_bird).mean(), weights)
        weights = weights - rate * slope
    return Descent(torch.stack(given), torch.stack(right))


def slope_nats(animals: Animals, slopes: Tensor) -> Tensor:
    """Return minus the log-likelihood of each slope of a logistic regression on the length, in nats, (G,).

    To each slope belongs the constant with which the sample is likeliest. The derivative for the
    constant falls throughout, so halving an interval finds where it is 0.

    Parameters
    ----------
    animals : Animals of shape (n,)
    slopes : Tensor of shape (G,)
    """
    x, is_bird = animals.features[..., 1], animals.is_bird
    along = slopes[:, None] * x
    low, high = torch.full_like(slopes, -_FARTHEST), torch.full_like(slopes, _FARTHEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        is_too_low = (is_bird.double() - (middle[:, None] + along).sigmoid()).sum(-1) > 0.0
        low, high = torch.where(is_too_low, middle, low), torch.where(is_too_low, high, middle)
    return loss_of(LOSSES[0], low[:, None] + along, is_bird).sum(-1)


def prior_nats(slopes: Tensor, decay: float) -> Tensor:
    """Return ``-log N(w; 0, 1 / decay)`` of each slope, but for a constant: weight decay, in nats."""
    return decay / 2.0 * slopes.square()
