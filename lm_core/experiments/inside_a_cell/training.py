"""Small networks that learn to name the first of twenty digits, and how they are trained.

Where they are asked after every digit, as in the blog series (part V), the early answers teach them
what to store. Where the loss is that of the last step alone, all that they learn about the first
digit comes through the gradient over nineteen steps: vanishing gradients show at their clearest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, TextError, require_fields_at_least_1
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.recurrent import Reading, RecurrentCellConfig, build_cell
from lm_core.models.recurrent_initialisation import draw_recurrence
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm

SYMBOLS, MOST_SYMBOLS = 10, 40
"""Number of digits; and of a visitor's sequence, the greatest length."""

LOSS_STEPS = ("all", "last")


class CellVariant(NamedTuple):
    """A kind of cell with its initialisation."""

    title: str
    kind: str
    initialisation: str
    forget_bias: float = 0.0


VARIANTS = {
    "rnn": CellVariant("RNN", "rnn", "uniform"),
    "rnn-orthogonal": CellVariant("RNN, orthogonal initialisation", "rnn", "orthogonal"),
    "irnn": CellVariant("IRNN", "irnn", "identity"),
    "gru": CellVariant("GRU", "gru", "uniform"),
    "lstm": CellVariant("LSTM", "lstm", "uniform"),
    "lstm-1": CellVariant("LSTM, forget bias 1", "lstm", "uniform", 1.0),
    "lstm-4": CellVariant("LSTM, forget bias 4", "lstm", "uniform", 4.0),
}


@dataclass(frozen=True)
class FirstSymbolConfig:
    """One network and its training."""

    variant: str
    """A key of `VARIANTS`."""
    learning_rate: float = 0.01
    """Of Adam, falling linearly to 0 over the training."""
    clip: float | None = 1.0
    """The gradient of all weights together is scaled down to this norm when it is longer."""
    loss_steps: str = "last"
    """After which digits the first one is asked for: ``all`` or ``last``."""
    updates: int = 1000
    batch: int = 64
    length: int = 20
    hidden_size: int = 16
    seed: int = 1
    """`updates`, `batch`, `length`, `hidden_size` and `seed`: training steps, sequences in each,
    digits in each sequence, H, and the seed of all randomness."""

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise SettingError(f"variant must be one of {tuple(VARIANTS)}, got {self.variant!r}")
        if self.loss_steps not in LOSS_STEPS:
            raise SettingError(f"loss_steps must be one of {LOSS_STEPS}, got {self.loss_steps!r}")
        require_fields_at_least_1(self, "updates batch length hidden_size")
        if not self.learning_rate > 0:
            raise SettingError(f"learning_rate must be greater than 0, got {self.learning_rate}")
        if self.clip is not None and not self.clip > 0:
            raise SettingError(f"clip must be greater than 0 or None, got {self.clip}")

    @property
    def name(self) -> str:
        """Of the network, among all of the grid."""
        return (
            f"{self.variant}/loss-{self.loss_steps}/rate-{self.learning_rate:g}"
            f"/clip-{self.clip or 'none'}"
        )


class FirstSymbolNetwork(nn.Module):
    """Digit -> one-hot -> cell -> ten scores, weights drawn from the config's seed."""

    def __init__(self, config: FirstSymbolConfig) -> None:
        super().__init__()
        variant = VARIANTS[config.variant]
        self.cell = build_cell(
            RecurrentCellConfig(variant.kind, SYMBOLS, config.hidden_size, variant.forget_bias)
        )
        self.readout = nn.Linear(config.hidden_size, SYMBOLS)
        rng = generator(config.seed)
        self.cell.initialise(rng)
        draw_recurrence(self.cell, variant.initialisation, rng)
        with torch.no_grad():
            for parameter in self.readout.parameters():
                bound = config.hidden_size**-0.5
                parameter.uniform_(-bound, bound, generator=rng)

    def read(self, digits: Tensor) -> Reading:
        """Read (B, T) digits with a record of every step."""
        return self.cell.read(self.as_inputs(digits))

    def probabilities(self, hidden: Tensor) -> Tensor:
        """Return the probability of each digit to be the first, (..., 10), from h (..., H)."""
        logits: Tensor = self.readout(hidden)
        return logits.softmax(-1)

    def as_inputs(self, digits: Tensor) -> Tensor:
        """Return digits (..., T) as one-hot vectors (..., T, 10)."""
        return nn.functional.one_hot(digits, SYMBOLS).to(self.readout.weight.dtype)


def train_first_symbol(
    network: FirstSymbolNetwork, config: FirstSymbolConfig
) -> Iterator[TrainStep]:
    """Train a network in place; its weights are up to date at each record.

    The loss is the mean over the batch and the answers asked for, in nats; ln 10 = 2.303 is chance.
    Raises DivergenceError if the loss or the gradient is no longer finite; the weights are those of
    the step before.
    """
    rng = generator(config.seed + 1_000_000)  # apart from that of the weights
    fused = FusedCell(network.cell)
    parameters = [*fused.parameters(), *network.readout.parameters()]
    n_asked = config.length if config.loss_steps == "all" else 1

    def next_loss() -> Tensor:
        digits = torch.randint(SYMBOLS, (config.batch, config.length), generator=rng)
        hidden, _ = fused(network.as_inputs(digits))
        logits = network.readout(hidden[:, -n_asked:])  # (B, n_asked, 10)
        first = digits[:, :1].expand(-1, n_asked)
        return nn.functional.cross_entropy(logits.flatten(0, 1), first.flatten())

    loop = TrainingLoop(
        parameters,
        next_loss,
        Adam(parameters),
        steps=config.updates,
        learning_rate=lambda step: config.learning_rate * (1 - step / config.updates),
        clip=clip_by_norm(config.clip),
    )
    for step in loop:
        fused.copy_to(network.cell)
        yield step


@torch.no_grad()
def accuracy(
    network: FirstSymbolNetwork, rng: torch.Generator, *, sequences: int = 1000, length: int = 20
) -> float:
    """Return the share of fresh random sequences whose first digit the network names at the end."""
    digits = torch.randint(SYMBOLS, (sequences, length), generator=rng)
    hidden, _ = FusedCell(network.cell)(network.as_inputs(digits))
    right = network.readout(hidden[:, -1]).argmax(-1) == digits[:, 0]
    return float(right.double().mean())


def read_digits(text: str) -> tuple[int, ...]:
    """Return the digits of a text; spaces and commas between them are left out.

    Raises TextError if it holds anything but digits, or fewer than 2 or more than 40 of them.

    Examples
    --------
    >>> read_digits("7, 3 12")
    (7, 3, 1, 2)
    """
    symbols = "".join(text.replace(",", " ").split())
    foreign = next((symbol for symbol in symbols if symbol not in "0123456789"), None)
    if foreign is not None:
        raise TextError(f"the networks read the digits 0 to 9, got {foreign!r}: leave it out")
    if not 2 <= len(symbols) <= MOST_SYMBOLS:
        raise TextError(
            f"a sequence has 2 to {MOST_SYMBOLS} digits, got {len(symbols)}:"
            f" {'add some' if len(symbols) < 2 else 'shorten it'}"
        )
    return tuple(map(int, symbols))
