"""LSTMs with taps: gates that are fixed at 1, or tied, as in the cells of 1997 and in the GRU.

References
----------
Hochreiter & Schmidhuber 1997, "Long Short-Term Memory": input and output gate, no forget gate.
Gers, Schmidhuber & Cummins 2000, "Learning to Forget": the forget gate, and streams without a reset.
Greff et al. 2017, "LSTM: A Search Space Odyssey": gates removed one by one. https://arxiv.org/abs/1503.04069
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lm_core.models.recurrent import CellState, LSTMCell

_GATES = "ifo"


@dataclass(frozen=True)
class Taps:
    """Which gates a cell has: the others are fixed at 1."""

    title: str
    """For people, short: it is written at a line."""
    fixed: str = ""
    """Letters of the gates that are fixed at 1, of ``i``, ``f`` and ``o``."""
    is_tied: bool = False
    """Whether the input gate is 1 - f, as a GRU has it: what is written takes the place of what is forgotten."""
    forget_bias: float = 0.0
    """Of the forget gate at the start."""


TAPS = {
    "all": Taps("all gates"),
    "open": Taps("forget bias 4", forget_bias=4.0),
    "no-input": Taps("no input", "i"),
    "no-forget": Taps("no forget", "f"),
    "no-output": Taps("no output", "o"),
    "tied": Taps("tied", is_tied=True),
    "input-only": Taps("input only", "fo"),
    "none": Taps("no gates", "ifo"),
}
"""The cells that are compared, by name."""


class TappedLSTMCell(LSTMCell):
    """An LSTM whose taps are numbers, so that cells with other taps are computed in one go.

    Attributes
    ----------
    learned : Tensor of shape (3,), 1 for each of i, f and o that is learned, 0 for one that is fixed at 1
    tied : Tensor, 1 where the input gate is 1 - f, else 0
    """

    learned: Tensor
    tied: Tensor

    def __init__(self, input_size: int, hidden_size: int, taps: Taps) -> None:
        super().__init__(input_size, hidden_size, taps.forget_bias)
        learned = [float(gate not in taps.fixed) for gate in _GATES]
        self.register_buffer("learned", torch.tensor(learned))
        self.register_buffer("tied", torch.tensor(float(taps.is_tied)))

    def acting(self, i: Tensor, f: Tensor, o: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gates as the taps leave them."""
        i, f, o = (
            1.0 - learned * (1.0 - gate)
            for learned, gate in zip(self.learned.unbind(), (i, f, o), strict=True)
        )
        return torch.lerp(i, 1.0 - f, self.tied), f, o


@torch.no_grad()
def open_gates(cell: LSTMCell, gates: str) -> None:
    """Set the gates of these letters of a trained LSTM to 1, in place: sigmoid(40) is 1 to the last digit."""
    for gate in gates:
        first = cell.block_names.index(gate) * cell.hidden_size
        for weight in cell.parameters():
            weight[first : first + cell.hidden_size] = 0.0
        cell.bias_ih[first : first + cell.hidden_size] = 40.0


class TappedNetwork(nn.Module):
    """A cell that reads symbols, and the layer that names a letter from what it remembers."""

    def __init__(self, taps: Taps, letters: int, width: int) -> None:
        super().__init__()
        self.cell = TappedLSTMCell(2 * letters, width, taps)
        self.output = nn.Linear(width, letters)

    def forward(self, symbols: Tensor, state: CellState | None = None) -> tuple[Tensor, CellState]:
        """Read symbols (B, T) on from a state; return logits (B, T, letters) and the new state."""
        reading = self.cell.read(symbols, state)
        return self.output(reading.hidden), reading.state

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw all weights within 1/sqrt(H), as torch does."""
        self.cell.initialise(rng)
        bound = self.cell.hidden_size**-0.5
        for weight in self.output.parameters():
            weight.uniform_(-bound, bound, generator=rng)
