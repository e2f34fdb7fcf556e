"""What a page reads off measured points: means with their spread, and how many labels an accuracy takes."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lm_core.experiments.fine_tuning.results import FineTuningResults
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint


class Measured(NamedTuple):
    """Something measured with several seeds."""

    at: float
    """Number of labelled examples, or the weight of the language loss."""
    mean: float
    low: float
    high: float
    """`mean`, `low` and `high`: mean, lowest and highest over the seeds."""


def measured_at(values: Mapping[float, Sequence[float]]) -> list[Measured]:
    """Return means and spreads by rising number, from the values of all seeds at each."""
    return [
        Measured(at, sum(found) / len(found), min(found), max(found))
        for at, found in sorted(values.items())
    ]


def accuracy_curve(results: FineTuningResults, task: str, method: str) -> list[Measured]:
    """Return the test accuracy of a method by number of labelled examples."""
    found = results.accuracies(task, method)
    return measured_at({float(n): accuracies for n, accuracies in found.items()})


def masked_loss_curve(results: FineTuningResults, task: str, method: str) -> list[Measured]:
    """Return what a method's encoders need to fill gaps of the book, in nats per masked subword."""
    points = (p for p in results.points if (p.task, p.method) == (task, method))
    return measured_at(_by(points, lambda p: p.n_labelled, lambda p: p.masked_loss))


def auxiliary_curve(
    results: FineTuningResults, n_labelled: int, of: Callable[[AuxiliaryPoint], float]
) -> list[Measured]:
    """Return one of the three quantities of GPT's recipe by the weight of the language loss."""
    points = (p for p in results.auxiliary if p.n_labelled == n_labelled)
    return measured_at(_by(points, lambda p: p.weight, of))


def _by(
    points: Iterable[Any], key: Callable[[Any], float], of: Callable[[Any], float]
) -> dict[float, list[float]]:
    found: dict[float, list[float]] = {}
    for point in points:
        found.setdefault(key(point), []).append(of(point))
    return found


def value_at(curve: Sequence[Measured], at: float) -> float | None:
    """Return the mean at one of the curve's numbers; None where nothing was measured."""
    return next((point.mean for point in curve if point.at == at), None)


def labels_needed(curve: Sequence[Measured], accuracy: float) -> float:
    """Return the number of labelled examples from which on a curve has an accuracy.

    Between two measured numbers the mean is a straight line over the logarithm of the number. It is the
    smallest measured number if the accuracy is reached there already, and infinite if it never is.

    Examples
    --------
    >>> curve = [Measured(10, 0.2, 0.2, 0.2), Measured(1000, 0.6, 0.6, 0.6)]
    >>> labels_needed(curve, 0.1), round(labels_needed(curve, 0.4)), labels_needed(curve, 0.7)
    (10, 100, inf)
    """
    if curve[0].mean >= accuracy:
        return curve[0].at
    for before, after in itertools.pairwise(curve):
        if after.mean >= accuracy:
            share = (accuracy - before.mean) / (after.mean - before.mean)
            return before.at * (after.at / before.at) ** share
    return math.inf
