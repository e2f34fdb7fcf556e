r"""Recurrent cells whose every step can be looked into: Elman RNN, IRNN, GRU and LSTM.

What they share, the run over a sequence above all, is in `lm_core.models.recurrent_cell`.

Parameters have the names, shapes and gate order of torch's own cells (``weight_ih``, ``weight_hh``,
``bias_ih``, ``bias_hh``), so ``load_state_dict`` carries weights over from ``nn.LSTMCell`` and its
like. `lm_core.models.fast.recurrent` does so for ``nn.RNN``, ``nn.GRU`` and ``nn.LSTM``, which read the
same sequences to the same numbers, sooner, and show nothing of what is inside.

Below, sigma is the logistic function and :math:`\odot` the product unit by unit.

References
----------
Elman 1990, "Finding Structure in Time".
Hochreiter & Schmidhuber 1997, "Long Short-Term Memory"; Gers, Schmidhuber & Cummins 2000,
"Learning to Forget" (the forget gate).
Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder" (GRU).
Le, Jaitly & Hinton 2015, "A Simple Way to Initialize Recurrent Networks of Rectified Linear
Units" (IRNN). https://arxiv.org/abs/1504.00941
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.models.recurrent_cell import Cell, CellState, Step


class ElmanCell(Cell):
    r"""The plain recurrent network: one matrix product and one squashing function.

    .. math:: a = W_{ih} x + b_{ih} + W_{hh} h + b_{hh}, \qquad h' = \tanh(a)

    or, as an IRNN, :math:`h' = \max(0, a)`, started from :math:`W_{hh} = 1` and zero biases, with
    which it copies its state until the inputs say otherwise.

    Parameters
    ----------
    input_size, hidden_size : int
    activation : str
        ``tanh``, or ``relu`` for the IRNN.
    """

    block_names = ("a",)

    def __init__(self, input_size: int, hidden_size: int, activation: str = "tanh") -> None:
        super().__init__(input_size, hidden_size)
        if activation not in ("tanh", "relu"):
            raise SettingError(f"activation must be tanh or relu, got {activation!r}")
        self.activation = activation

    def step(self, inputs: Tensor, state: CellState) -> Step:
        """Read one input; the parts are a (before squashing) and h."""
        (h,) = state
        a = inputs @ self.weight_ih.T + self.bias_ih + h @ self.weight_hh.T + self.bias_hh
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

    def step(self, inputs: Tensor, state: CellState) -> Step:
        """Read one input; the parts are r, z, n and h."""
        (h,) = state
        from_input = (inputs @ self.weight_ih.T + self.bias_ih).chunk(3, -1)  # (B, H) each
        from_state = (h @ self.weight_hh.T + self.bias_hh).chunk(3, -1)
        r = torch.sigmoid(from_input[0] + from_state[0])
        z = torch.sigmoid(from_input[1] + from_state[1])
        n = torch.tanh(from_input[2] + r * from_state[2])
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
    input_size, hidden_size : int
    forget_bias : float
        Added to the forget gate's bias at the start. Without it a gate starts near 1/2 and halves
        the memory at each step; 1 is usual (Jozefowicz et al. 2015), 4 keeps 98 %.
    """

    block_names = ("i", "f", "g", "o")
    state_names = ("h", "c")

    def __init__(self, input_size: int, hidden_size: int, forget_bias: float = 0.0) -> None:
        super().__init__(input_size, hidden_size)
        self.forget_bias = forget_bias

    def step(self, inputs: Tensor, state: CellState) -> Step:
        """Read one input; the parts are i, f, g, o, c and h."""
        h, c = state
        blocks = inputs @ self.weight_ih.T + self.bias_ih + h @ self.weight_hh.T + self.bias_hh
        i, f, g, o = blocks.chunk(4, -1)  # (B, H) each
        i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
        c = f * c + i * g
        h = o * torch.tanh(c)
        return Step({"i": i, "f": f, "g": g, "o": o, "c": c, "h": h}, (h, c))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw as torch does, then open the forget gate by its bias."""
        super().initialise(rng)
        self.bias_ih[self.hidden_size : 2 * self.hidden_size] += self.forget_bias


@dataclass(frozen=True)
class RecurrentCellConfig:
    """Which cell, and of what size.

    Attributes
    ----------
    kind : str
        ``rnn``, ``irnn``, ``gru`` or ``lstm``.
    input_size, hidden_size : int
        E and H, each at least 1.
    forget_bias : float
        Of an LSTM; the others have no forget gate, and theirs must be 0.
    """

    kind: str
    input_size: int
    hidden_size: int
    forget_bias: float = 0.0


def build_cell(config: RecurrentCellConfig) -> Cell:
    """Return the cell that a config describes, weights not yet drawn.

    Raises
    ------
    SettingError
        If a field is out of its range.
    """
    if config.forget_bias and config.kind != "lstm":
        raise SettingError(
            f"forget_bias is for an lstm, got {config.forget_bias} for {config.kind}"
        )
    if config.kind in ("rnn", "irnn"):
        activation = "tanh" if config.kind == "rnn" else "relu"
        return ElmanCell(config.input_size, config.hidden_size, activation)
    if config.kind == "gru":
        return GRUCell(config.input_size, config.hidden_size)
    if config.kind == "lstm":
        return LSTMCell(config.input_size, config.hidden_size, config.forget_bias)
    raise SettingError(f"kind must be rnn, irnn, gru or lstm, got {config.kind!r}")
