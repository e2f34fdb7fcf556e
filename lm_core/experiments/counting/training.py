"""Learning to count: a recurrent network (RNN) reads runs of numbers and learns what follows each of them.

The task of the blog series (part IV): all runs of six numbers within 0..127, one-hot, the target
at every step being the number that follows. A run never wraps around: the last one is 121..126 and
its last target 127, so that 127 is never an input and 0 is never a target.

References
----------
Elman 1990, "Finding Structure in Time".
"""

import copy
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import SettingError
from lm_core.jobs.records import RunConfig
from lm_core.models.counting_network import CountingNetwork, CountingNetworkConfig
from lm_core.models.registry import config_to_dict
from lm_core.rng import generator
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop

BATCHES_PER_EPOCH = 2


@dataclass(frozen=True)
class CountingConfig:
    """One training: the network, and what it reads."""

    network: CountingNetworkConfig = field(default_factory=CountingNetworkConfig)
    length: int = 6
    """Numbers in a run, L, in 1..64 and below V."""
    epochs: int = 25
    """Passes over all V - L runs, in two batches each; in 1..200."""
    learning_rate: float = 0.1
    """Of Adam in the first epoch, in (0, 1]; it falls linearly and would reach 0 after the last."""
    seed: int = 0
    """Start of all randomness: weights and order."""

    def __post_init__(self) -> None:
        most = min(64, self.network.numbers - 2)
        if not 1 <= self.length <= most:
            raise SettingError(f"length must lie in 1..{most}, got {self.length}")
        if not 1 <= self.epochs <= 200:
            raise SettingError(f"epochs must lie in 1..200, got {self.epochs}")
        if not 0.0 < self.learning_rate <= 1.0:
            raise SettingError(f"learning_rate must lie in (0, 1], got {self.learning_rate}")

    @property
    def runs(self) -> int:
        """Number of different runs, V - L."""
        return self.network.numbers - self.length


class CountingEpoch(NamedTuple):
    """The network after an epoch."""

    epoch: int
    """0 before the training."""
    loss: float
    """Nats per number: the mean over the epoch's batches while it learned; of epoch 0, of all
    runs."""
    learning_rate: float
    model: CountingNetwork
    """A copy in evaluation mode: read it, never change it."""


def counting_runs(numbers: int, length: int) -> tuple[Tensor, Tensor]:
    """Return all runs of `length` consecutive numbers, and what follows each number of them.

    Returns
    -------
    inputs, targets : int64 Tensors of shape (V - L, L)
        Nothing wraps around: the targets end at V - 1, the inputs at V - 2.
    """
    inputs = torch.arange(numbers - length)[:, None] + torch.arange(length)
    return inputs, inputs + 1


def train_counting(config: CountingConfig) -> Iterator[CountingEpoch]:
    """Train a network to count, and yield it before the first epoch and after each.

    Every epoch has all runs once, in random order and two batches, with the true numbers as
    inputs whatever was predicted (*teacher forcing*). Raises DivergenceError if the loss or the
    gradient is no number any more.

    Yields
    ------
    CountingEpoch
        ``config.epochs + 1`` of them; the same config gives the same ones.
    """
    rng = generator(config.seed)
    model = CountingNetwork(config.network)
    model.initialise(rng)
    inputs, targets = counting_runs(config.network.numbers, config.length)
    with torch.no_grad():
        loss = _loss(model, inputs, targets).item()
    yield CountingEpoch(0, loss, config.learning_rate, _frozen(model))

    def learning_rate(step: int) -> float:
        return config.learning_rate * (config.epochs - step // BATCHES_PER_EPOCH) / config.epochs

    batches = _batches(len(inputs), rng)

    def next_loss() -> Tensor:
        batch = next(batches)
        return _loss(model, inputs[batch], targets[batch])

    steps = iter(
        TrainingLoop(
            model.parameters(),
            next_loss,
            Adam(model.parameters()),
            steps=config.epochs * BATCHES_PER_EPOCH,
            learning_rate=learning_rate,
        )
    )
    for epoch in range(1, config.epochs + 1):
        taken = list(islice(steps, BATCHES_PER_EPOCH))
        loss = sum(step.loss for step in taken) / len(taken)
        yield CountingEpoch(epoch, loss, taken[-1].learning_rate, _frozen(model))


def _batches(n: int, rng: torch.Generator) -> Iterator[Tensor]:
    """Yield the indices of each batch, epoch after epoch without end."""
    while True:
        yield from torch.randperm(n, generator=rng).tensor_split(BATCHES_PER_EPOCH)


def _loss(model: CountingNetwork, inputs: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy over all steps of all runs, in nats."""
    logits, _ = model(inputs, model.initial_state(len(inputs)))
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def _frozen(model: CountingNetwork) -> CountingNetwork:
    return copy.deepcopy(model).eval().requires_grad_(False)


def as_run(config: CountingConfig) -> RunConfig:
    """Return a training as a run would have it, by which it is compared with others; its steps are epochs."""
    training = {name: value for name, value in asdict(config).items() if name != "network"}
    return RunConfig(
        name=checkpoint_name(config, config.epochs),
        title="Counting",
        model=config_to_dict(config.network),
        training=training | {"steps": config.epochs},
        experiment="counting",
    )


def checkpoint_name(config: CountingConfig, epoch: int) -> str:
    """Return the name of a network's checkpoint.

    Examples
    --------
    >>> checkpoint_name(CountingConfig(), 25)
    'counting-normal-seed-0-epoch-25'
    """
    return f"counting-{config.network.initialisation}-seed-{config.seed}-epoch-{epoch}"


def save_counting(root: Path, config: CountingConfig, epoch: CountingEpoch, seconds: float) -> Path:
    """Write the checkpoint of one epoch below `root`; return its folder.

    Raises SettingError if the network is not trained yet, and CheckpointError if the folder cannot
    be written.

    Parameters
    ----------
    epoch : CountingEpoch, of a training with this config, after at least one epoch
    seconds : float, processor time of the training
    """
    if epoch.epoch < 1:
        raise SettingError(f"epoch must be at least 1, got {epoch.epoch}: train the network first")
    highest = config.network.numbers - 1
    meta = CheckpointMeta(
        name=checkpoint_name(config, epoch.epoch),
        title=f"RNN 1 x {config.network.hidden_size}, counting",
        config=config_to_dict(config.network),
        vocabulary=f"numbers 0 to {highest}",
        corpus=f"runs of {config.length} numbers from 0 to {highest}",
        corpus_sha256="",
        seed=config.seed,
        steps=epoch.epoch * BATCHES_PER_EPOCH,
        characters_seen=epoch.epoch * config.runs * config.length,
        seconds=round(seconds, 2),
        device="cpu",
        parameter_count=epoch.model.parameter_count,
        losses={"last epoch": epoch.loss},
        recipe={name: value for name, value in asdict(config).items() if name != "network"},
    )
    return save_checkpoint(root, epoch.model, meta)
