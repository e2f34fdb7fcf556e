"""One network that many workers train: each sends a gradient, right or wrong, and a step follows their mean.

Every worker holds an equal share of the examples, so the mean of right gradients is that of all examples. The
median of each weight's gradients does not follow a few that are far off.

References
----------
Blanchard, El Mhamdi, Guerraoui & Stainer 2017, "Machine Learning with Adversaries". https://arxiv.org/abs/1703.02757
Yin, Chen, Ramchandran & Bartlett 2018, "Byzantine-Robust Distributed Learning". https://arxiv.org/abs/1803.01498
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call
from torch.nn import functional as F

from lm_core.experiments.neural_language_model.training import (
    Examples,
    MLPTrainingConfig,
    start_network,
)
from lm_core.experiments.thirty_runs.scaling import SIZES, network_of

STEPS, LEARNING_RATE, EXAMPLES = 10, 5.0, 3_000
STALE_STEPS = 5
NOTHING, RIGHT, TURNED = "Nothing", "As computed", "Sign turned"
TIMES_100, STALE = "Times 100", f"{STALE_STEPS} steps old"
FACTORS = {NOTHING: 0.0, RIGHT: 1.0, TURNED: -1.0, TIMES_100: 100.0, STALE: 1.0}
"""What a worker may send, and by what its gradient is multiplied."""


class Descent(NamedTuple):
    """The way of one network."""

    losses: list[float]
    """Of length T + 1. Nats a character over all examples, before each step and after the last."""
    lengths: list[list[float]]
    """Of T steps and K workers: how long the gradient is that each has sent."""


def descend(
    examples: Examples,
    vocabulary_size: int,
    sent: Sequence[Sequence[str]],
    n_workers: int,
    *,
    is_median: bool = False,
) -> Descent:
    """Train a network by what its workers send at each step; where none sends anything, it stays as it is.

    Parameters
    ----------
    sent : sequence of T steps, each of K keys of `FACTORS`
    is_median : bool, whether a step follows the median of each weight's gradients in place of the mean
    """
    each = EXAMPLES // n_workers
    contexts, targets = (
        part[: n_workers * each].unflatten(0, (n_workers, each)) for part in examples
    )
    config = MLPTrainingConfig(network_of(SIZES[1], vocabulary_size), STEPS)
    network, _ = start_network(config)
    pieces = {name: weight.shape for name, weight in network.named_parameters()}
    sizes = [shape.numel() for shape in pieces.values()]

    def loss(theta: Tensor, contexts: Tensor, targets: Tensor) -> Tensor:
        parts = zip(pieces.items(), theta.split(sizes), strict=True)
        weights = {name: part.view(shape) for (name, shape), part in parts}
        logits, _ = functional_call(network, weights, (contexts[:, 1:], (contexts[:, :1],)))
        return F.cross_entropy(logits[:, -1], targets)

    # In float64, so that a network that is thrown far away ends at the same place on every machine.
    path = [torch.cat([weight.detach().double().flatten() for weight in network.parameters()])]
    lengths = []
    for t, row in enumerate(sent):
        read = [path[max(0, t - STALE_STEPS)] if what == STALE else path[t] for what in row]
        weights = torch.stack(read).requires_grad_()
        total = torch.stack([*map(loss, weights, contexts, targets)]).sum()
        (gradients,) = torch.autograd.grad(total, weights)
        factors = gradients.new_tensor([FACTORS[what] for what in row])
        arrived = (factors[:, None] * gradients)[factors != 0.0]
        lengths.append((factors.abs() * gradients.norm(dim=1)).tolist())
        if not len(arrived):
            path.append(path[t])
            continue
        together = arrived.quantile(0.5, dim=0) if is_median else arrived.mean(0)
        path.append(path[t] - LEARNING_RATE * together)
    everything = (contexts.flatten(0, 1), targets.flatten())
    return Descent([float(loss(theta, *everything)) for theta in path], lengths)
