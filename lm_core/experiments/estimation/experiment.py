"""The same estimate from many samples: what one class finds, and what other classes would have found.

How good an estimate is, its likelihood tells: the product of the probabilities that it gives to what each
animal turned out to be. The cross-entropy is the same number: ``-log(likelihood) / n``. On the whole
population, which is known here, it is an integral (`population.Population.cross_entropy`).
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.estimation.models import LogisticRegression, Model, SmallNetwork, fit
from lm_core.experiments.estimation.population import (
    Animals,
    Population,
    draw_animals,
    features_of,
    population,
)
from lm_core.rng import generator


class Method(StrEnum):
    """How P(bird | x) is estimated."""

    COUNTING = "counting"
    LOGISTIC = "logistic regression"
    NETWORK = "small network"


@dataclass(frozen=True)
class EstimationSettings:
    """All that an experiment depends on."""

    method: Method
    n: int
    """Animals in a sample."""
    seed: int = 0
    """Of the samples; the first is the same however many others there are."""
    others: int = 20
    """Further samples of the same size."""
    intervals: int = 8
    """Into which counting divides the lengths, evenly in their logarithm."""
    hidden: int = 4
    """Hidden units of the network."""
    decay: float = 0.1
    """Strength of the prior on the weights of the two models."""

    def __post_init__(self) -> None:
        if min(self.n, self.intervals, self.hidden) < 1 or self.others < 0:
            raise SettingError(
                "n, intervals and hidden must be at least 1 and others at least 0, got "
                f"{self.n}, {self.intervals}, {self.hidden} and {self.others}"
            )


class Likelihood(NamedTuple):
    """What an estimate makes of a sample."""

    given: Tensor
    """Of shape (n,). The probability that each animal is what it is: f(x) of a bird, 1 - f(x) of
    another."""

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


class Experiment(NamedTuple):
    """What came of it; R samples, the class's own first, G cells of the population's grid."""

    animals: Animals
    """Of shape (n,). The class's own sample."""
    curves: Tensor
    """Of shape (R, 2, G). Each sample's estimate of P(bird | x), NaN where it has none."""
    fitted: Tensor
    """Of shape (n,). The first estimate for each animal of its own sample."""

    @property
    def likelihood(self) -> Likelihood:
        """Of the class's own sample under its own estimate."""
        return likelihood(self.fitted, self.animals.is_bird)


class Errors(NamedTuple):
    """How far estimates lie from the truth, as root mean squares over the population."""

    spread: float
    """Of single estimates about their mean: what another sample changes."""
    bias: float
    """Of their mean about the truth: what no number of samples mends."""


def run_experiment(settings: EstimationSettings) -> Experiment:
    """Draw the samples, and estimate P(bird | x) from each."""
    samples, own = _samples(settings), slice(0, 1)
    grid = population()
    match settings.method:
        case Method.COUNTING:
            curves = count(samples, grid, settings.intervals)
            cells = _cell_of(samples.lengths[0], grid)
            fitted = curves[0, samples.can_fly[0].long(), cells]
        case Method.LOGISTIC | Method.NETWORK:
            is_network = settings.method is Method.NETWORK
            model: Model = SmallNetwork(settings.hidden) if is_network else LogisticRegression()
            weights = fit(model, samples, generator(settings.seed), decay=settings.decay)
            places = features_of(grid.can_fly, grid.lengths.expand(2, -1)).flatten(0, 1)
            logits = model.logits(weights, places.expand(weights.shape[0], -1, -1))
            curves = logits.sigmoid().unflatten(1, (2, -1))
            fitted = model.logits(weights[own], samples.features[own])[0].sigmoid()
    return Experiment(Animals(*(part[0] for part in samples)), curves, fitted)


def count(samples: Animals, grid: Population, intervals: int) -> Tensor:
    """Return the share of birds among the animals alike, (R, 2, G); NaN where there are none.

    Alike are animals that both can or both cannot fly, and whose lengths lie in the same interval.
    """
    cells = grid.lengths.shape[0]
    interval = torch.arange(cells) * intervals // cells  # of each cell of the grid
    shape = (samples.lengths.shape[0], 2, intervals)
    row = torch.arange(shape[0])[:, None].expand_as(samples.lengths)
    place = (row, samples.can_fly.long(), interval[_cell_of(samples.lengths, grid)])
    one = torch.ones_like(samples.lengths)
    animals = torch.zeros(shape, dtype=torch.float64).index_put(place, one, accumulate=True)
    birds = torch.zeros(shape, dtype=torch.float64).index_put(
        place, samples.is_bird.to(torch.float64), accumulate=True
    )
    return (birds / animals)[:, :, interval]


def errors(experiment: Experiment, grid: Population) -> Errors:
    """Return spread and bias of an experiment's estimates, of which it needs at least two.

    Where some samples have no estimate, the others count; where all have none, nothing does.
    """
    present = ~experiment.curves.isnan()
    n = present.sum(0)
    values = experiment.curves.nan_to_num()
    mean = values.sum(0) / n
    deviations = torch.where(present, values - mean, 0.0).square().sum(0) / (n - 1)
    usable = n > 1
    mass = torch.where(usable, grid.mass, 0.0)
    mass = mass / mass.sum()
    spread = (mass * torch.where(usable, deviations, 0.0)).sum().sqrt()
    bias = (mass * torch.where(usable, mean - grid.truth, 0.0).square()).sum().sqrt()
    return Errors(float(spread), float(bias))


def _samples(settings: EstimationSettings) -> Animals:
    rng = generator(settings.seed)
    own = draw_animals((1, settings.n), rng)
    if not settings.others:
        return own
    others = draw_animals((settings.others, settings.n), rng)
    return Animals(*(torch.cat(parts) for parts in zip(own, others, strict=True)))


def _cell_of(lengths: Tensor, grid: Population) -> Tensor:
    """Return the number of the grid's cell that each length lies in; beyond its ends, the last."""
    middles = (grid.lengths[1:] * grid.lengths[:-1]).sqrt()
    return torch.bucketize(lengths, middles)
