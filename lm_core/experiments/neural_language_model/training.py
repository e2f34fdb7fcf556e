"""Training Bengio's model on contexts and the token that followed each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import SettingError, require_below_1
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.transformer_blocks import dropout
from lm_core.rng import generator
from lm_core.text.names import SYMBOLS, name_stream
from lm_core.training.eager_optimizers import SGD, AdamW
from lm_core.training.evaluation import carried_losses
from lm_core.training.loop import TrainingLoop, TrainStep
from lm_core.training.optimizers import learning_rate_at

ADAMW, SGD_IN_TWO, GD, MOMENTUM = "adamw", "sgd", "gd", "momentum"
OPTIMIZERS = (ADAMW, SGD_IN_TWO, GD, MOMENTUM)
_MOMENTUM = 0.9


class Examples(NamedTuple):
    """Contexts and what followed."""

    contexts: Tensor
    """int64, of shape (N, n). The oldest token first."""
    targets: Tensor
    """int64, of shape (N,)."""

    def first(self, n: int) -> "Examples":
        """Return the first n of them."""
        return Examples(self.contexts[:n], self.targets[:n])


@dataclass(frozen=True)
class MLPTrainingConfig:
    """How an `MLPLanguageModel` is trained."""

    network: MLPLanguageModelConfig
    steps: int
    batch: int = 0
    """Examples a step, drawn with replacement; 0 for all of them at every step."""
    optimizer: str = ADAMW
    """``adamw``, ``gd``, which is SGD without momentum, or ``momentum``, which is SGD with it, their
    learning rate falling to 0 along half a cosine; or ``sgd`` without momentum, whose rate falls to a
    tenth after half of the steps, as in the notebooks of makemore."""
    learning_rate: float = 0.01
    """Of the first step."""
    weight_decay: float = 0.0
    """Of AdamW, on all weights."""
    dropout: float = 0.0
    """In [0, 1). Share of the hidden units that are switched off, anew for each example and step."""
    seed: int = 0
    """Start of all randomness: weights and batches."""

    def __post_init__(self) -> None:
        if self.optimizer not in OPTIMIZERS:
            raise SettingError(f"optimizer must be one of {OPTIMIZERS}, got {self.optimizer!r}")
        if self.steps < 1 or self.batch < 0 or not self.learning_rate > 0:
            raise SettingError(
                f"steps must be at least 1, batch 0 or more and learning_rate above 0, got {self}"
            )
        require_below_1(dropout=self.dropout)

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        if self.optimizer == SGD_IN_TWO:
            return self.learning_rate * (1.0 if step < self.steps / 2 else 0.1)
        return learning_rate_at(step, steps=self.steps, peak=self.learning_rate)


def examples_of_names(
    names: Sequence[str], context_size: int, symbols: Sequence[str] = SYMBOLS
) -> Examples:
    """Return every letter of some names, and the end of each, with the symbols before it."""
    ids, is_predicted = name_stream(names, context_size, symbols)
    windows = np.lib.stride_tricks.sliding_window_view(ids, context_size)
    places = np.flatnonzero(is_predicted)
    contexts = windows[places - context_size].copy()
    return Examples(torch.from_numpy(contexts), torch.from_numpy(ids[places]))


def start_network(config: MLPTrainingConfig) -> tuple[MLPLanguageModel, torch.Generator]:
    """Return the network before its training, and the generator that goes on to draw its batches."""
    rng = generator(config.seed)
    model = MLPLanguageModel(config.network)
    model.initialise(rng)
    return model, rng


def train_network(
    model: MLPLanguageModel, examples: Examples, config: MLPTrainingConfig, rng: torch.Generator
) -> Iterator[TrainStep]:
    """Train a network; its weights are those after the step that was yielded last.

    Raises DivergenceError if the loss or the gradient is no number any more.
    """

    def next_loss() -> Tensor:
        contexts, targets = examples
        if config.batch:
            drawn = torch.randint(len(targets), (config.batch,), generator=rng)
            contexts, targets = contexts[drawn], targets[drawn]
        mask = None
        if config.dropout:
            units = torch.ones(len(targets), config.network.hidden_size)
            mask = dropout(units, config.dropout, rng)
        return functional.cross_entropy(model.trace(contexts, mask).logits, targets)

    parameters = list(model.parameters())
    momentum = _MOMENTUM if config.optimizer == MOMENTUM else 0.0
    optimizer = (
        AdamW(parameters, lr=config.learning_rate, weight_decay=config.weight_decay)
        if config.optimizer == ADAMW
        else SGD(parameters, lr=config.learning_rate, momentum=momentum)
    )
    yield from TrainingLoop(
        parameters, next_loss, optimizer, steps=config.steps, learning_rate=config.rate
    )


def loss_on_names(model: MLPLanguageModel, names: Sequence[str]) -> float:
    """Return the mean nats of every letter of some names, and of the end of each."""
    ids, is_predicted = name_stream(names, model.config.context_size)
    losses = carried_losses(model, torch.from_numpy(ids))
    return float(losses[is_predicted[1:]].mean())
