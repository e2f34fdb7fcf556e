r"""Series to go on with, and how well a network does: forecasts from many starts, their error by horizon.

A network reads a series and learns to say the next value. Then it reads its own predictions.

Mackey-Glass:  dx/dt = 0.2 x(t - \tau) / (1 + x(t - \tau)^10) - 0.1 x,  \tau = 17, chaotic.
Sines:         sum_i sin(f_i t), the multiple superimposed oscillators (MSO).

References
----------
Mackey & Glass 1977, "Oscillation and chaos in physiological control systems".
Jaeger & Haas 2004, "Harnessing Nonlinearity: Predicting Chaotic Systems and Saving Energy in Wireless
Communication" (the error 84 steps ahead, NRMSE84, of tanh(x - 1)).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lm_core.errors import SettingError, require_at_least_1
from lm_core.models.reservoir import Reservoir, run_reservoir
from lm_core.models.ridge import Readout, ridge

MACKEY_GLASS, TWO_SINES, FIVE_SINES = "Mackey-Glass", "Two sines", "Five sines"
FREQUENCIES = (0.2, 0.311, 0.42, 0.51, 0.63)
"""Radians a step, of the multiple superimposed oscillators."""


# Series ---------------------------------------------------------------------------------------


def mackey_glass(
    steps: int, *, delay: int = 17, per_step: int = 10, start: float = 1.2, skipped: int = 500
) -> np.ndarray:
    """Integrate the Mackey-Glass equation and return x after each unit of time, (steps,).

    The method is Runge and Kutta's of fourth order. Half a step after a known place x(t - delay) is
    interpolated by a cubic polynomial with the values and slopes of both its ends. Raises
    SettingError if a setting is below 1.

    Parameters
    ----------
    delay : int, tau, at least 1; chaos begins near 16.8
    per_step : int, steps of integration in a unit of time
    start : float, x at all times before
    skipped : int, first units of time that are left out
    """
    require_at_least_1(steps=steps, delay=delay, per_step=per_step)
    h, lag = 1.0 / per_step, delay * per_step
    total = (skipped + steps) * per_step
    values, slopes = [start] * (lag + 1), [0.0] * (lag + 1)

    def slope(now: float, before: float) -> float:
        return 0.2 * before / (1.0 + before**10) - 0.1 * now

    slopes[-1] = slope(start, start)  # of what follows; before, x does not change
    for i in range(lag, lag + total):
        now, old, new = values[i], values[i - lag], values[i - lag + 1]
        middle = start
        if i >= 2 * lag:
            middle = (old + new) / 2 + h * (slopes[i - lag] - slopes[i - lag + 1]) / 8
        k1 = slope(now, old)
        k2 = slope(now + h * k1 / 2, middle)
        k3 = slope(now + h * k2 / 2, middle)
        k4 = slope(now + h * k3, new)
        values.append(now + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6)
        slopes.append(slope(values[-1], new))
    return np.array(values[lag + skipped * per_step + per_step :: per_step])


def sines(steps: int, frequencies: tuple[float, ...]) -> np.ndarray:
    """Return the mean of sines, (steps,), within -1 to 1."""
    times = np.arange(steps)[:, None]
    return np.sin(times * np.array(frequencies)).mean(1)


class SeriesTask(NamedTuple):
    """A series, and what of it is learned from."""

    name: str
    series: np.ndarray
    """Of shape (T,)."""
    washout: int
    """First steps, in which a reservoir forgets that it began at 0."""
    n_train: int
    """Steps after those, from which is learned."""
    starts: np.ndarray
    """Ndarray of int. After how many values each forecast begins."""
    horizon: int
    """Steps that are forecast."""

    @property
    def end(self) -> int:
        """Where the part that is learned from ends."""
        return self.washout + self.n_train

    @property
    def truths(self) -> np.ndarray:
        """What comes after each start, (starts, horizon)."""
        return self.series[self.starts[:, None] + np.arange(self.horizon)]


class _Lengths(NamedTuple):
    make: Callable[[int], np.ndarray]
    washout: int
    n_train: int
    n_starts: int
    apart: int
    horizon: int


_LENGTHS = {
    MACKEY_GLASS: _Lengths(lambda n: np.tanh(mackey_glass(n) - 1.0), 100, 2_000, 30, 40, 300),
    TWO_SINES: _Lengths(lambda n: sines(n, FREQUENCIES[:2]), 100, 300, 20, 25, 300),
    FIVE_SINES: _Lengths(lambda n: sines(n, FREQUENCIES), 100, 300, 20, 25, 300),
}
SERIES = tuple(_LENGTHS)


@lru_cache(maxsize=4)
def series_task(name: str) -> SeriesTask:
    """Return the task of that name; raises SettingError if there is none."""
    if name not in _LENGTHS:
        raise SettingError(f"name must be one of {', '.join(SERIES)}, got {name!r}")
    found = _LENGTHS[name]
    end = found.washout + found.n_train
    starts = end + found.apart * np.arange(found.n_starts)
    series = found.make(int(starts[-1]) + found.horizon)
    series.flags.writeable = False
    return SeriesTask(name, series, found.washout, found.n_train, starts, found.horizon)


def shortened(task: SeriesTask, share: float = 0.8) -> SeriesTask:
    """Return the task within its own training part: settings are chosen there, nothing else is seen."""
    n_train = int(share * task.n_train)
    end = task.washout + n_train
    horizon = min(100, task.end - end - 1)
    starts = np.linspace(end, task.end - horizon, 10).astype(int)
    return SeriesTask(task.name, task.series[: task.end], task.washout, n_train, starts, horizon)


# Forecasts ------------------------------------------------------------------------------------


class Forecasts(NamedTuple):
    """What a network says, and how wrong it is."""

    values: np.ndarray
    """Of shape (starts, horizon)."""
    errors: np.ndarray
    """Of shape (horizon,). NRMSE by horizon: root of the mean squared error over all starts,
    divided by the series' standard deviation. Saying the mean has an error of about 1."""

    def steps_below(self, error: float) -> int:
        """Return after how many steps the error is above a bound for the first time."""
        above = np.flatnonzero(~(self.errors <= error))
        return int(above[0]) if len(above) else len(self.errors)


