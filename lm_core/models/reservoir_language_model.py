"""A language model whose recurrent weights are never learned: a reservoir with a ridge read-out of the next symbol.

Least squares on one-hot targets estimates the probability of each symbol, linearly in the state. Such an
estimate may be negative: what lies below a floor is raised to it, then all are divided by their sum.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.reservoir import Reservoir, run_reservoir
from lm_core.models.ridge import Readout, RidgeSums


@dataclass(frozen=True)
class ReservoirLanguageModelConfig:
    """What a reservoir on symbols is."""

    units: int
    vocabulary_size: int
    floor: float = 1e-3
    """In (0, 1). Least estimate of a symbol's probability, before all are divided by their sum."""

    def __post_init__(self) -> None:
        if not 0.0 < self.floor < 1.0:
            raise SettingError(f"floor must lie in (0, 1), got {self.floor}")


class ReservoirLanguageModel(LanguageModel):
    """One-hot symbols -> reservoir -> ridge read-out. The state is ``(h,)`` of shape (B, N), float64.

    Parameters
    ----------
    reservoir : Reservoir, with V inputs
    readout : Readout, with V outputs
    """

    def __init__(self, reservoir: Reservoir, readout: Readout, floor: float = 1e-3) -> None:
        super().__init__()
        units, size = reservoir.weight_ih.shape
        if readout.weights.shape != (units, size):
            raise ShapeError(
                f"the read-out must have shape {(units, size)}, got {readout.weights.shape}"
            )
        self.config = ReservoirLanguageModelConfig(units, size, floor)
        self.reservoir, self.readout = reservoir, readout

    @property
    def parameter_count(self) -> int:
        """Number of learned numbers: those of the read-out."""
        return self.readout.weights.size + self.readout.constant.size

    def initial_state(self, batch: int) -> State:
        """Return zeros."""
        return (torch.zeros(batch, self.config.units, dtype=torch.float64),)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) symbols; return the logarithms of the probabilities, (B, T, V), and the state after them."""
        states = run_reservoir(self.reservoir, tokens.T.numpy(), state[0].numpy())  # (T, B, N)
        raised = np.maximum(self.readout(states), self.config.floor)
        shares = torch.from_numpy(raised / raised.sum(-1, keepdims=True))
        return shares.log().transpose(0, 1), (torch.from_numpy(states[-1].copy()),)


def gather_next_symbols(
    reservoir: Reservoir,
    symbols: np.ndarray,
    *,
    rows: int = 50,
    washout: int = 50,
    chunk: int = 200,
) -> RidgeSums:
    """Return what ridge regression needs to know to say each next symbol of a text.

    The text is cut into rows, which are read side by side.

    Parameters
    ----------
    reservoir : Reservoir, with V inputs
    symbols : int64 ndarray of shape (T,), at least `rows` times `washout` + 2
    washout : int, first symbols of each row that are read only
    chunk : int, steps whose states are kept at a time
    """
    units, size = reservoir.weight_ih.shape
    length = len(symbols) // rows
    if length < washout + 2:
        raise ShapeError(
            f"{rows} rows need at least {rows * (washout + 2)} symbols, got {len(symbols)}"
        )
    text = symbols[: rows * length].reshape(rows, length).T  # (length, rows)
    sums, one_hot, state = RidgeSums(units, size), np.eye(size), None
    for start in range(0, length - 1, chunk):
        stop = min(start + chunk, length - 1)
        states = run_reservoir(reservoir, text[start:stop], state)
        state, first = states[-1], max(0, washout - start)
        counted = states[first:].reshape(-1, units)
        sums.add(counted, one_hot[text[start + 1 : stop + 1][first:].ravel()])
    return sums
