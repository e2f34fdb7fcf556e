"""What every recurrent cell is: weights that know one step, and a run over a sequence.

Three words are used throughout. A *cell* holds the weights and knows one step. A `Step` is the
record of one: every gate, the candidate and the new state. A `Reading` is the run of a cell over a
sequence: its steps in order. Nothing is kept on the module; the state goes in and comes out.

Letters: B batch, T time steps, E input size, H hidden size.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, ShapeError

CellState = tuple[Tensor, ...]
"""What a cell carries from step to step, each of shape (B, H): (h,), of an LSTM (h, c)."""


class Step(NamedTuple):
    """One step of a cell: all that was computed, and what the next step reads."""

    parts: dict[str, Tensor]  # (B, H) each, by letter and in the order of computation; h comes last
    state: CellState

    @property
    def hidden(self) -> Tensor:
        """The new hidden vector h, (B, H)."""
        return self.state[0]


class Reading(NamedTuple):
    """A cell's run over a sequence; every tensor still hangs on autograd's graph."""

    steps: tuple[Step, ...]

    @property
    def hidden(self) -> Tensor:
        """The hidden vectors of all steps, (B, T, H)."""
        return self.trace("h")

    @property
    def state(self) -> CellState:
        """What the cell carries on after the last step."""
        return self.steps[-1].state

    def trace(self, part: str) -> Tensor:
        """Return one part of all steps, (B, T, H), by its letter: a gate, the candidate, c or h.

        Raises
        ------
        SettingError
            If the cell has no such part.
        """
        known = tuple(self.steps[0].parts)
        if part not in known:
            raise SettingError(f"part must be one of {known}, got {part!r}")
        return torch.stack([step.parts[part] for step in self.steps], 1)


class Cell(nn.Module, ABC):
    """What all cells share: weights, the check of shapes, and the run over a sequence.

    Parameters
    ----------
    input_size, hidden_size : int
        E and H, each at least 1.

    Attributes
    ----------
    weight_ih : Parameter of shape (blocks * H, E)
    weight_hh : Parameter of shape (blocks * H, H)
    bias_ih, bias_hh : Parameter of shape (blocks * H,)
        One block of H rows for each entry of ``block_names``, in that order.
    """

    block_names: ClassVar[tuple[str, ...]]
    state_names: ClassVar[tuple[str, ...]] = ("h",)

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if size < 1:
                raise SettingError(f"{name} must be at least 1, got {size}")
        self.input_size, self.hidden_size = input_size, hidden_size
        rows = len(self.block_names) * hidden_size
        self.weight_ih = nn.Parameter(torch.zeros(rows, input_size))
        self.weight_hh = nn.Parameter(torch.zeros(rows, hidden_size))
        self.bias_ih = nn.Parameter(torch.zeros(rows))
        self.bias_hh = nn.Parameter(torch.zeros(rows))

    def initial_state(self, batch: int) -> CellState:
        """Return zeros, (B, H) for each part of the state."""
        zeros = self.weight_hh.new_zeros((batch, self.hidden_size))
        return (zeros,) * len(self.state_names)

    @abstractmethod
    def step(self, inputs: Tensor, state: CellState) -> Step:
        """Read one input, (B, E), from `state`; return the record of the step."""

    def read(
        self, inputs: Tensor, state: CellState | None = None, *, window: int | None = None
    ) -> Reading:
        """Read a sequence and keep the record of every step.

        Parameters
        ----------
        inputs : Tensor of shape (B, T, E), T at least 1
        state : CellState, optional
            From which to go on; zeros if there is none.
        window : int, optional
            Truncated backpropagation through time: after every `window` steps the state is passed
            on as a mere number, so that no gradient flows back across. The forward numbers are
            the same.

        Raises
        ------
        ShapeError
            If `inputs` or `state` do not fit the cell.
        SettingError
            If `window` is less than 1.
        """
        if inputs.dim() != 3 or inputs.shape[1] < 1 or inputs.shape[2] != self.input_size:
            raise ShapeError(
                f"inputs must have shape (B, T >= 1, {self.input_size}), got {tuple(inputs.shape)}"
            )
        if window is not None and window < 1:
            raise SettingError(f"window must be at least 1 step, got {window}")
        state = self.initial_state(inputs.shape[0]) if state is None else tuple(state)
        expected = [(inputs.shape[0], self.hidden_size)] * len(self.state_names)
        if [tuple(tensor.shape) for tensor in state] != expected:
            given = [tuple(tensor.shape) for tensor in state]
            raise ShapeError(f"the state must have shapes {expected}, got {given}")
        steps = []
        for index, now in enumerate(inputs.unbind(1)):
            if window and index and index % window == 0:
                state = tuple(tensor.detach() for tensor in state)
            steps.append(self.step(now, state))
            state = steps[-1].state
        return Reading(tuple(steps))

    def forward(self, inputs: Tensor, state: CellState | None = None) -> tuple[Tensor, CellState]:
        """Return the hidden vectors (B, T, H) and the last state, as `FusedCell` does."""
        reading = self.read(inputs, state)
        return reading.hidden, reading.state

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw all weights uniformly within 1/sqrt(H), as torch's own cells do."""
        bound = self.hidden_size**-0.5
        for parameter in self.parameters():
            parameter.uniform_(-bound, bound, generator=rng)
