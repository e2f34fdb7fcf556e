r"""Recurrent networks whose every step can be looked into: RNN, IRNN, GRU and LSTM.

A *cell* holds the weights and knows one step. A `Step` is the record of one: every gate, the
candidate and the new state. A `Reading` is the run of a cell over a sequence: its steps in order.
Nothing is kept on the module; the state goes in and comes out.

Parameters have the names, shapes and gate order of torch's own cells (``weight_ih``, ``weight_hh``,
``bias_ih``, ``bias_hh``), so ``load_state_dict`` carries weights over from ``nn.LSTMCell`` and its
like. `lm_core.models.fast.recurrent` does so for ``nn.RNN``, ``nn.GRU`` and ``nn.LSTM``, which read the
same sequences to the same numbers, sooner, and show nothing of what is inside.

Letters: B batch, T time steps, E input size, H hidden size. Below, sigma is the logistic function
and :math:`\odot` the product unit by unit.

References
----------
Elman 1990, "Finding Structure in Time".
Hochreiter & Schmidhuber 1997, "Long Short-Term Memory"; Gers, Schmidhuber & Cummins 2000,
"Learning to Forget" (the forget gate).
Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder" (GRU).
Le, Jaitly & Hinton 2015, "A Simple Way to Initialize Recurrent Networks of Rectified Linear
Units" (IRNN). https://arxiv.org/abs/1504.00941
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, ShapeError, require_at_least_1

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
    """A cell's run over a sequence; every tensor is still part of autograd's graph."""

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

        Raises SettingError if the cell has no such part.
        """
        known = tuple(self.steps[0].parts)
        if part not in known:
            raise SettingError(f"part must be one of {known}, got {part!r}")
        return torch.stack([step.parts[part] for step in self.steps], 1)


class Cell(nn.Module, ABC):
    """What all cells share: weights, the check of shapes, and the run over a sequence.

    `input_size`, `hidden_size`: int, E and H, each at least 1.

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
        require_at_least_1(input_size=input_size, hidden_size=hidden_size)
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
    def step(self, from_input: Tensor, state: CellState) -> Step:
        """Go on from `state`, (B, H) each, by an input of which `from_input` is (B, blocks * H)."""

    def from_input(self, inputs: Tensor) -> Tensor:
        """Return :math:`W_{ih} x + b_{ih}`, what inputs add to every block, (..., blocks * H).

        Inputs are vectors (..., E) or int64 symbols (...). A symbol stands for a one-hot vector,
        whose product with ``weight_ih`` is one of its columns.
        """
        if inputs.dtype == torch.int64:
            return functional.embedding(inputs, self.weight_ih.T) + self.bias_ih
        return inputs @ self.weight_ih.T + self.bias_ih

    def read(
        self, inputs: Tensor, state: CellState | None = None, *, window: int | None = None
    ) -> Reading:
        """Read a sequence and keep the record of every step.

        Raises ShapeError if `inputs` or `state` do not fit the cell, and SettingError if `window`
        is less than 1.

        Parameters
        ----------
        inputs : Tensor of shape (B, T, E) or int64 Tensor of shape (B, T), T at least 1
            Vectors; or symbols in 0..E-1, which stand for one-hot vectors.
        state : CellState, from which to go on; zeros if there is none
        window : int, optional
            Truncated backpropagation through time: after every `window` steps the state is passed
            on as a mere number, so that no gradient flows back across. The forward numbers are
            the same.
        """
        of_vectors = inputs.dim() == 3 and inputs.shape[2] == self.input_size
        of_symbols = inputs.dim() == 2 and inputs.dtype == torch.int64
        if not (of_vectors or of_symbols) or inputs.shape[1] < 1:
            raise ShapeError(
                f"inputs must be int64 symbols of shape (B, T >= 1) or have shape (B, T >= 1,"
                f" {self.input_size}), got {tuple(inputs.shape)}"
            )
        if window is not None and window < 1:
            raise SettingError(f"window must be at least 1 step, got {window}")
        state = self.initial_state(inputs.shape[0]) if state is None else tuple(state)
        expected = [(inputs.shape[0], self.hidden_size)] * len(self.state_names)
        if [tuple(tensor.shape) for tensor in state] != expected:
            given = [tuple(tensor.shape) for tensor in state]
            raise ShapeError(f"the state must have shapes {expected}, got {given}")
        steps = []
        # One product for all steps, the steps first so that each of them lies in one piece.
        for index, now in enumerate(self.from_input(inputs.transpose(0, 1)).unbind()):
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


class RNNCell(Cell):
    r"""The plain recurrent network: one matrix product and one squashing function.

    .. math:: a = W_{ih} x + b_{ih} + W_{hh} h + b_{hh}, \qquad h' = \tanh(a)

    or, as an IRNN, :math:`h' = \max(0, a)`, started from :math:`W_{hh} = 1` and zero biases, with
    which it copies its state until the inputs say otherwise.

    `activation`: str, ``tanh``, or ``relu`` for the IRNN.
    """

    block_names = ("a",)

    def __init__(self, input_size: int, hidden_size: int, activation: str = "tanh") -> None:
        super().__init__(input_size, hidden_size)
        if activation not in ("tanh", "relu"):
            raise SettingError(f"activation must be tanh or relu, got {activation!r}")
        self.activation = activation

    def step(self, from_input: Tensor, state: CellState) -> Step:
        """Take one step; the parts are a (before squashing) and h."""
        (h,) = state
        a = from_input + h @ self.weight_hh.T + self.bias_hh
        h = torch.tanh(a) if self.activation == "tanh" else torch.relu(a)
        return Step({"a": a, "h": h}, (h,))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw as torch does; the IRNN's recurrence starts as identity and its biases as zero."""
        super().initialise(rng)
        if self.activation == "relu":
            nn.init.eye_(self.weight_hh)
            self.bias_ih.zero_()
            self.bias_hh.zero_()


