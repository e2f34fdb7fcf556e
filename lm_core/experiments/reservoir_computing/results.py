"""What was measured: trained networks on every task, the grid over the spectral radius, read-outs of letters."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lm_core.errors import ResultError
from lm_core.experiments.reservoir_computing.letters import FLOOR, letter_settings
from lm_core.experiments.reservoir_computing.series import Forecasts
from lm_core.experiments.reservoir_computing.study import GridPoint
from lm_core.models.reservoir import ReservoirDraws, scale_reservoir
from lm_core.models.reservoir_language_model import ReservoirLanguageModel
from lm_core.models.ridge import Readout
from lm_core.results import NonNegative, Recorded, StoredArray


class LearnedSeries(NamedTuple):
    """A trained network on a series."""

    task: str
    seed: int
    seconds: NonNegative  # of the processor, for its training
    losses: tuple[float, ...]  # mean squared error, of ten equal parts of the training
    eigenvalues: tuple[tuple[float, float], ...]  # of its recurrent matrix after training
    own: tuple[float, ...]  # NRMSE by horizon, with the learned read-out ...
    solved: tuple[float, ...]  # ... and with one by ridge regression
    own_forecast: tuple[float, ...]  # from the first start
    solved_forecast: tuple[float, ...]

    def forecasts(self, *, solved: bool) -> Forecasts:
        """Return its first forecast and its errors, as a reservoir's."""
        values, errors = (
            (self.solved_forecast, self.solved) if solved else (self.own_forecast, self.own)
        )
        return Forecasts(np.array([values]), np.array(errors))


class LearnedMemory(NamedTuple):
    """A trained network on memory; `own` and `solved` are r^2 by delay."""

    seed: int
    seconds: NonNegative
    losses: tuple[float, ...]
    eigenvalues: tuple[tuple[float, float], ...]
    own: tuple[float, ...]
    solved: tuple[float, ...]


class LetterScore(NamedTuple):
    """A reservoir on letters."""

    radius: NonNegative
    loss: NonNegative  # nats per character
    seconds: NonNegative  # that its closed form took


@dataclass(frozen=True)
class StoredDraws:
    """A reservoir's draws in float32, except for the eigenvalues, by which W is scaled."""

    recurrent: StoredArray
    inputs: StoredArray
    bias: StoredArray
    eigenvalues: StoredArray  # real and imaginary parts, (2, N)

    @classmethod
    def of(cls, draws: ReservoirDraws) -> "StoredDraws":
        """Return draws as they are stored."""
        halves = np.stack([draws.eigenvalues.real, draws.eigenvalues.imag])
        recurrent, inputs, bias = (each.astype(np.float32) for each in draws[:3])
        return cls(recurrent, inputs, bias, halves)

    def read(self) -> ReservoirDraws:
        """Return the draws."""
        real, imaginary = self.eigenvalues
        arrays = (self.recurrent, self.inputs, self.bias)
        recurrent, inputs, bias = (each.astype(float) for each in arrays)
        return ReservoirDraws(recurrent, inputs, bias, real + 1j * imaginary)


@dataclass(frozen=True)
class ReservoirResults(Recorded, name="reservoir-computing"):
    """All of it."""

    series: tuple[LearnedSeries, ...]
    memory: tuple[LearnedMemory, ...]
    grid: tuple[GridPoint, ...]
    letters: tuple[LetterScore, ...]  # of the shipped read-outs, by rising radius
    rnn_loss: NonNegative  # of the trained network on the same characters
    reservoir: StoredDraws  # of the reservoir on letters
    readouts: dict[float, StoredArray]
    """By spectral radius: weights, and the constant as a last row."""

    @cached_property
    def draws(self) -> ReservoirDraws:
        """Of the reservoir on letters."""
        return self.reservoir.read()

    def on_series(self, task: str) -> list[LearnedSeries]:
        """Return the trained networks of a series, one for each seed."""
        return [learned for learned in self.series if learned.task == task]

    @cached_property
    def _scores(self) -> dict[tuple[str, str, float], dict[float, list[float]]]:
        found: dict[tuple[str, str, float], dict[float, list[float]]] = {}
        for p in self.grid:
            by_radius = found.setdefault((p.task, p.kind, p.input_scale), {})
            by_radius.setdefault(p.radius, []).append(p.score)
        return found

    def quartiles(self, task: str, kind: str, input_scale: float) -> dict[float, np.ndarray]:
        """Return the scores on the grid by radius: first quartile, median and third over seeds, (3,).

        Raises ResultError if that was not measured.
        """
        asked = (task, kind, input_scale)
        if asked not in self._scores:
            raise ResultError(f"the grid must hold {asked}")
        return {
            r: np.quantile(scores, (0.25, 0.5, 0.75)) for r, scores in self._scores[asked].items()
        }

    def letter_model(self, radius: float) -> ReservoirLanguageModel:
        """Return the reservoir that says the next character."""
        reservoir = scale_reservoir(self.draws, letter_settings(radius))
        rows = self.readouts[radius].astype(float)
        return ReservoirLanguageModel(reservoir, Readout(rows[:-1], rows[-1]), FLOOR)