def score_forecasts(task: SeriesTask, values: np.ndarray) -> Forecasts:
    """Compare forecasts, (starts, horizon), with what came."""
    # A forecast that leaves all bounds is as wrong as one at 10 standard deviations.
    bound = 10.0 * float(task.series.std())
    wrong = np.clip(np.nan_to_num(values - task.truths, nan=bound), -bound, bound)
    return Forecasts(values, np.sqrt((wrong**2).mean(0)) / task.series.std())


def forecast(
    reservoir: Reservoir, readout: Readout, states: np.ndarray, horizon: int
) -> np.ndarray:
    """Let a reservoir read its own predictions, from several states side by side.

    The result: ndarray of shape (B, horizon).

    Parameters
    ----------
    reservoir : Reservoir, with one input
    readout : Readout, of the next value
    states : ndarray of shape (B, N)
    """
    said = [readout(states)]  # (B, 1)
    for _ in range(horizon - 1):
        states = run_reservoir(reservoir, said[-1][None], states)[0]
        said.append(readout(states))
    return np.concatenate(said, 1)


def states_of(reservoir: Reservoir, task: SeriesTask) -> np.ndarray:
    """Return the states while the true series is read up to the last start, (last start, N)."""
    return run_reservoir(reservoir, task.series[: task.starts[-1], None])


def learn_series(states: np.ndarray, task: SeriesTask, penalty: float) -> Readout:
    """Learn to read the next value out of each state of the training part."""
    targets = task.series[task.washout + 1 : task.end, None]
    return ridge(states[task.washout : task.end - 1], targets, penalty)


def study_series(reservoir: Reservoir, task: SeriesTask, penalty: float) -> Forecasts:
    """Learn a read-out of the next value, and forecast from every start."""
    states = states_of(reservoir, task)
    readout = learn_series(states, task, penalty)
    return score_forecasts(
        task, forecast(reservoir, readout, states[task.starts - 1], task.horizon)
    )
