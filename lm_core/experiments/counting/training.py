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
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, ShapeError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.recurrent import ElmanCell
from lm_core.rng import generator

STARTS = ("normal", "uniform")


@dataclass(frozen=True)
class CountingNetworkConfig:
    """The network that learns to count.

    Attributes
    ----------
    numbers : int
        V: it reads and predicts 0..V-1; at least 2.
    hidden_size : int
        H, in 1..256.
    start : str
        How its recurrent weights are drawn: ``normal``, from a standard normal distribution, as in
        the source documents, which saturates most of the tanh units from the first step on; or
        ``uniform``, within 1/sqrt(H), as torch does.
    """

    numbers: int = 128
    hidden_size: int = 32
    start: str = "normal"

    def __post_init__(self) -> None:
        if self.numbers < 2:
            raise SettingError(f"numbers must be at least 2, got {self.numbers}")
        if not 1 <= self.hidden_size <= 256:
            raise SettingError(f"hidden_size must lie in 1..256, got {self.hidden_size}")
        if self.start not in STARTS:
            raise SettingError(f"start must be one of {STARTS}, got {self.start!r}")


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


class CountingNetwork(LanguageModel):
    """One-hot numbers -> Elman cell (tanh) -> linear. The state is (h,), of shape (B, H)."""

    def __init__(self, config: CountingNetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.cell = ElmanCell(config.numbers, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.numbers)

    @property
    def vocabulary_size(self) -> int:
        """How many numbers there are, V."""
        return self.config.numbers

    def initial_state(self, batch: int) -> State:
        """Return zeros for h."""
        return self.cell.initial_state(batch)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) numbers; return logits (B, T, V) and the state after them."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        one_hot = functional.one_hot(tokens, self.config.numbers).to(self.output.weight.dtype)
        hidden, state = self.cell(one_hot, state)  # (B, T, H)
        return self.output(hidden), state

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights as the config's `start` says; the output layer's as torch does."""
        self.cell.initialise(rng)
        if self.config.start == "normal":
            for parameter in self.cell.parameters():
                parameter.normal_(generator=rng)
        bound = self.config.hidden_size**-0.5
        for parameter in self.output.parameters():
            parameter.uniform_(-bound, bound, generator=rng)


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
