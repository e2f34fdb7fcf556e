r"""Memory capacity: how many past inputs can be read out of a state.

    MC = sum_k MC_k,    MC_k = r^2(u(t - k), y_k(t))

u is random, and y_k the linear read-out that says u(t - k) best. For independent inputs no network of N
units has more than N (Jaeger's Proposition 2).

References
----------
Jaeger 2001, "Short term memory in echo state networks".
Ballarin, Grigoryeva & Ortega 2023, "Memory of recurrent networks: Do we compute it right?",
https://arxiv.org/abs/2305.01457 (why numerical estimates miss the linear theory).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view

from lm_core.models.reservoir import Reservoir, run_reservoir
from lm_core.models.ridge import ridge
from lm_core.rng import generator

REACH = 0.8
"""Inputs are uniform in -0.8 to 0.8, as in reservoirpy."""
DELAYS = 200
WASHOUT, N_TRAIN, N_TEST = 200, 2_000, 1_000


class MemoryTask(NamedTuple):
    """Random inputs, and what of them is learned from."""

    inputs: np.ndarray
    """Of shape (T,)."""
    delays: int
    """The longest that is asked for."""
    start: int
    """First step that is learned from: at least `delays`."""
    n_train: int
    """Steps that are learned from; those after them are scored."""

    @property
    def end(self) -> int:
        """Where the part that is learned from ends."""
        return self.start + self.n_train

    @property
    def targets(self) -> np.ndarray:
        """u(t - k) for k = 1 to `delays`, from `start` on: (T - start, delays), a view."""
        # Row i holds steps i to i + delays - 1.
        windows = sliding_window_view(self.inputs, self.delays)
        return windows[self.start - self.delays : -1, ::-1]


@lru_cache(maxsize=4)
def memory_task(seed: int = 0, delays: int = DELAYS) -> MemoryTask:
    """Return random inputs, the same for all networks."""
    steps = max(WASHOUT, delays) + N_TRAIN + N_TEST
    drawn = 2.0 * torch.rand(steps, generator=generator(seed), dtype=torch.float64) - 1.0
    inputs = REACH * drawn.numpy()
    inputs.flags.writeable = False
    return MemoryTask(inputs, delays, max(WASHOUT, delays), N_TRAIN)


def squared_correlations(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return r^2 of each column of two arrays (T, K): 0 where one of them never changes."""
    a, b = outputs - outputs.mean(0), targets - targets.mean(0)
    both = (a * b).sum(0) ** 2
    each = (a * a).sum(0) * (b * b).sum(0)
    return np.divide(both, each, out=np.zeros_like(both), where=each > 1e-30)


def recall_by_delay(states: np.ndarray, task: MemoryTask, penalty: float) -> np.ndarray:
    """Learn to read every delay out of states (T, N), and return r^2 on later steps, (delays,)."""
    targets = task.targets
    readout = ridge(states[task.start : task.end], targets[: task.n_train], penalty)
    return squared_correlations(readout(states[task.end :]), targets[task.n_train :])


def memory_capacity(reservoir: Reservoir, task: MemoryTask, penalty: float) -> np.ndarray:
    """Return MC_k of a reservoir for k = 1 to the task's delays; their sum is its memory capacity.

    Parameters
    ----------
    reservoir : Reservoir, with one input
    penalty : float, of ridge regression
    """
    return recall_by_delay(run_reservoir(reservoir, task.inputs[:, None]), task, penalty)


def linear_memory(reservoir: Reservoir, delays: int, *, reach: int = 2_000) -> np.ndarray:
    """Return MC_k of a linear reservoir by theory, for k = 0 to `delays`, without any input.

    A state is the sum of A^k b u(t - k), where A is the linearised step and b what an input adds. The
    best read-out of u(t - k) then has r^2 = (A^k b)' P^-1 (A^k b), P being the sum of all (A^k b)(A^k b)'.

    Parameters
    ----------
    reservoir : Reservoir, taken as linear; its spectral radius, with the leak, below 1
    reach : int, steps after which an input is taken as forgotten
    """
    step, vector = reservoir.linearised, reservoir.leak * reservoir.weight_ih[:, 0]
    responses = []
    for _ in range(reach):
        responses.append(vector)
        vector = step @ vector
    # P^-1 by singular values: those that are lost in rounding hold nothing that could be read out.
    _, sizes, rows = np.linalg.svd(np.stack(responses, 1), full_matrices=False)
    kept = rows[sizes > sizes[0] * reach * np.finfo(float).eps]
    return (kept**2).sum(0)[: delays + 1]
