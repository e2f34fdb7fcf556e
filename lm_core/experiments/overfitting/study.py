"""Training and validation by capacity, data and noise, with and without a remedy; and double descent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.overfitting.double_descent import COUNTS, draw_problem, errors_by_count
from lm_core.experiments.overfitting.training import (
    NetworkSettings,
    Training,
    score,
    train,
    validation_points,
)
from lm_core.results import Share
from lm_core.training.early_stopping import stop_early

UNITS, POINTS, LABEL_NOISE = "units", "points", "label_noise"
VALUES: dict[str, tuple[float, ...]] = {
    UNITS: (1, 2, 4, 8, 16, 32, 64),
    POINTS: (10, 20, 40, 80, 160, 320),
    LABEL_NOISE: (0.0, 0.05, 0.1, 0.2, 0.3, 0.4),
}
"""Fields of `NetworkSettings` that are varied, one at a time."""
NONE, DECAY, DROPOUT, EARLY = "None", "Weight decay", "Dropout", "Early stopping"
DECAY_RATE, DROPOUT_RATE = 0.01, 0.3
PATIENCE = 5
REMEDIES: dict[str, dict[str, Any]] = {
    NONE: {},
    DECAY: {"weight_decay": DECAY_RATE},
    DROPOUT: {"dropout": DROPOUT_RATE},
}
"""Trained; early stopping is the first of these, stopped."""
NETWORKS = 20
SEED = 100

NOISES = (0.0, 0.1, 0.3)
DECAYS = (0.0, 1e-4, 1e-2)
DRAWS = 40


class SweepPoint(NamedTuple):
    """Networks of one kind, at the end of their training; losses in nats."""

    varied: str  # one of `VALUES`
    value: float  # of that setting; all others are the first ones
    remedy: str
    training: float  # means over `NETWORKS` networks
    validation: float
    low: float  # quartiles of the validation losses
    high: float
    training_error: Share  # mean shares of points on the wrong side
    validation_error: Share


@dataclass(frozen=True)
class DescentCurve:
    """Errors by the number of features, over many draws of points and features."""

    noise: float
    weight_decay: float
    training: tuple[float, ...]
    new: tuple[float, ...]
    """`training` and `new`: medians, one for each of `COUNTS`."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """`low` and `high`: quartiles of the errors on new points."""


def sweep(networks: int = NETWORKS, steps: int | None = None) -> Iterator[SweepPoint]:
    """Train networks for every value of every setting, and yield what became of them."""
    for varied, values in VALUES.items():
        for value in values:
            for remedy, changes in REMEDIES.items():
                settings = _settings(varied, value, changes, networks, steps)
                yield from _points(varied, value, remedy, settings)


def _settings(
    varied: str, value: float, changes: dict[str, float], networks: int, steps: int | None
) -> NetworkSettings:
    first = NetworkSettings(seed=SEED, networks=networks)
    whole = value if varied == LABEL_NOISE else int(value)
    changed: dict = {varied: whole, **changes}
    return replace(first, steps=steps or first.steps, **changed)


def _points(
    varied: str, value: float, remedy: str, settings: NetworkSettings
) -> Iterator[SweepPoint]:
    found = train(settings)
    last = torch.full((settings.networks,), len(found.steps) - 1)
    chosen = {remedy: last}
    if remedy == NONE:
        chosen[EARLY] = _stopped(found)
    for name, ends in chosen.items():
        training, validation, training_error, validation_error = (
            scores.gather(0, ends[None])[0]
            for scores in (
                found.training.losses,
                found.validation.losses,
                found.training.errors,
                found.validation.errors,
            )
        )
        yield SweepPoint(
            varied,
            value,
            name,
            _mean(training),
            _mean(validation),
            *_quartiles(validation),
            _mean(training_error),
            _mean(validation_error),
        )


def _stopped(found: Training) -> Tensor:
    """Return at which evaluation each network is stopped, (R,): by points that are not scored."""
    other = validation_points(seed=SEED)
    losses = torch.stack([score(layers, other)[0] for layers in found.layers])
    return torch.tensor([stop_early(way, PATIENCE).best for way in losses.T.tolist()])


def descents(draws: int = DRAWS) -> Iterator[DescentCurve]:
    """Fit many draws with every number of features, and yield their errors by noise and weight decay."""
    for noise in NOISES:
        for weight_decay in DECAYS:
            found = [
                errors_by_count(draw_problem(SEED + draw, noise), weight_decay, COUNTS)
                for draw in range(draws)
            ]
            training = torch.tensor([errors.training for errors in found]).double()
            new = torch.tensor([errors.new for errors in found]).double()
            middle, low, high = (_rounded(new.quantile(share, 0)) for share in (0.5, 0.25, 0.75))
            yield DescentCurve(
                noise, weight_decay, _rounded(training.median(0).values), middle, low, high
            )


def _mean(numbers: Tensor) -> float:
    return round(float(numbers.mean()), 4)


def _quartiles(numbers: Tensor) -> tuple[float, float]:
    low, high = numbers.quantile(numbers.new_tensor([0.25, 0.75])).tolist()
    return round(low, 4), round(high, 4)


def _rounded(numbers: Tensor) -> tuple[float, ...]:
    return tuple(float(f"{number:.4g}") for number in numbers.tolist())