class GRUCell(Cell):
    r"""A reset and an update gate; the old state and a candidate are blended.

    .. math::
        r &= \sigma(W_{ir} x + b_{ir} + W_{hr} h + b_{hr}) \\
        z &= \sigma(W_{iz} x + b_{iz} + W_{hz} h + b_{hz}) \\
        n &= \tanh(W_{in} x + b_{in} + r \odot (W_{hn} h + b_{hn})) \\
        h' &= (1 - z) \odot n + z \odot h

    As in torch, the reset gate acts after the product and not, as in Cho et al., before it.
    """

    block_names = ("r", "z", "n")

    def step(self, from_input: Tensor, state: CellState) -> Step:
        """Take one step; the parts are r, z, n and h."""
        (h,) = state
        input_r, input_z, input_n = from_input.chunk(3, -1)  # (B, H) each
        state_r, state_z, state_n = (h @ self.weight_hh.T + self.bias_hh).chunk(3, -1)
        r = torch.sigmoid(input_r + state_r)
        z = torch.sigmoid(input_z + state_z)
        n = torch.tanh(input_n + r * state_n)
        h = (1 - z) * n + z * h
        return Step({"r": r, "z": z, "n": n, "h": h}, (h,))


class LSTMCell(Cell):
    r"""Three gates around a memory c that is only ever scaled and added to.

    .. math::
        i &= \sigma(W_{ii} x + b_{ii} + W_{hi} h + b_{hi}) \\
        f &= \sigma(W_{if} x + b_{if} + W_{hf} h + b_{hf}) \\
        g &= \tanh(W_{ig} x + b_{ig} + W_{hg} h + b_{hg}) \\
        o &= \sigma(W_{io} x + b_{io} + W_{ho} h + b_{ho}) \\
        c' &= f \odot c + i \odot g, \qquad h' = o \odot \tanh(c')

    Parameters
    ----------
    forget_bias : float
        Added to the forget gate's bias at the start. Without it a gate starts near 1/2 and halves
        the memory at each step; 1 is usual (Jozefowicz et al. 2015), 4 keeps 98 %.
    """

    block_names = ("i", "f", "g", "o")
    state_names = ("h", "c")

    def __init__(self, input_size: int, hidden_size: int, forget_bias: float = 0.0) -> None:
        super().__init__(input_size, hidden_size)
        self.forget_bias = forget_bias

    def step(self, from_input: Tensor, state: CellState) -> Step:
        """Take one step; the parts are i, f, g, o, c and h."""
        h, c = state
        blocks = from_input + h @ self.weight_hh.T + self.bias_hh
        i, f, g, o = blocks.chunk(4, -1)  # (B, H) each
        g = torch.tanh(g)
        i, f, o = self.acting(torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o))
        c = f * c + i * g
        h = o * torch.tanh(c)
        return Step({"i": i, "f": f, "g": g, "o": o, "c": c, "h": h}, (h, c))

    def acting(self, i: Tensor, f: Tensor, o: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gates as they act, here as they are learned; a cell that lacks one changes it."""
        return i, f, o

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw as torch does, then open the forget gate by its bias."""
        super().initialise(rng)
        self.bias_ih[self.hidden_size : 2 * self.hidden_size] += self.forget_bias


@dataclass(frozen=True)
class RecurrentCellConfig:
    """Which cell, and of what size."""

    kind: str
    """``rnn``, ``irnn``, ``gru`` or ``lstm``."""
    input_size: int
    hidden_size: int
    """`input_size` and `hidden_size`: E and H, each at least 1."""
    forget_bias: float = 0.0
    """Of an LSTM; the others have no forget gate, and theirs must be 0."""


def build_cell(config: RecurrentCellConfig) -> Cell:
    """Return the cell that a config describes, weights not yet drawn.

    Raises SettingError if a field is out of its range.
    """
    if config.forget_bias and config.kind != "lstm":
        raise SettingError(
            f"forget_bias is for an lstm, got {config.forget_bias} for {config.kind}"
        )
    if config.kind in ("rnn", "irnn"):
        activation = "tanh" if config.kind == "rnn" else "relu"
        return RNNCell(config.input_size, config.hidden_size, activation)
    if config.kind == "gru":
        return GRUCell(config.input_size, config.hidden_size)
    if config.kind == "lstm":
        return LSTMCell(config.input_size, config.hidden_size, config.forget_bias)
    raise SettingError(f"kind must be rnn, irnn, gru or lstm, got {config.kind!r}")


def recurrent_blocks(cell: Cell) -> tuple[Tensor, ...]:
    """Return the square blocks (H, H) of a cell's ``weight_hh``, one per gate, as views."""
    return cell.weight_hh.detach().chunk(len(cell.block_names))
