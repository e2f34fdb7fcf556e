r"""Gradients through time: which earlier steps the output of a step can still be learned from.

The output at step s is a score :math:`a_s = v \cdot h_s`, for a classifier the logit of one class.
Its gradient is taken with respect to the state after step t, and to the input of step t. A logit is better suited than a loss, whose gradient fades for the
sole reason that the output is already right.

References
----------
Hochreiter 1991, "Untersuchungen zu dynamischen neuronalen Netzen"; Bengio, Simard & Frasconi 1994,
"Learning Long-Term Dependencies with Gradient Descent is Difficult".
Williams & Peng 1990, "An Efficient Gradient-Based Algorithm for On-Line Training of Recurrent
Network Trajectories" (truncated backpropagation through time).
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError
from lm_core.models.recurrent import Cell


class GradientMap(NamedTuple):
    """Euclidean norms of the gradient of every output with respect to every step."""

    by_state: Tensor  # (T, T): row s the output of step s, column t the state after step t
    by_input: Tensor  # (T, T): column t the input read at step t


def gradient_map(
    cell: Cell, inputs: Tensor, direction: Tensor, *, window: int | None = None
) -> GradientMap:
    """Return the gradient norms of each step's output with respect to each earlier step.

    Raises ShapeError if `inputs` or `direction` do not fit the cell.

    Parameters
    ----------
    inputs : Tensor of shape (T, E), one sequence, read from the zero state
    direction : Tensor of shape (H,), the output of step s is ``direction @ h_s``
    window : int, truncated backpropagation: the gradient is cut after every `window` steps

    Returns
    -------
    GradientMap
        Of an LSTM, the state is h and c together. An entry is exactly 0 where no gradient flows:
        for steps after the output (t > s) and for steps before a cut.
    """
    if inputs.dim() != 2:
        raise ShapeError(f"inputs must have shape (T, E), got {tuple(inputs.shape)}")
    if direction.shape != (cell.hidden_size,):
        raise ShapeError(
            f"direction must have shape ({cell.hidden_size},), got {tuple(direction.shape)}"
        )
    length = len(inputs)
    # The sequence once per output: the rows of a batch do not touch each other, so that one pass
    # backward serves all the outputs.
    copies = inputs.detach().expand(length, -1, -1).clone().requires_grad_()  # (T, T, E)
    reading = cell.read(copies, window=window)
    outputs = torch.diagonal(reading.hidden @ direction.detach())  # row s after step s
    states = [tensor for step in reading.steps for tensor in step.state]
    at_input, *at_states = torch.autograd.grad(
        outputs.sum(), [copies, *states], allow_unused=True, materialize_grads=True
    )
    parts = len(cell.state_names)
    by_state = torch.stack(at_states).view(length, parts, length, -1)  # (T steps, parts, T rows, H)
    return GradientMap(by_state.square().sum((1, 3)).sqrt().T, at_input.norm(dim=2))


def decay_per_step(norms: Tensor) -> float:
    """Return the mean factor by which a gradient changes with each step further back.

    `norms`: Tensor of shape (T,), T at least 2, by step, the last the nearest to the output. The
    result: float, below 1 it vanishes, above 1 it explodes; 0 if the first or the last norm is 0.
    """
    if norms.dim() != 1 or len(norms) < 2:
        raise ShapeError(f"norms must have shape (T >= 2,), got {tuple(norms.shape)}")
    if norms[-1] == 0:
        return 0.0
    return float((norms[0] / norms[-1]) ** (1 / (len(norms) - 1)))
