"""What the tanh units respond to every batch of a short training, and how often each is saturated by the last."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import torch
from torch import Tensor

from lm_core.analysis.saturation import N_BINS, SATURATED
from lm_core.experiments.neural_language_model.study import EXPERIMENT, PUBLISHED
from lm_core.experiments.neural_language_model.training import (
    Examples,
    MLPTrainingConfig,
    examples_of_names,
    start_network,
    train_network,
)
from lm_core.models.mlp import NORMAL, SCALED
from lm_core.results import NOT_EMPTY, NonNegative, Recorded, StoredTensor

_TRAINING = MLPTrainingConfig(
    PUBLISHED, steps=800, batch=256, learning_rate=0.01, weight_decay=0.01
)
TRAININGS = tuple(
    replace(_TRAINING, network=replace(PUBLISHED, initialisation=start))
    for start in (NORMAL, SCALED)
)
"""As many batches as in the blog post on Bengio's model."""


@dataclass(frozen=True)
class Activations:
    """One training."""

    config: MLPTrainingConfig
    responses: StoredTensor
    """int32 (steps, `N_BINS`): how many of each batch lie in each part of -1..1."""
    saturated: StoredTensor  # (h,), share of the last batch that saturates each unit
    first_loss: NonNegative  # nats a letter of the first batch, and of the last ten
    last_loss: NonNegative

    @property
    def most_saturated(self) -> float:
        """Share of the last batch that saturates the unit which is saturated most often."""
        return self.saturated.max().item()


@dataclass(frozen=True)
class ActivationResults(
    Recorded, name=f"{EXPERIMENT}-activations", experiment=f"{EXPERIMENT} --activations"
):
    """From each start."""

    trainings: Annotated[tuple[Activations, ...], NOT_EMPTY]


def record_all(names: Sequence[str]) -> tuple[Activations, ...]:
    """Train from each start on some names."""
    examples = examples_of_names(names, PUBLISHED.context_size)
    return tuple(record_activations(config, examples) for config in TRAININGS)


def record_activations(config: MLPTrainingConfig, examples: Examples) -> Activations:
    """Train a network, and count after each step what its units respond to the batch of the step."""
    model, rng = start_network(config)
    responses: list[Tensor] = []
    seen: list[Tensor] = []

    def keep(_module: object, _inputs: object, before_tanh: Tensor) -> None:
        seen[:] = [torch.tanh(before_tanh.detach())]

    handle = model.hidden.register_forward_hook(keep)
    losses = []
    for step in train_network(model, examples, config, rng):
        responses.append(torch.histc(seen[0], N_BINS, -1.0, 1.0).int())
        losses.append(step.loss)
    handle.remove()
    saturated = (seen[0].abs() > SATURATED).float().mean(0)
    last = sum(losses[-10:]) / len(losses[-10:])
    return Activations(
        config, torch.stack(responses), saturated, round(losses[0], 4), round(last, 4)
    )
