r"""Networks that learn two classes of points, with weight decay and dropout, evaluated as they go.

Weight decay adds the squared length of the weights to what is minimised,

    \mathcal{L}(\theta) + \lambda/2 \|W\|^2,    with gradient    g + \lambda W,

so that each step also shortens them; biases are left alone. It is torch.optim's `weight_decay`. Dropout
sets the output of each hidden unit to 0 with probability p, anew for every point and step, and divides
the others by 1 - p, so that their mean stays. For evaluation all units are on: as `torch.nn.Dropout`.

References
----------
Krogh & Hertz 1991, "A simple weight decay can improve generalization".
Srivastava et al. 2014, "Dropout: a simple way to prevent neural networks from overfitting".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.errors import SettingError, require_at_least_1, require_below_1
from lm_core.experiments.overfitting.points import Samples, half_moons
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.feed_forward import Layer, Layers, backward, cross_entropy, forward, initialise
from lm_core.models.transformer_blocks import dropout
from lm_core.rng import generator
from lm_core.training.update_rules import Adam

ACTIVATION = ACTIVATIONS["tanh"]
HIDDEN_LAYERS = 2
STEPS = 400
EVERY = 10
"""Steps between two evaluations."""
VALIDATION_POINTS = 300
_VALIDATION_SEED = 10_000


@dataclass(frozen=True)
class NetworkSettings:
    """All that a training depends on."""

    units: int = 32
    """Of each hidden layer."""
    points: int = 40
    """That are learned from."""
    label_noise: float = 0.1
    """Share of labels that are wrong."""
    weight_decay: float = 0.0
    """lambda."""
    dropout: float = 0.0
    """In [0, 1). p."""
    seed: int = 1
    """Of points, weights and dropout."""
    networks: int = 1
    """Trained side by side, each with points and weights of its own."""
    steps: int = STEPS
    learning_rate: float = 0.01
    """Adam's."""

    def __post_init__(self) -> None:
        require_at_least_1(units=self.units, networks=self.networks, steps=self.steps)
        if not self.weight_decay >= 0.0:
            raise SettingError(f"weight_decay must be at least 0, got {self.weight_decay}")
        require_below_1(dropout=self.dropout)
        if not self.learning_rate > 0.0:
            raise SettingError(f"learning_rate must be above 0, got {self.learning_rate}")


class Scores(NamedTuple):
    """What R networks say of labelled points at E evaluations."""

    losses: Tensor
    """Of shape (E, R). Mean cross-entropy in nats, dropout off."""
    errors: Tensor
    """Of shape (E, R). Share of points on the wrong side."""


class Training(NamedTuple):
    """The way of R networks, at E evaluations."""

    samples: Samples
    """That they learned from."""
    steps: tuple[int, ...]
    """Tuple of E int."""
    layers: tuple[Layers, ...]
    """Tuple of E Layers."""
    training: Scores
    validation: Scores
    """`training` and `validation`: on these samples, and on other points with right labels."""


def validation_points(points: int = VALIDATION_POINTS, seed: int = _VALIDATION_SEED) -> Samples:
    """Return points that nothing learns from, all with their right labels."""
    return half_moons(points, 0.0, generator(seed))


def train(settings: NetworkSettings) -> Training:
    """Train networks by Adam on all of their points at once."""
    rng = generator(settings.seed)
    samples = half_moons(settings.points, settings.label_noise, rng, settings.networks)
    held_out = validation_points()
    sizes = (2, *(settings.units,) * HIDDEN_LAYERS, 1)
    weights = flattened(initialise(sizes, settings.networks, rng))
    decayed = settings.weight_decay * _is_decayed(sizes)
    rule = Adam()
    memory = rule.start(weights)
    steps = tuple(range(0, settings.steps + 1, EVERY))
    kept: list[Layers] = []
    scores: list[list[Tensor]] = []
    for step in range(settings.steps + 1):
        layers = layers_of(weights, sizes)
        if step % EVERY == 0:
            kept.append(layers)
            scores.append([*score(layers, samples), *score(layers, held_out)])
        gradient = flattened(_gradients(layers, samples, settings.dropout, rng))
        gradient = gradient + decayed * weights
        weights, memory = rule.step(weights, gradient, memory, settings.learning_rate)
    columns = [torch.stack(column) for column in zip(*scores, strict=True)]
    return Training(samples, steps, tuple(kept), Scores(*columns[:2]), Scores(*columns[2:]))


def _gradients(layers: Layers, samples: Samples, rate: float, rng: Generator) -> Layers:
    masks = dropout_masks(layers, samples.inputs.shape[1], rate, rng)
    trace = forward(layers, samples.inputs, ACTIVATION, masks)
    return backward(layers, trace, samples.targets, ACTIVATION)


def dropout_masks(layers: Layers, points: int, rate: float, rng: Generator) -> Sequence[Tensor]:
    """Return what each hidden layer's outputs are multiplied by: 0, or 1 / (1 - rate); none without dropout.

    A new mask for every network, point and unit, (R, N, n_out). The rate is rounded to 1/256.
    """
    if not rate:
        return ()
    return [
        dropout(layer.bias.new_ones(len(layer.bias), points, layer.bias.shape[-1]), rate, rng)
        for layer in layers[:-1]
    ]


def score(layers: Layers, samples: Samples) -> tuple[Tensor, Tensor]:
    """Return loss and share of wrong points of R networks, each (R,), dropout off."""
    trace = forward(layers, samples.inputs, ACTIVATION)
    is_wrong = (trace.logits >= 0) != samples.targets.bool()
    return cross_entropy(trace, samples.targets), is_wrong.double().mean(-1)


def flattened(layers: Layers) -> Tensor:
    """Return all weights and biases of R networks, or their gradients, in one tensor (R, P)."""
    return torch.cat([tensor.flatten(1) for layer in layers for tensor in layer], 1)


def layers_of(weights: Tensor, sizes: Sequence[int]) -> Layers:
    """Return the layers that `flattened` has put into one tensor, as views of it."""
    layers, start = [], 0
    for n_in, n_out in pairwise(sizes):
        middle, end = start + n_in * n_out, start + (n_in + 1) * n_out
        layers.append(
            Layer(
                weights[:, start:middle].unflatten(1, (n_in, n_out)),
                weights[:, middle:end].unsqueeze(1),
            )
        )
        start = end
    return tuple(layers)


def _is_decayed(sizes: Sequence[int]) -> Tensor:
    """Return 1 for each weight and 0 for each bias, in the order of `flattened`, (P,)."""
    parts = [
        torch.cat([torch.ones(n_in * n_out), torch.zeros(n_out)]) for n_in, n_out in pairwise(sizes)
    ]
    return torch.cat(parts).double()


def penalty(layers: Layers, weight_decay: float) -> Tensor:
    """Return what weight decay adds to the loss of each network, (R,): ``weight_decay / 2 |W|^2``."""
    squares = torch.stack([layer.weights.square().sum((1, 2)) for layer in layers])
    return 0.5 * weight_decay * squares.sum(0)
