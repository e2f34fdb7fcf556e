"""Training the one-layer network on counts, all of them at every step."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.ngram_network import NGramNetwork, NGramNetworkConfig
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop, TrainStep
from lm_core.training.optimizers import learning_rate_at

BETAS, EPSILON = (0.9, 0.99), 1e-12
"""Of Adam. A row of a rare context has a tiny gradient, which must not vanish beside epsilon."""


@dataclass(frozen=True)
class NGramTrainingConfig:
    """How the network is trained."""

    network: NGramNetworkConfig
    k: float = 1.0
    """Added to every count before the training, 0 for the counts as they are."""
    steps: int = 250
    learning_rate: float = 0.5
    """It falls to 0 along half a cosine."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.k >= 0 or self.steps < 1:
            raise SettingError(f"k must be at least 0 and steps at least 1, got {self}")

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        return learning_rate_at(step, steps=self.steps, peak=self.learning_rate)


class NGramSnapshot(NamedTuple):
    """The network at one step of its training."""

    step: int
    """0 is before the training."""
    loss: float
    """Mean nats of the counts' symbols before the step; nan before the training."""
    difference: float
    """The largest between a probability of the network and of the counts, contexts without a
    count left out."""
    weight: Tensor
    """Of shape (V ** (n - 1), V)."""

    @property
    def probabilities(self) -> np.ndarray:
        """Of the network, shape (V ** (n - 1), V)."""
        return self.weight.softmax(1).numpy()


def target(counts: np.ndarray, k: float) -> np.ndarray:
    """Return the counts' probabilities, row by row, after k was added; nan in a row of zeros."""
    raised = counts + k
    with np.errstate(invalid="ignore"):
        return np.asarray(raised / raised.sum(1, keepdims=True))


def counts_loss(weight: Tensor, share: Tensor) -> Tensor:
    """Return the cross-entropy between the counts' shares of all n-grams and the network's softmax."""
    return -(share * weight.log_softmax(1)).sum()


def train_on_counts(
    config: NGramTrainingConfig, counts: np.ndarray, dtype: torch.dtype = torch.float32
) -> Iterator[NGramSnapshot]:
    """Train the one-layer network until it predicts as the counts do; yield it after every step.

    Raises SettingError if the counts have another shape, or all are 0.

    `counts`: int ndarray of shape (V ** (n - 1), V), how often each symbol came after each context.
    """
    network = NGramNetwork(config.network).to(dtype)
    if counts.shape != network.weight.shape or not counts.sum() + config.k:
        raise SettingError(
            f"counts must have shape {tuple(network.weight.shape)} and a positive sum, got"
            f" {counts.shape} and {counts.sum()}"
        )
    network.initialise(generator(config.seed))
    wanted = torch.from_numpy(target(counts, config.k)).to(dtype)
    raised = counts + config.k
    share = torch.from_numpy(raised / raised.sum()).to(dtype)
    loop = TrainingLoop(
        network.parameters(),
        lambda: counts_loss(network.weight, share),
        Adam(network.parameters(), lr=config.learning_rate, betas=BETAS, eps=EPSILON),
        steps=config.steps,
        learning_rate=config.rate,
    )
    yield _snapshot(network, wanted)
    for step in loop:
        yield _snapshot(network, wanted, step)


def _snapshot(
    network: NGramNetwork, wanted: Tensor, step: TrainStep | None = None
) -> NGramSnapshot:
    difference = (network.probabilities() - wanted).abs()
    largest = float(difference[~wanted.isnan()].max())
    number, loss = (step.step, step.loss) if step else (0, math.nan)
    return NGramSnapshot(number, loss, largest, network.weight.detach().clone())
