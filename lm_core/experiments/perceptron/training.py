"""Networks that learn to tell points of two classes apart, many starts at once, with their whole way."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, require_at_least_1
from lm_core.experiments.perceptron.tasks import LabelledPoints
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.feed_forward import (
    Layer,
    Layers,
    backward,
    cross_entropy,
    descend,
    forward,
    initialise,
)
from lm_core.models.perceptron import Bounds, Perceptron, grid
from lm_core.rng import generator

N_FRAMES = 41


@dataclass(frozen=True)
class NetworkSettings:
    """All that a training depends on, beside the points."""

    hidden: tuple[int, ...]
    """Units of each hidden layer."""
    activation: str = "tanh"
    """One of `lm_core.models.activations.ACTIVATIONS`."""
    seed: int = 1
    """Of the weights."""
    networks: int = 1
    """Starts, trained side by side."""
    learning_rate: float = 0.5
    """Of gradient descent on all points at once."""
    steps: int = 1_500

    def __post_init__(self) -> None:
        require_at_least_1(hidden_layers=len(self.hidden), networks=self.networks, steps=self.steps)
        require_at_least_1(**{f"layer_{i}": n for i, n in enumerate(self.hidden, start=1)})
        if self.activation not in ACTIVATIONS:
            raise SettingError(
                f"activation must be one of {', '.join(ACTIVATIONS)}, got {self.activation!r}"
            )
        if not self.learning_rate > 0:
            raise SettingError(f"learning_rate must be above 0, got {self.learning_rate}")


class Training(NamedTuple):
    """The way of R networks, at F snapshots."""

    steps: tuple[int, ...]
    """Tuple of F int. Steps of gradient descent before each snapshot; more of them at the
    beginning."""
    layers: tuple[Layers, ...]
    """Tuple of F Layers."""
    losses: Tensor
    """Of shape (F, R). In nats; not a number where a network has diverged."""
    n_right: Tensor
    """Of shape (F, R). Points on the right side."""


def snapshot_steps(steps: int) -> tuple[int, ...]:
    """Return the steps after which a training is recorded: the first, the last, and early ones."""
    last = N_FRAMES - 1
    return tuple(dict.fromkeys(round(steps * (i / last) ** 2) for i in range(N_FRAMES)))


def train(points: LabelledPoints, settings: NetworkSettings) -> Training:
    """Train all networks by gradient descent on all points at once."""
    activation = ACTIVATIONS[settings.activation]
    layers = initialise((2, *settings.hidden, 1), settings.networks, generator(settings.seed))
    recorded = snapshot_steps(settings.steps)
    due, kept, losses, right = set(recorded), [], [], []
    for step in range(settings.steps + 1):
        trace = forward(layers, points.inputs, activation)
        if step in due:
            kept.append(layers)
            losses.append(cross_entropy(trace, points.targets))
            right.append(((trace.logits >= 0) == points.targets.bool()).sum(-1))
        gradients = backward(layers, trace, points.targets, activation)
        layers = descend(layers, gradients, settings.learning_rate)
    return Training(recorded, tuple(kept), torch.stack(losses), torch.stack(right))


def surfaces(layers: Layers, activation: str, bounds: Bounds, size: int) -> Tensor:
    """Return P(class 1) of each network over a part of the plane, (R, size, size), its top row first."""
    places = grid(bounds, size).flatten(0, 1)
    logits = forward(layers, places, ACTIVATIONS[activation]).logits
    return logits.sigmoid().unflatten(-1, (size, size))


def hidden_units(layers: Layers, network: int) -> tuple[Perceptron, ...]:
    """Return the units of a network's first layer: the border of each is where its sum is 0."""
    weights, bias = layers[0].weights[network], layers[0].bias[network, 0]
    return tuple(
        Perceptron(tuple(weights[:, unit].tolist()), float(bias[unit]))
        for unit in range(weights.shape[1])
    )


def network_of(layers: Layers, network: int) -> Layers:
    """Return one of the networks alone."""
    alone = slice(network, network + 1)
    return tuple(Layer(layer.weights[alone], layer.bias[alone]) for layer in layers)
