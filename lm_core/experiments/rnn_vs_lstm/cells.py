r"""Recurrent cells over time, forward and backward, for many networks at once.

Shapes: T steps, B networks, N sequences, G gates, H hidden units, V symbols. Networks are ordered
by length, longest first, so that at step t the first ``active[t]`` of them still read; the others
have ended. The input of the source's task is one-hot and consecutive: sequence n shows symbol n + t
at step t. Its product with the input weights is therefore a slice of them, rows t to t + N, and the
gradient is added to that slice: the same numbers as the product's, at the price of a look-up.

The backward passes are the chain rule written out (backpropagation through time, Werbos 1990); the
tests compare them with autograd through torch.nn in float64.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

tanh_backward = torch.ops.aten.tanh_backward.grad_input
sigmoid_backward = torch.ops.aten.sigmoid_backward.grad_input
relu_backward = torch.ops.aten.threshold_backward.grad_input

Read = Callable[[int, int, int], Tensor]
"""Step t, gate g, networks b: what the input adds to the gate, (b, N, H)."""


def tanh_(values: Tensor) -> Tensor:
    """Replace values by their tanh, 2 sigmoid(2x) - 1, and return them.

    The same up to rounding (1e-7 in float32), and four times as fast: torch's own tanh is careful
    with tiny values, whose relative error does not matter to a hidden state.
    """
    return values.mul_(2.0).sigmoid_().mul_(2.0).sub_(1.0)


class ElmanCell:
    r"""The plain recurrent network, :math:`h_t = \tanh(x_t W + h_{t-1} U + b)`, or with ReLU.

    Elman 1990; with ReLU and an identity start, Le et al. 2015 (arXiv 1504.00941).
    """

    def __init__(self, *, is_relu: bool) -> None:
        self._is_relu = is_relu

    def prepare(self, states: Tensor) -> None:
        """Make room for what the backward pass needs, beside the states (T + 1, B, N, H)."""
        self._carry = torch.zeros_like(states[0])

    def forward(
        self, read: Read, weights: Tensor, biases: Tensor, states: Tensor, active: Sequence[int]
    ) -> None:
        """Fill `states[1:]` from `states[0]`; weights (B, G, H, H), biases (B, G, H)."""
        for t, b in enumerate(active):
            hidden = states[t + 1, :b]
            torch.baddbmm(read(t, 0, b), states[t, :b], weights[:b, 0], out=hidden)
            hidden.relu_() if self._is_relu else tanh_(hidden)

    def backward(
        self,
        weights: Tensor,
        states: Tensor,
        by_states: Tensor,
        active: Sequence[int],
        gradients: tuple[Tensor, Tensor, Tensor],
    ) -> None:
        """Carry the losses' gradients by each state (T, B, N, H) back to weights and inputs.

        `gradients` are by the input table (B, G, V', H), the weights and the recurrent biases; all
        are added to, and `by_states` is used up.
        """
        by_table, by_weights, by_biases = gradients
        carry = self._carry.zero_()
        n = states.shape[2]
        for t in reversed(range(len(active))):
            b = active[t]
            hidden, delta = states[t + 1, :b], by_states[t, :b]
            delta += carry[:b]
            if self._is_relu:
                relu_backward(delta, hidden, 0.0, grad_input=delta)
            else:
                tanh_backward(delta, hidden, grad_input=delta)
            by_table[:b, 0, t : t + n] += delta
            by_weights[:b, 0].baddbmm_(states[t, :b].mT, delta)
            torch.bmm(delta, weights[:b, 0].mT, out=carry[:b])
        by_biases += by_table.sum(2)


class LSTMCell:
    r"""Long short-term memory with torch's gate order i, f, g, o.

    :math:`c_t = f_t c_{t-1} + i_t g_t`, :math:`h_t = o_t \tanh c_t` (Hochreiter and Schmidhuber
    1997, with the forget gate of Gers et al. 2000).
    """

    def prepare(self, states: Tensor) -> None:
        """Make room for gates, cells and deltas, beside the states (T + 1, B, N, H)."""
        n_steps = len(states) - 1
        shape = states.shape[1:]
        self._gates = states.new_empty(n_steps, 4, *shape)
        self._cells = torch.zeros_like(states)
        self._squashed = states.new_empty(n_steps, *shape)  # tanh of the cells
        self._deltas = states.new_empty(4, *shape)
        self._carry = states.new_zeros(3, *shape)  # by hidden, by cell, and room to work

    def forward(
        self, read: Read, weights: Tensor, biases: Tensor, states: Tensor, active: Sequence[int]
    ) -> None:
        """Fill `states[1:]` from `states[0]`; weights (B, 4, H, H), biases (B, 4, H)."""
        for t, b in enumerate(active):
            gates = self._gates[t, :, :b]
            for g in range(4):
                torch.baddbmm(read(t, g, b), states[t, :b], weights[:b, g], out=gates[g])
            gates[:2].sigmoid_()
            tanh_(gates[2])
            gates[3].sigmoid_()
            i, f, g, o = gates
            cell, squashed = self._cells[t + 1, :b], self._squashed[t, :b]
            torch.mul(f, self._cells[t, :b], out=cell).addcmul_(i, g)
            tanh_(squashed.copy_(cell))
            torch.mul(o, squashed, out=states[t + 1, :b])

    def backward(
        self,
        weights: Tensor,
        states: Tensor,
        by_states: Tensor,
        active: Sequence[int],
        gradients: tuple[Tensor, Tensor, Tensor],
    ) -> None:
        """Carry the losses' gradients by each state (T, B, N, H) back, as `ElmanCell.backward`."""
        by_table, by_weights, by_biases = gradients
        self._carry.zero_()
        n = states.shape[2]
        for t in reversed(range(len(active))):
            b = active[t]
            by_hidden, by_cell, work = self._carry[:, :b]
            by_hidden += by_states[t, :b]
            deltas = self._deltas[:, :b]
            self._step_back(t, b, by_hidden, by_cell, work, deltas)
            by_table[:b, :, t : t + n] += deltas.transpose(0, 1)
            torch.bmm(deltas[0], weights[:b, 0].mT, out=by_hidden)
            for g in range(1, 4):
                by_hidden.baddbmm_(deltas[g], weights[:b, g].mT)
            for g in range(4):
                by_weights[:b, g].baddbmm_(states[t, :b].mT, deltas[g])
        by_biases += by_table.sum(2)

    def _step_back(
        self, t: int, b: int, by_hidden: Tensor, by_cell: Tensor, work: Tensor, deltas: Tensor
    ) -> None:
        """Fill the gradients by the four pre-activations, and carry the cell's one step back."""
        i, f, g, o = self._gates[t, :, :b]
        squashed = self._squashed[t, :b]
        torch.mul(by_hidden, o, out=work)
        by_cell += tanh_backward(work, squashed, grad_input=work)
        sigmoid_backward(torch.mul(by_cell, g, out=work), i, grad_input=deltas[0])
        sigmoid_backward(torch.mul(by_cell, self._cells[t, :b], out=work), f, grad_input=deltas[1])
        tanh_backward(torch.mul(by_cell, i, out=work), g, grad_input=deltas[2])
        sigmoid_backward(torch.mul(by_hidden, squashed, out=work), o, grad_input=deltas[3])
        by_cell *= f


class GRUCell:
    r"""The gated recurrent unit as torch writes it, gates r, z, n (Cho et al. 2014).

    :math:`n_t = \tanh(x_t W_n + b_n + r_t (h_{t-1} U_n + b'_n))`,
    :math:`h_t = (1 - z_t) n_t + z_t h_{t-1}`.
    """

    def prepare(self, states: Tensor) -> None:
        """Make room for gates and deltas, beside the states (T + 1, B, N, H)."""
        n_steps = len(states) - 1
        shape = states.shape[1:]
        self._gates = states.new_empty(n_steps, 3, *shape)
        self._recalled = states.new_empty(n_steps, *shape)  # what r lets through or not
        self._deltas = states.new_empty(4, *shape)  # by r, z, n and by what r multiplies
        self._carry = states.new_zeros(2, *shape)

    def forward(
        self, read: Read, weights: Tensor, biases: Tensor, states: Tensor, active: Sequence[int]
    ) -> None:
        """Fill `states[1:]` from `states[0]`; weights (B, 3, H, H), biases (B, 3, H)."""
        for t, b in enumerate(active):
            gates, before = self._gates[t, :, :b], states[t, :b]
            r, z, n = gates
            torch.baddbmm(read(t, 0, b), before, weights[:b, 0], out=r)
            torch.baddbmm(read(t, 1, b), before, weights[:b, 1], out=z)
            gates[:2].sigmoid_()
            recalled = self._recalled[t, :b]
            torch.baddbmm(biases[:b, 2, None], before, weights[:b, 2], out=recalled)
            tanh_(torch.addcmul(read(t, 2, b), r, recalled, out=n))
            torch.lerp(n, before, z, out=states[t + 1, :b])

    def backward(
        self,
        weights: Tensor,
        states: Tensor,
        by_states: Tensor,
        active: Sequence[int],
        gradients: tuple[Tensor, Tensor, Tensor],
    ) -> None:
        """Carry the losses' gradients by each state (T, B, N, H) back, as `ElmanCell.backward`."""
        by_table, by_weights, by_biases = gradients
        self._carry.zero_()
        n_rows = states.shape[2]
        for t in reversed(range(len(active))):
            b = active[t]
            by_hidden, work = self._carry[:, :b]
            by_hidden += by_states[t, :b]
            before, deltas = states[t, :b], self._deltas[:, :b]
            self._step_back(t, b, by_hidden, before, work, deltas)
            by_table[:b, :, t : t + n_rows] += deltas[:3].transpose(0, 1)
            by_biases[:b, 2] += deltas[3].sum(1)
            for g, delta in enumerate((deltas[0], deltas[1], deltas[3])):
                by_hidden.baddbmm_(delta, weights[:b, g].mT)
                by_weights[:b, g].baddbmm_(before.mT, delta)
        by_biases[:, :2] += by_table[:, :2].sum(2)

    def _step_back(
        self, t: int, b: int, by_hidden: Tensor, before: Tensor, work: Tensor, deltas: Tensor
    ) -> None:
        """Fill the gradients by the pre-activations; leave in `by_hidden` what z passes back."""
        r, z, n = self._gates[t, :, :b]
        torch.sub(before, n, out=work).mul_(by_hidden)
        sigmoid_backward(work, z, grad_input=deltas[1])
        torch.mul(by_hidden, z, out=work)
        by_hidden -= work
        tanh_backward(by_hidden, n, grad_input=deltas[2])
        by_hidden.copy_(work)
        torch.mul(deltas[2], r, out=deltas[3])
        torch.mul(deltas[2], self._recalled[t, :b], out=work)
        sigmoid_backward(work, r, grad_input=deltas[0])
