"""Four tasks against the spectral radius: where 1 is best, and where not, over kinds, input scales and seeds."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lm_core.experiments.reservoir_computing.letters import (
    N_SCORED,
    learn_letters,
    letter_draws,
    letter_settings,
    loss_on_letters,
)
from lm_core.experiments.reservoir_computing.memory import memory_capacity, memory_task
from lm_core.experiments.reservoir_computing.series import (
    FIVE_SINES,
    MACKEY_GLASS,
    TWO_SINES,
    series_task,
    study_series,
)
from lm_core.models.reservoir import KINDS, ReservoirSettings, draw_reservoir, scale_reservoir
from lm_core.rng import generator

UNITS, DENSITY = 100, 0.1
RADII = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3, 1.5)
SCALES = (0.01, 0.1, 1.0)
SEEDS, LETTER_SEEDS = 10, 2
HORIZON = 84
"""Steps ahead at which series are scored, as published."""

MEMORY, LETTERS = "Memory", "Next character"
TASKS = (MEMORY, MACKEY_GLASS, FIVE_SINES, LETTERS)


class Chosen(NamedTuple):
    """What of a task is the same at every spectral radius, chosen on its training part alone."""

    leak: float
    input_scale: float
    penalty: float


CHOSEN = {
    MEMORY: Chosen(1.0, 0.01, 1e-8),
    MACKEY_GLASS: Chosen(0.3, 1.0, 1e-10),
    TWO_SINES: Chosen(0.6, 0.1, 1e-10),
    FIVE_SINES: Chosen(0.6, 0.1, 1e-10),
    LETTERS: Chosen(1.0, 1.0, 1.0),
}


class GridPoint(NamedTuple):
    """One reservoir on one task."""

    task: str
    kind: str
    input_scale: float
    radius: float
    seed: int
    score: float  # memory capacity, NRMSE 84 steps ahead, or nats per character


def score(task: str, kind: str, input_scale: float, radius: float, seed: int) -> float:
    """Return the score of a reservoir of 100 units on a task with inputs in numbers."""
    chosen = CHOSEN[task]
    draws = draw_reservoir(UNITS, 1, DENSITY, generator(seed), kind)
    reservoir = scale_reservoir(draws, ReservoirSettings(radius, chosen.leak, input_scale))
    if task == MEMORY:
        return float(memory_capacity(reservoir, memory_task(), chosen.penalty).sum())
    return float(study_series(reservoir, series_task(task), chosen.penalty).errors[HORIZON - 1])


def study_grid(seeds: int = SEEDS) -> Iterator[GridPoint]:
    """Score every combination on the tasks with inputs in numbers."""
    for task in (MEMORY, MACKEY_GLASS, FIVE_SINES):
        for kind in KINDS:
            for scale in SCALES:
                for radius in RADII:
                    for seed in range(1, seeds + 1):
                        found = score(task, kind, scale, radius, seed)
                        yield GridPoint(task, kind, scale, radius, seed, round(found, 5))


def study_letters(
    train: np.ndarray, validation: np.ndarray, seeds: int = LETTER_SEEDS
) -> Iterator[GridPoint]:
    """Score reservoirs of 256 units on the next character, with the same input scale."""
    for kind in KINDS:
        for seed in range(1, seeds + 1):
            draws = letter_draws(seed, kind)
            for radius in RADII:
                found = loss_on_letters(learn_letters(draws, radius, train), validation[:N_SCORED])
                scale = letter_settings(radius).input_scale
                yield GridPoint(LETTERS, kind, scale, radius, seed, round(found, 4))
