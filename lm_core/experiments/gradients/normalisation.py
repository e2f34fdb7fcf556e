"""Batch norm by the size of its batches: what it estimates, and how well a network learns with it.

A training batch is normalised with its own mean and variance. At evaluation running averages of
these stand in, because an answer must not depend on what else is asked at the same time. Of few
examples both are poor estimates, and training and evaluation see different networks.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from lm_core.errors import SettingError, require_at_least_1
from lm_core.results import Share
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam

NONE, BATCH_NORM, LAYER_NORM = "none", "batch norm", "layer norm"
LAYERS = (NONE, BATCH_NORM, LAYER_NORM)
BATCH_SIZES = (2, 4, 8, 16, 32, 64)
MOMENTUM = 0.1
"""Of the running averages, as in `torch.nn.BatchNorm1d`: the share of the newest batch."""

_WIDTH, _DEPTH = 32, 3
_EXAMPLES, _PASSES, _RATE = 512, 30, 0.003
_NOISE = 0.04
_TURNS = 1.5


class Examples(NamedTuple):
    """Points of two spirals, and their classes."""

    inputs: Tensor
    """Of shape (N, 2), float64."""
    targets: Tensor
    """Of shape (N,), of 0 and 1."""


def spirals(n: int, rng: Generator) -> Examples:
    """Draw n points of two spirals of one and a half turns, wound into each other, with noise.

    Both directions have about mean 0 and a deviation of 0.4.
    """
    require_at_least_1(n=n)
    targets = torch.arange(n) % 2
    along = torch.rand(n, generator=rng, dtype=torch.float64).sqrt()
    angles = 2.0 * math.pi * _TURNS * along + math.pi * targets
    places = torch.stack([angles.cos(), angles.sin()], 1) * (0.1 + 0.9 * along)[:, None]
    noise = _NOISE * torch.randn((n, 2), generator=rng, dtype=torch.float64)
    return Examples(places + noise, targets)


class RunningStatistics(NamedTuple):
    """What batch norm knows of one unit, batch after batch."""

    batch_means: Tensor
    batch_variances: Tensor
    """`batch_means` and `batch_variances`: of shape (K,). Of each batch; the variances unbiased,
    as they enter the running average."""
    means: Tensor
    variances: Tensor
    """`means` and `variances`: of shape (K + 1,). The running averages, from 0 and 1 on."""


def running_statistics(
    values: Tensor, batch_size: int, batches: int, rng: Generator
) -> RunningStatistics:
    """Draw batches of a unit's values (N,), and average their statistics as batch norm does.

    Raises SettingError if a batch has fewer than 2 examples: there is no variance of one.
    """
    if batch_size < 2:
        raise SettingError(f"batch_size must be at least 2, got {batch_size}: one has no variance")
    require_at_least_1(batches=batches)
    drawn = values[torch.randint(len(values), (batches, batch_size), generator=rng)]
    batch_variances, batch_means = torch.var_mean(drawn, 1)
    means, variances = [0.0], [1.0]
    for mean, variance in zip(batch_means.tolist(), batch_variances.tolist(), strict=True):
        means.append((1.0 - MOMENTUM) * means[-1] + MOMENTUM * mean)
        variances.append((1.0 - MOMENTUM) * variances[-1] + MOMENTUM * variance)
    return RunningStatistics(
        batch_means, batch_variances, torch.tensor(means).double(), torch.tensor(variances).double()
    )


def unit_values() -> Tensor:
    """Return what one ReLU unit says of 512 points: the values that are normalised on the page."""
    inputs = spirals(_EXAMPLES, generator(1)).inputs
    return torch.relu(2.0 * inputs[:, 0] - inputs[:, 1] + 0.5)


class NormalisationRun(NamedTuple):
    """How often a network is wrong on new points, trained with one kind of layer and one batch size."""

    layers: str  # one of `LAYERS`
    batch_size: int
    seed: int
    evaluated: Share  # that is wrong with running averages, as a network is used
    in_batches: (
        Share  # ... with those of batches of the training's size; without batch norm the same
    )


def train_network(
    layers: str, batch_size: int, seed: int, *, passes: int = _PASSES
) -> NormalisationRun:
    """Train a network on spirals with batches of a size, and count what it gets wrong.

    All see the same examples equally often, whatever the size of their batches. Raises SettingError
    if there is no such kind of layer, or a batch has fewer than 2 examples.
    """
    if layers not in LAYERS:
        raise SettingError(f"layers must be one of {', '.join(LAYERS)}, got {layers!r}")
    if batch_size < 2:
        raise SettingError(f"batch_size must be at least 2, got {batch_size}: one has no variance")
    rng = generator(seed)
    examples, unseen = spirals(_EXAMPLES, rng), spirals(_EXAMPLES, rng)
    network = _network(layers, rng)
    optimizer = Adam(network.parameters(), lr=_RATE)
    for _ in range(passes):
        order = torch.randperm(_EXAMPLES, generator=rng)
        for batch in order.split(batch_size):
            optimizer.zero_grad()
            logits = network(examples.inputs[batch])[:, 0]
            targets = examples.targets[batch].double()
            F.binary_cross_entropy_with_logits(logits, targets).backward()
            optimizer.step()
    with torch.no_grad():
        in_batches = [
            _wrong(network, unseen, batch) for batch in torch.arange(_EXAMPLES).split(batch_size)
        ]
        network.eval()
        evaluated = _wrong(network, unseen, torch.arange(_EXAMPLES))
    return NormalisationRun(
        layers, batch_size, seed, evaluated / _EXAMPLES, sum(in_batches) / _EXAMPLES
    )


def _network(layers: str, rng: Generator) -> nn.Sequential:
    """Return a network of three hidden layers, its weights drawn by He's rule."""
    kinds: dict[str, type[nn.Module]] = {BATCH_NORM: nn.BatchNorm1d, LAYER_NORM: nn.LayerNorm}
    parts: list[nn.Module] = []
    sizes = [2] + [_WIDTH] * _DEPTH
    for n_in, n_out in pairwise(sizes):
        parts.append(nn.Linear(n_in, n_out))
        if layers in kinds:
            parts.append(kinds[layers](n_out))
        parts.append(nn.ReLU())
    network = nn.Sequential(*parts, nn.Linear(_WIDTH, 1)).double()
    for part in network:
        if isinstance(part, nn.Linear):
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu", generator=rng)
            nn.init.zeros_(part.bias)
    return network


def _wrong(network: nn.Module, examples: Examples, batch: Tensor) -> int:
    says = network(examples.inputs[batch])[:, 0] >= 0
    return int((says != examples.targets[batch].bool()).sum())
