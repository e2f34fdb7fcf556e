"""From symbols to states: the recurrent body with its gradients by hand, and one of attention.

Both hold no weights. A body fills states (T + 1, B, N, H), whose first row is what the networks
begin with, and carries gradients by the states back to the weights.
"""

from collections.abc import Sequence
from itertools import groupby

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.rnn_vs_lstm.cells import ElmanCell, GRUCell, LSTMCell
from lm_core.experiments.rnn_vs_lstm.models import Parameters


class RecurrentBody:
    """Recurrent networks of one cell, all lengths and seeds at once.

    Parameters
    ----------
    cell : ElmanCell, LSTMCell or GRUCell
    lengths : sequence of int
        Symbols that each network reads, longest first.
    states : Tensor of shape (T + 1, B, N, H)
        To be filled; T is the longest length, N the most sequences that a network has.
    """

    def __init__(
        self, cell: ElmanCell | LSTMCell | GRUCell, lengths: Sequence[int], states: Tensor
    ) -> None:
        self._cell, self._states = cell, states
        self._active = [sum(length > t for length in lengths) for t in range(len(states) - 1)]
        cell.prepare(states)
        self._table: Tensor | None = None
        self._by_table: Tensor | None = None

    def forward(self, parameters: Parameters, fillers: Tensor | None = None) -> None:
        """Read all sequences: consecutive symbols, or after the first those of `fillers` (N, T)."""
        table, n = self._input_table(parameters), self._states.shape[2]

        def consecutive(t: int, gate: int, b: int) -> Tensor:
            return table[:b, gate, t : t + n]

        def other(t: int, gate: int, b: int) -> Tensor:
            return table[:b, gate, :n] if t == 0 else table[:b, gate, fillers[:, t]]

        self._cell.forward(
            consecutive if fillers is None else other,
            parameters["recurrent_weight"],
            parameters["recurrent_bias"],
            self._states,
            self._active,
        )

    def backward(self, parameters: Parameters, by_states: Tensor, gradients: Parameters) -> None:
        """Add the gradients of consecutive symbols; `by_states` (T, B, N, H) is used up."""
        by_table = self._by_table.zero_()
        weights = parameters["recurrent_weight"]
        by_recurrent = gradients["recurrent_weight"], gradients["recurrent_bias"]
        self._cell.backward(
            weights, self._states, by_states, self._active, (by_table, *by_recurrent)
        )
        vocabulary = parameters["input_weight"].shape[2]
        gradients["input_weight"] += by_table[:, :, :vocabulary]
        gradients["input_bias"] += by_table.sum(2)

    def _input_table(self, parameters: Parameters) -> Tensor:
        """Return what each symbol adds to each gate, (B, G, V', H), biases included.

        V' has a few rows more than there are symbols: short networks share the arrays of long ones
        and have more sequences, so that the rows of long ones run over the end. These rows are
        never scored, and no gradient comes from them.
        """
        weight, n_states = parameters["input_weight"], len(self._states)
        n_rows = max(weight.shape[2], n_states - 2 + self._states.shape[2])
        if self._table is None:
            shape = (*weight.shape[:2], n_rows, weight.shape[3])
            self._table, self._by_table = weight.new_zeros(shape), weight.new_empty(shape)
        biases = parameters["input_bias"].clone()
        folded = biases.shape[1] - isinstance(self._cell, GRUCell)  # its last one is inside a gate
        biases[:, :folded] += parameters["recurrent_bias"][:, :folded]
        torch.add(weight, biases[:, :, None], out=self._table[:, :, : weight.shape[2]])
        return self._table


class AttentionBody:
    """One layer of causal self-attention over symbols with learned positions; autograd goes back.

    Parameters
    ----------
    heads : int
    lengths : sequence of int
        Symbols that each network reads, longest first.
    states : Tensor of shape (T + 1, B, N, H)
    """

    def __init__(self, heads: int, lengths: Sequence[int], states: Tensor) -> None:
        self._heads, self._lengths, self._states = heads, lengths, states
        self._outputs: list[tuple[int, Tensor]] = []

    def forward(self, parameters: Parameters, fillers: Tensor | None = None) -> None:
        """Read all sequences: consecutive symbols, or after the first those of `fillers` (N, T)."""
        n, vocabulary = self._states.shape[2], parameters["symbols"].shape[1]
        symbols = torch.arange(n, device=self._states.device)[:, None]
        self._outputs = []
        for length, members in groupby(range(len(self._lengths)), key=self._lengths.__getitem__):
            steps = torch.arange(length, device=symbols.device)
            shown = (symbols + steps).clamp_max(vocabulary - 1)
            if fillers is not None:
                shown = torch.where(steps == 0, symbols, fillers[:, :length])
            for network in members:
                weights = {name: weight[network] for name, weight in parameters.items()}
                with torch.set_grad_enabled(fillers is None):
                    mixed = self._attend(weights, shown)  # (N, length, H)
                self._states[1 : length + 1, network] = mixed.detach().transpose(0, 1)
                self._outputs.append((network, mixed))

    def backward(self, parameters: Parameters, by_states: Tensor, gradients: Parameters) -> None:
        """Add the gradients of the last `forward`."""
        names = ("symbols", "positions", "query", "key", "value", "mix")
        for network, mixed in self._outputs:
            by_mixed = by_states[: mixed.shape[1], network].transpose(0, 1)
            found = torch.autograd.grad(mixed, [parameters[name] for name in names], by_mixed)
            for name, gradient in zip(names, found, strict=True):
                gradients[name] += gradient
        self._outputs = []

    def _attend(self, weights: Parameters, shown: Tensor) -> Tensor:
        """Return what attention adds up for each position of `shown` (N, T), as (N, T, H)."""
        embedded = functional.embedding(shown, weights["symbols"])
        embedded = embedded + weights["positions"][: shown.shape[1]]
        n, steps, width = embedded.shape

        def split(name: str) -> Tensor:  # (N, heads, T, H / heads)
            projected = embedded.reshape(-1, width) @ weights[name]
            return projected.view(n, steps, self._heads, -1).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            split("query"), split("key"), split("value"), is_causal=True
        )
        return mixed.transpose(1, 2).reshape(n, steps, width) @ weights["mix"]


def body_named(
    cell: str, heads: int, lengths: Sequence[int], states: Tensor
) -> RecurrentBody | AttentionBody:
    """Return the body of a `RecallModel`'s cell."""
    if cell == "attention":
        return AttentionBody(heads, lengths, states)
    cells = {
        "tanh": lambda: ElmanCell(is_relu=False),
        "relu": lambda: ElmanCell(is_relu=True),
        "gru": GRUCell,
        "lstm": LSTMCell,
    }
    return RecurrentBody(cells[cell](), lengths, states)
