"""Learning to count: an Elman network that is shown runs of numbers and told the next of each.

The task of the source documents (part IV): all runs of six numbers within 0..127, one-hot, the
target at every step being the number that follows. A run never wraps around: the last one is
121..126 and its last target 127, so that 127 is never read and 0 is never asked for.

References
----------
Elman 1990, "Finding Structure in Time".
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import SettingError
from lm_core.models.counting_network import CountingNetwork, CountingNetworkConfig
from lm_core.rng import generator


@dataclass(frozen=True)
class CountingConfig:
    """One training: the network, and what it is shown.

    Attributes
    ----------
    network : CountingNetworkConfig
    length : int
        Numbers in a run, L, in 1..64 and below V.
    epochs : int
        Times that all V - L runs are shown, in two batches each time; in 1..200.
    learning_rate : float
        Of Adam in the first epoch, in (0, 1]; it falls linearly and would reach 0 after the last.
    seed : int
        Start of all randomness: weights and order.
    """

    network: CountingNetworkConfig = field(default_factory=CountingNetworkConfig)
    length: int = 6
    epochs: int = 25
    learning_rate: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        most = min(64, self.network.numbers - 2)
        if not 1 <= self.length <= most:
            raise SettingError(f"length must lie in 1..{most}, got {self.length}")
        if not 1 <= self.epochs <= 200:
            raise SettingError(f"epochs must lie in 1..200, got {self.epochs}")
        if not 0.0 < self.learning_rate <= 1.0:
            raise SettingError(f"learning_rate must lie in (0, 1], got {self.learning_rate}")


class CountingEpoch(NamedTuple):
    """The network after so many epochs."""

    epoch: int
    loss: (
        float  # nats per number: the epoch's mean, batch by batch as it learned; of epoch 0, before
    )
    learning_rate: float
    model: CountingNetwork  # a copy in evaluation mode: read it, never change it


def counting_runs(numbers: int, length: int) -> tuple[Tensor, Tensor]:
    """Return all runs of `length` consecutive numbers, and what follows each number of them.

    Returns
    -------
    inputs, targets : int64 Tensors of shape (V - L, L)
        Nothing wraps around: the targets end at V - 1, the inputs at V - 2.
    """
    inputs = torch.arange(numbers - length)[:, None] + torch.arange(length)
    return inputs, inputs + 1


def learn_to_count(config: CountingConfig) -> Iterator[CountingEpoch]:
    """Train a network to count, and yield it before the first epoch and after each.

    Every epoch shows all runs once, in random order and two batches, with the true numbers as
    inputs whatever was predicted (*teacher forcing*).

    Parameters
    ----------
    config : CountingConfig

    Yields
    ------
    CountingEpoch
        ``config.epochs + 1`` of them; the same config gives the same ones.
    """
    rng = generator(config.seed)
    model = CountingNetwork(config.network)
    model.initialise(rng)
    inputs, targets = counting_runs(config.network.numbers, config.length)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    with torch.no_grad():
        loss = _loss(model, inputs, targets).item()
    yield CountingEpoch(0, loss, config.learning_rate, _frozen(model))
    for epoch in range(config.epochs):
        rate = config.learning_rate * (config.epochs - epoch) / config.epochs
        optimizer.param_groups[0]["lr"] = rate
        losses = []
        for batch in torch.randperm(len(inputs), generator=rng).tensor_split(2):
            batch_loss = _loss(model, inputs[batch], targets[batch])
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            losses.append(batch_loss.item())
        yield CountingEpoch(epoch + 1, sum(losses) / len(losses), rate, _frozen(model))


def _loss(model: CountingNetwork, inputs: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy over all steps of all runs, in nats."""
    logits, _ = model(inputs, model.initial_state(len(inputs)))
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def _frozen(model: CountingNetwork) -> CountingNetwork:
    return copy.deepcopy(model).eval().requires_grad_(False)
