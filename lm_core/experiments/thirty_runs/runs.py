"""One run of an experiment by its number, and what many runs say together.

A run is computed from its number alone, so that each phone of a class can make one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch

from lm_core.clustering import k_means
from lm_core.clustering.datasets import DATA_SETS
from lm_core.clustering.initialisation import initial_centres
from lm_core.errors import require_at_least_1
from lm_core.experiments.estimation.experiment import EstimationSettings, Method, run_experiment
from lm_core.experiments.estimation.population import population
from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.experiments.perceptron.training import NetworkSettings, train
from lm_core.rng import generator

LENGTH_CM = 12.0
"""The animal that is asked about can fly, and has this length."""
POINTS = 100


def estimate_of_sample(method: Method, animals: int, number: int) -> float:
    """Return what a method makes of a sample: P(bird | can fly, `LENGTH_CM`)."""
    settings = EstimationSettings(method, animals, seed=number, others=0)
    return float(run_experiment(settings).curves[0, 1, _cell()])


def true_probability_of_bird() -> float:
    """Return what `estimate_of_sample` estimates."""
    return float(population().truth[1, _cell()])


def _cell() -> int:
    return int((population().lengths.log() - math.log(LENGTH_CM)).abs().argmin())


def failures_of_starts(units: int, starts: int) -> list[float]:
    """Return 1.0 for each network of tanh units that does not learn XOR from its start, else 0.0.

    All are trained side by side, which takes as long as one.
    """
    training = train(TASKS[XOR], NetworkSettings((units,), networks=starts))
    return (training.n_right[-1] < len(TASKS[XOR].targets)).double().tolist()


def inertia_of_start(data: str, clusters: int, number: int) -> float:
    """Return the inertia at which k-means ends on a data set's `POINTS` points from random points of it."""
    points = DATA_SETS[data](POINTS, generator(0)).points
    return k_means.fit(
        points, initial_centres(points, clusters, "random points", 0, number + 1)
    ).inertia


class RunningMean(NamedTuple):
    """The mean of the first runs, and how sure it is."""

    mean: float
    low: float
    """`low` and `high`: two standard errors from it; the mean itself for one run."""
    high: float


def running_means(values: Sequence[float]) -> list[RunningMean]:
    """Return the mean of the first run, of the first two, and so on.

    The standard error is that of the sample, ``s / sqrt(n)``, with ``n - 1`` in the variance.
    """
    given = torch.tensor(list(values), dtype=torch.float64)
    found = []
    for n in range(1, len(given) + 1):
        mean = float(given[:n].mean())
        error = float(given[:n].std()) / math.sqrt(n) if n > 1 else 0.0
        found.append(RunningMean(mean, mean - 2.0 * error, mean + 2.0 * error))
    return found


def running_lowest(values: Sequence[float]) -> list[float]:
    """Return the lowest of the first run, of the first two, and so on."""
    return [min(values[:n]) for n in range(1, len(values) + 1)]


def standard_deviation(values: Sequence[float]) -> float:
    """Return how far a typical run lies from the mean of all, with ``n - 1`` in the variance."""
    require_at_least_1(runs=len(values) - 1)
    return float(torch.tensor(list(values), dtype=torch.float64).std())


def reaches_lowest(values: Sequence[float]) -> list[bool]:
    """Return which runs came as low as any, to four digits."""
    lowest = min(values)
    return [math.isclose(value, lowest, rel_tol=5e-4) for value in values]
