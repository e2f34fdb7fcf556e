"""Every unit of an LSTM language model while it reads, and what follows when one of them is clamped.

The units are numbered through from the first layer on: unit ``u`` is unit ``u % H`` of layer ``u // H``.
Of each there are two numbers: its cell state c, which carries on from step to step, and its hidden
state h = o * tanh(c), which the next layer and the output read.

References
----------
Karpathy, Johnson & Fei-Fei 2015, "Visualizing and Understanding Recurrent Networks" (cells that keep
track of quotes and of the length of a line). https://arxiv.org/abs/1506.02078
Strobelt et al. 2018, "LSTMVis". https://arxiv.org/abs/1606.07461
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, TextError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.recurrent import CellState, LSTMCell, Reading, Step
from lm_core.models.recurrent_language_model import LSTMLanguageModel

HIDDEN, CELL = "h", "c"
"""The two numbers of a unit, as the parts of a `Step` are called."""

_CHUNK = 250  # characters of a call: every gate of every step is in memory


@dataclass(frozen=True)
class Clamp:
    """One number of one unit, held at a value at every step."""

    unit: int
    """From 0 to layers * H - 1."""
    value: float
    part: str = CELL
    """`CELL` or `HIDDEN`."""

    def __post_init__(self) -> None:
        if self.part not in (HIDDEN, CELL):
            raise SettingError(f"part must be {HIDDEN!r} or {CELL!r}, got {self.part!r}")


class ClampedLSTMCell(LSTMCell):
    """An LSTM cell with one unit held at a value: its memory c, from which h follows, or h itself."""

    def __init__(self, input_size: int, hidden_size: int, clamp: Clamp) -> None:
        super().__init__(input_size, hidden_size)
        self._clamp = clamp

    def step(self, from_input: Tensor, state: CellState) -> Step:
        """Take one step, then put the value in the unit's place."""
        parts = super().step(from_input, state).parts
        here = torch.arange(self.hidden_size) == self._clamp.unit
        c, h = parts["c"], parts["h"]
        if self._clamp.part == CELL:
            c = torch.where(here, self._clamp.value, c)
            h = parts["o"] * torch.tanh(c)
        else:
            h = torch.where(here, self._clamp.value, h)
        return Step(parts | {"c": c, "h": h}, (h, c))


class ReadableLSTM(LanguageModel):
    """An `LSTMLanguageModel` as a stack of `LSTMCell` that share its weights: slower, and open.

    Raises SettingError if there is no such unit to clamp.

    Parameters
    ----------
    clamp : Clamp, in force at every step
    start : State, of one text that was read before; every text is read as what follows it
    """

    def __init__(
        self, model: LSTMLanguageModel, clamp: Clamp | None = None, start: State | None = None
    ) -> None:
        super().__init__()
        self.config = model.config
        n_units = model.config.layers * model.config.hidden_size
        if clamp and not 0 <= clamp.unit < n_units:
            raise SettingError(f"unit must lie in 0 to {n_units - 1}, got {clamp.unit}")
        self.embedding, self.output = model.embedding, model.output
        self.cells = torch.nn.ModuleList(_cells(model, clamp))
        self._start = start

    def initial_state(self, batch: int) -> State:
        """Return zeros for h and c, each (B, layers, H), or the state of the text that was read before."""
        if self._start is not None:
            return tuple(tensor.expand(batch, -1, -1) for tensor in self._start)
        zeros = self.output.weight.new_zeros(batch, self.config.layers, self.config.hidden_size)
        return zeros, zeros

    def read(self, tokens: Tensor, state: State) -> tuple[Reading, ...]:
        """Read (B, T) tokens, and return the record of every step of every layer, the first layer first."""
        readings: list[Reading] = []
        inputs = self.embedding(tokens)
        for layer, cell in enumerate(self.cells):
            of_layer = tuple(part[:, layer] for part in state)
            readings.append(cast(LSTMCell, cell).read(inputs, of_layer))
            inputs = readings[-1].hidden
        return tuple(readings)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        readings = self.read(tokens, state)
        return self.output(readings[-1].hidden), state_after(readings)


def _cells(model: LSTMLanguageModel, clamp: Clamp | None) -> Iterator[LSTMCell]:
    size = model.config.hidden_size
    for layer, (weight_ih, weight_hh, bias_ih, bias_hh) in enumerate(model.lstm.all_weights):
        cell = LSTMCell(weight_ih.shape[1], size)
        if clamp and clamp.unit // size == layer:
            local = Clamp(clamp.unit % size, clamp.value, clamp.part)
            cell = ClampedLSTMCell(weight_ih.shape[1], size, local)
        cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh = (
            weight_ih,
            weight_hh,
            bias_ih,
            bias_hh,
        )
        yield cell


def state_after(readings: tuple[Reading, ...]) -> State:
    """Return h and c of all layers after the last step, each (B, layers, H)."""
    h, c = zip(*(reading.state for reading in readings), strict=True)
    return torch.stack(h, 1), torch.stack(c, 1)


class Activations(NamedTuple):
    """What every unit was at each of the T characters of a text, after that character was read."""

    hidden: np.ndarray
    cell: np.ndarray
    """`hidden` and `cell`: float32, of shape (T, layers * H)."""

    def of(self, part: str) -> np.ndarray:
        """Return one of the two by its letter."""
        return {HIDDEN: self.hidden, CELL: self.cell}[part]


@torch.no_grad()
def read_activations(
    model: LSTMLanguageModel,
    ids: np.ndarray,
    before: np.ndarray,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
    on_progress: Callable[[float], object] | None = None,
) -> Activations:
    """Read a text and return every unit's numbers after each of its tokens.

    Raises TextError if there is no token.

    Parameters
    ----------
    ids : int64 ndarray of shape (T,), at least one token
    before : int64 ndarray, read first, from an empty memory, and not returned
    model_turn : callable that returns a context manager, entered for each call of the model
    on_progress : callable, receives the share that is done, from 0 to 1
    """
    if not len(ids):
        raise TextError("the text must have at least one character that the model reads, got none")
    readable = ReadableLSTM(model)
    tokens = torch.from_numpy(np.concatenate([before, ids]))[None]
    state, parts = readable.initial_state(1), []
    for start in range(0, tokens.shape[1], _CHUNK):
        with model_turn():
            readings = readable.read(tokens[:, start : start + _CHUNK], state)
            state = state_after(readings)
            parts.append([_side_by_side(readings, part) for part in (HIDDEN, CELL)])
        if on_progress:
            on_progress(min(1.0, (start + _CHUNK) / tokens.shape[1]))
    hidden, cell = (np.concatenate(pieces)[len(before) :] for pieces in zip(*parts, strict=True))
    return Activations(hidden, cell)


def _side_by_side(readings: tuple[Reading, ...], part: str) -> np.ndarray:
    """Return one part of all layers' units, (T, layers * H)."""
    return torch.cat([reading.trace(part)[0] for reading in readings], 1).numpy()
