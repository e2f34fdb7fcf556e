r"""One step of data-parallel training, machine by machine: split, gradient, sum, broadcast, update.

Each of K machines has its own copy of the parameters and its own part of the minibatch, computes the gradient
g^k of its part, and takes the step that all of them agree on. Whether that is the step of one machine
with the whole minibatch depends on what is summed:

    sum of sums         sum_k g^k, each the gradient of a sum over examples: one machine's, if its loss is a sum
    sum of means        sum_k g^k, each of a mean over examples: K times one machine's mean, for equal parts
    mean of means       sum_k g^k / K: one machine's, for equal parts
    weighted mean       sum_k (n_k / B) g^k: one machine's, whatever the parts

References
----------
Li et al. 2020, "PyTorch Distributed: Experiences on Accelerating Data Parallel Training".
https://arxiv.org/abs/2006.15704
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, require_at_least_1

SUM_OF_SUMS, SUM_OF_MEANS = "Sum of sums", "Sum of means"
MEAN_OF_MEANS, WEIGHTED_MEAN = "Mean of means", "Weighted mean"
COMBINATIONS = (SUM_OF_MEANS, MEAN_OF_MEANS, WEIGHTED_MEAN, SUM_OF_SUMS)

EXAMPLES = (
    (1.0, 2.0),
    (2.0, 3.0),
    (1.0, 3.0),
    (3.0, 5.0),
    (2.0, 5.0),
    (1.0, 1.0),
    (2.0, 4.0),
    (4.0, 9.0),
)
"""Inputs x and targets y of a minibatch of eight."""
START = 1.0

MeanGradient = Callable[[Tensor, Tensor], Tensor]
"""Of the mean loss over inputs (n, ...) and targets (n, ...), at the parameters that all machines have."""


class ParallelStep(NamedTuple):
    """One step of K machines."""

    sizes: tuple[int, ...]
    """Examples of each machine."""
    gradients: tuple[Tensor, ...]
    """Of each machine: what it sends."""
    combined: Tensor
    """What each gets back."""
    alone: Tensor
    """The gradient of one machine with the whole minibatch, for the same loss."""


def shard_sizes(batch: int, machines: int, *, is_equal: bool = True) -> tuple[int, ...]:
    """Return how many examples each machine gets: as equal as may be, or the first one most of them.

    Unequal, every other machine has one example, and the first has the rest. Raises SettingError if
    there are fewer examples than machines.
    """
    require_at_least_1(machines=machines)
    if batch < machines:
        raise SettingError(
            f"a batch must have an example for each machine, got {batch}, {machines}"
        )
    if not is_equal:
        return (batch - machines + 1, *(1,) * (machines - 1))
    least, over = divmod(batch, machines)
    return tuple(least + (k < over) for k in range(machines))


def combine(gradients: Sequence[Tensor], sizes: Sequence[int], how: str) -> Tensor:
    """Return one gradient for all machines.

    Parameters
    ----------
    gradients : sequence of K tensors of one shape, of the mean loss of each part; of the sum, for `SUM_OF_SUMS`
    sizes : sequence of K int, examples of each part
    how : str, one of `COMBINATIONS`
    """
    if how not in COMBINATIONS:
        raise SettingError(f"how must be one of {', '.join(COMBINATIONS)}, got {how!r}")
    if len(gradients) != len(sizes):
        raise ShapeError(f"each gradient needs its size, got {len(gradients)} and {len(sizes)}")
    stacked = torch.stack(list(gradients))
    if how == WEIGHTED_MEAN:
        shares = stacked.new_tensor(sizes) / sum(sizes)
        return (shares.view(-1, *(1,) * (stacked.dim() - 1)) * stacked).sum(0)
    total = stacked.sum(0)
    return total / len(sizes) if how == MEAN_OF_MEANS else total


def parallel_step(
    inputs: Tensor, targets: Tensor, sizes: Sequence[int], how: str, mean_gradient: MeanGradient
) -> ParallelStep:
    """Split a minibatch, and return the gradient of each part, what is made of them, and one machine's own."""
    parts = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
    is_sum = how == SUM_OF_SUMS
    gradients = tuple(mean_gradient(x, y) * (len(x) if is_sum else 1) for x, y in parts)
    alone = mean_gradient(inputs, targets) * (len(inputs) if is_sum else 1)
    return ParallelStep(tuple(sizes), gradients, combine(gradients, sizes, how), alone)


def line_gradient(theta: float) -> MeanGradient:
    """Return the gradient of the mean of ``(theta x - y)^2 / 2``, for one parameter."""

    def gradient(x: Tensor, y: Tensor) -> Tensor:
        return ((theta * x - y) * x).mean()

    return gradient


def minibatch() -> tuple[Tensor, Tensor]:
    """Return the inputs and targets of `EXAMPLES`, each (8,)."""
    x, y = zip(*EXAMPLES, strict=True)
    return torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)


class Descent(NamedTuple):
    """The way of one parameter, by K machines and by one."""

    steps: tuple[ParallelStep, ...]
    """Tuple of T ParallelStep."""
    together: tuple[float, ...]
    alone: tuple[float, ...]
    """`together` and `alone`: tuple of T + 1 float. The parameter before each step, and after
    the last."""
    best: float
    """That with the lowest loss."""


def descend_together(sizes: Sequence[int], how: str, rate: float, steps: int) -> Descent:
    """Fit ``y = theta x`` to the minibatch from `START`, by several machines, and by one beside them."""
    x, y = minibatch()
    together, alone, taken = [START], [START], []
    for _ in range(steps):
        step = parallel_step(x, y, sizes, how, line_gradient(together[-1]))
        lone = parallel_step(x, y, (len(x),), how, line_gradient(alone[-1])).alone
        taken.append(step)
        together.append(together[-1] - rate * float(step.combined))
        alone.append(alone[-1] - rate * float(lone))
    best = float((x * y).sum() / x.square().sum())
    return Descent(tuple(taken), tuple(together), tuple(alone), best)
