"""Four tasks, and what many reservoirs make of each by their spectral radius."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.series import FIVE_SINES, MACKEY_GLASS
from lm_core.experiments.reservoir_computing.study import HORIZON, LETTERS, MEMORY
from lm_core.models.reservoir import SPARSE

_LETTER_SCALE = 1.0


class _Measure(NamedTuple):
    """How a task's score is drawn."""

    title: str
    short: str
    domain: tuple[float, float]
    is_logarithmic: bool
    is_higher_better: bool
    ticks: tuple[float, ...] = ()


_OF_SERIES = _Measure(
    f"error {HORIZON} steps ahead", "NRMSE", (1e-3, 10.0), True, False, (1e-3, 1e-2, 0.1, 1.0, 10.0)
)
MEASURES = {
    MEMORY: _Measure(
        "inputs recalled", "capacity", (0.0, 100.0), False, True, (0.0, 25.0, 50.0, 75.0, 100.0)
    ),
    MACKEY_GLASS: _OF_SERIES,
    FIVE_SINES: _OF_SERIES,
    LETTERS: _Measure(
        "nats per character", "loss", (1.0, 3.0), False, False, (1.0, 1.5, 2.0, 2.5, 3.0)
    ),
}


def _scale_of(task: str, scale: float) -> float:
    """Return the input scale at which a task was measured: letters have one only."""
    return _LETTER_SCALE if task == LETTERS else scale


@st.cache_resource(max_entries=32, show_spinner=False)
def quartiles_of(
    _results: ReservoirResults, task: str, kind: str, scale: float
) -> dict[float, np.ndarray]:
    """Return the quartiles of a task by the spectral radius."""
    return _results.quartiles(task, kind, _scale_of(task, scale))


def best_radius(results: ReservoirResults, task: str, scale: float) -> float:
    """Return the radius at which sparse reservoirs have the best median."""
    found = quartiles_of(results, task, SPARSE, scale)
    pick = max if MEASURES[task].is_higher_better else min
    return pick(found, key=lambda radius: float(found[radius][1]))
