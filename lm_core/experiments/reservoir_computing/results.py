"""What was measured: trained networks on every task, the grid over the spectral radius, read-outs of letters."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.experiments.reservoir_computing.letters import FLOOR, letter_settings
from lm_core.experiments.reservoir_computing.series import Forecasts
from lm_core.experiments.reservoir_computing.study import GridPoint
from lm_core.models.reservoir import ReservoirDraws, scale_reservoir
from lm_core.models.reservoir_language_model import ReservoirLanguageModel
from lm_core.models.ridge import Readout
from lm_core.results import Results, load_with_weights, results_path, save_with_weights

EXPERIMENT = "reservoir-computing"
SHIPPED = results_path(EXPERIMENT)


class LearnedSeries(NamedTuple):
    """A trained network on a series.

    Attributes
    ----------
    task : str
    seed : int
    seconds : float
        Of the processor, for its training.
    losses : list of float
        Mean squared error, of ten equal parts of the training.
    eigenvalues : list of pairs of float
        Of its recurrent matrix after training.
    own, solved : list of float
        NRMSE by horizon, with the learned read-out and with one by ridge regression.
    own_forecast, solved_forecast : list of float
        From the first start.
    """

    task: str
    seed: int
    seconds: float
    losses: list[float]
    eigenvalues: list[list[float]]
    own: list[float]
    solved: list[float]
    own_forecast: list[float]
    solved_forecast: list[float]

    def forecasts(self, *, solved: bool) -> Forecasts:
        """Return its first forecast and its errors, as a reservoir's."""
        values, errors = (
            (self.solved_forecast, self.solved) if solved else (self.own_forecast, self.own)
        )
        return Forecasts(np.array([values]), np.array(errors))


class LearnedMemory(NamedTuple):
    """A trained network on memory; `own` and `solved` are r^2 by delay."""

    seed: int
    seconds: float
    losses: list[float]
    eigenvalues: list[list[float]]
    own: list[float]
    solved: list[float]


class LetterScore(NamedTuple):
    """A reservoir on letters: its loss in nats per character, and what its closed form took."""

    radius: float
    loss: float
    seconds: float


@dataclass(frozen=True)
class ReservoirResults:
    """All of it.

    Attributes
    ----------
    provenance : dict
    series : tuple of LearnedSeries
    memory : tuple of LearnedMemory
    grid : tuple of GridPoint
    letters : tuple of LetterScore
        Of the shipped read-outs, by rising radius.
    rnn_loss : float
        Of the trained network on the same characters.
    draws : ReservoirDraws
        Of the reservoir on letters.
    readouts : dict of float to Readout
        By spectral radius.
    """

    provenance: dict[str, Any]
    series: tuple[LearnedSeries, ...]
    memory: tuple[LearnedMemory, ...]
    grid: tuple[GridPoint, ...]
    letters: tuple[LetterScore, ...]
    rnn_loss: float
    draws: ReservoirDraws
    readouts: dict[float, Readout]

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

        Raises
        ------
        ResultError
            If that was not measured.
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
        return ReservoirLanguageModel(reservoir, self.readouts[radius], FLOOR)


def save_results(path: Path, results: ReservoirResults) -> None:
    """Write the record, and the weights beside it in float32."""
    data = {
        "rnn_loss": results.rnn_loss,
        "letters": [list(row) for row in results.letters],
        "memory": [list(row) for row in results.memory],
        "series": [list(row) for row in results.series],
        "grid": [list(row) for row in results.grid],
    }
    arrays = {
        "recurrent": results.draws.recurrent,
        "inputs": results.draws.inputs,
        "bias": results.draws.bias,
        "eigenvalues": np.stack([results.draws.eigenvalues.real, results.draws.eigenvalues.imag]),
    }
    for radius, readout in results.readouts.items():
        arrays[_name(radius)] = np.vstack([readout.weights, readout.constant])
    stored = {name: _stored(array, name) for name, array in arrays.items()}
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def load_results(path: Path = SHIPPED) -> ReservoirResults:
    """Read what was measured.

    Raises
    ------
    ResultError
        If a file is missing, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        arrays = {name: tensor.double().numpy() for name, tensor in stored.items()}
        letters = tuple(LetterScore(*row) for row in results.data["letters"])
        real, imaginary = arrays["eigenvalues"]
        return ReservoirResults(
            results.provenance,
            tuple(LearnedSeries(*row) for row in results.data["series"]),
            tuple(LearnedMemory(*row) for row in results.data["memory"]),
            tuple(GridPoint(*row) for row in results.data["grid"]),
            letters,
            float(results.data["rnn_loss"]),
            ReservoirDraws(
                arrays["recurrent"], arrays["inputs"], arrays["bias"], real + 1j * imaginary
            ),
            {
                row.radius: Readout(arrays[_name(row.radius)][:-1], arrays[_name(row.radius)][-1])
                for row in letters
            },
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ResultError(
            f"{path.name} must hold scores and read-outs: {error!r}; python -m lm_core experiment"
            f" {EXPERIMENT} makes it"
        ) from error


def _name(radius: float) -> str:
    return f"readout.{radius:g}"


def _stored(array: np.ndarray, name: str) -> Tensor:
    """Return an array in float32; the eigenvalues, from which W is scaled, in float64."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor if name == "eigenvalues" else tensor.float()
