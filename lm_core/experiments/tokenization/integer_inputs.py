"""Numbers of characters as inputs: as they are, or as a choice among rows.

A number that goes into a linear layer as it is ties all characters together: the layer's outputs for
number 4 are four times those for number 1, whatever its weights, and which character has number 4 is
an accident. With a one at the number's place and zeros elsewhere ("one-hot") the layer picks the row
of its weight matrix, and each character has a row of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ShapeError

_ROUNDS = 300


def one_hot(token_id: int, size: int) -> Tensor:
    """Return a one at a token's place among zeros, float64 of shape (size,).

    Raises ShapeError if there is no such place.
    """
    if not 0 <= token_id < size:
        raise ShapeError(f"the token must lie in 0 to {size - 1}, got {token_id}")
    vector = torch.zeros(size, dtype=torch.float64)
    vector[token_id] = 1.0
    return vector


def least_squares(inputs: Tensor, targets: Tensor) -> Tensor:
    """Return the weights (D,) of y = x · b without a constant that lie nearest to N targets, from (N, D) inputs.

    Examples
    --------
    >>> targets = torch.tensor([3.0, 1.0], dtype=torch.float64)
    >>> round(least_squares(torch.tensor([[1.0], [2.0]], dtype=torch.float64), targets).item(), 9)
    1.0
    >>> least_squares(torch.eye(2, dtype=torch.float64), targets).tolist()
    [3.0, 1.0]
    """
    return torch.linalg.lstsq(inputs, targets.unsqueeze(1)).solution.squeeze(1)


def row_products(token_id: int, weights: Tensor) -> Tensor:
    """Return what each row of a matrix adds to one-hot times matrix; their sum is one row.

    `weights`: Tensor of shape (V, D). The result: Tensor of shape (V, D).
    """
    return one_hot(token_id, len(weights)).to(weights.dtype).unsqueeze(1) * weights


def pair_counts(ids: np.ndarray, size: int) -> np.ndarray:
    """Return how often each token is followed by each, int64 of shape (size, size)."""
    flat = np.bincount(ids[:-1] * size + ids[1:], minlength=size * size)
    return flat.reshape(size, size)


class InputLosses(NamedTuple):
    """The least mean loss, in nats per token, of guessing the next token from the last alone."""

    nothing: float  # without looking at the last one: the entropy of the tokens
    integer: tuple[float, ...]
    """From its number, by a linear layer: one for each way to number them."""
    one_hot: float  # from its one-hot vector, by a linear layer


def input_losses(counts: np.ndarray, numberings: Sequence[np.ndarray]) -> InputLosses:
    """Fit all three to how often each token follows each.

    Without an input, and with a one-hot vector, the best layer is known from the counts. With a
    number as the input the loss is convex, and is brought to its minimum.

    Parameters
    ----------
    counts : ndarray of int, shape (V, V)
    numberings : sequence of int ndarrays, shape (V,), the number of each token
    """
    total, before, after = counts.sum(), counts.sum(1), counts.sum(0)
    integer = tuple(_integer_loss(torch.from_numpy(counts), n) for n in numberings)
    joint = _entropy(counts.ravel() / total)
    return InputLosses(_entropy(after / total), integer, joint - _entropy(before / total))


def _entropy(shares: np.ndarray) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


def _integer_loss(counts: Tensor, numbers: np.ndarray) -> float:
    """Return the least loss of ``softmax(number * weights + biases)``."""
    shares = counts.double() / counts.sum()
    of_last = shares.sum(1)
    x = torch.from_numpy(numbers).double()
    mean = (of_last * x).sum()
    x = (x - mean) / (of_last * (x - mean) ** 2).sum().sqrt()  # changes no minimum, only the way
    weights = torch.zeros(len(x), dtype=torch.float64, requires_grad=True)
    biases = shares.sum(0).clamp_min(1e-12).log().requires_grad_()
    descent = torch.optim.LBFGS([weights, biases], max_iter=_ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        descent.zero_grad()
        logits = x.unsqueeze(1) * weights + biases
        mean_loss = -(shares * logits.log_softmax(-1)).sum()
        mean_loss.backward()
        return mean_loss

    descent.step(loss)
    return float(loss().detach())
