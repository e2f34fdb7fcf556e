r"""A scaling law that a class can measure: networks of growing size on a text whose entropy is known.

The text is drawn from the n-gram model of the book with two characters of context, so that what is left to learn
is known exactly: the loss of a network above the entropy of its source is the divergence

    L(N) - H = sum over contexts c of p(c) KL(p(. | c) || q(. | c)),

computed over all contexts, without any chance of a held-out text. Where it falls as a power of the number of
weights N, ``log (L - H)`` is a straight line over ``log N``. Nobody knows H of a real text.

References
----------
Kaplan et al. 2020, "Scaling Laws for Neural Language Models". https://arxiv.org/abs/2001.08361
Hoffmann et al. 2022, "Training Compute-Optimal Large Language Models". https://arxiv.org/abs/2203.15556
"""

import math
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.experiments.neural_language_model.training import (
    ADAMW,
    GD,
    MOMENTUM,
    Examples,
    MLPTrainingConfig,
    start_network,
    train_network,
)
from lm_core.experiments.thirty_runs.lengths import RecalledLength
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.models.ngram import KneserNey
from lm_core.results import Recorded
from lm_core.training.checkpoints import load_shipped

CONTEXT = 2
STEPS, BATCH = 600, 512
RATES = (0.02, 0.01, 0.005)
"""Learning rates of the first step, one for all networks of a line."""
SIZES = ((4, 2), (8, 3), (16, 4), (32, 6), (64, 8), (128, 12))
"""Units of the hidden layer, and the numbers of each character's vector."""
NEXT = (512, 24)
"""The network that is left out of the line."""
ALL_SIZES = (*SIZES, NEXT)
SWEPT = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Learning rates of which each is tried, on networks of `SWEPT_SIZES`."""
SWEPT_SIZES = (SIZES[1], SIZES[4], NEXT)
COMPARED_SIZE = SIZES[4]
"""Of the networks that all optimizers train."""
SWEPT_BY = {
    ADAMW: SWEPT,
    MOMENTUM: (0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
    GD: (0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
}
"""Rates by optimizer, each about its best ones: Adam's on networks of all `SWEPT_SIZES`, its rivals' on one."""
DROPOUTS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
DROPPED_SIZE, DROPPED_RATE = COMPARED_SIZE, RATES[1]
FEW = (2_000, 10_000, 20_000)
"""How many examples there are to learn from, where units are dropped."""
SEEDS = 10
SEEDS_BY = 4
"""Of each rate of the optimizers beside Adam: so many that sixty runs have enough."""
_EXAMPLES, _AT_ONCE = 200_000, 4_000
_STEPS_A_TURN = 50
_MIXING = 200  # steps after which the contexts come as often as they ever will


@dataclass(frozen=True)
class Source:
    """A text without end: how often each context comes, and what follows it."""

    frequencies: Tensor
    """float64, of all V * V contexts of two characters; they sum to 1."""
    following: Tensor
    """float64, probabilities of the next character after each, (V * V, V)."""

    @cached_property
    def entropy(self) -> float:
        """Nats a character that no model can save."""
        nats = -(self.following * self.following.clamp_min(1e-30).log()).sum(1)
        return float(self.frequencies @ nats)

    @property
    def contexts(self) -> Tensor:
        """The ids of all contexts, int64 (V * V, 2), the older character first."""
        v = self.following.shape[1]
        return torch.cartesian_prod(torch.arange(v), torch.arange(v))

    def draw(self, rng: torch.Generator) -> Examples:
        """Draw contexts as often as they come, and what followed each."""
        places = torch.multinomial(self.frequencies, _EXAMPLES, replacement=True, generator=rng)
        targets = torch.empty(_EXAMPLES, dtype=torch.int64)
        for piece in torch.arange(_EXAMPLES).split(_AT_ONCE):
            rows = self.following[places[piece]]
            targets[piece] = torch.multinomial(rows, 1, generator=rng)[:, 0]
        return Examples(self.contexts[places], targets)


@torch.inference_mode()
def source_of(model: KneserNey) -> Source:
    """Return the text that an n-gram model writes if it may look back at two characters only."""
    v = model.vocabulary_size
    contexts = torch.cartesian_prod(torch.arange(v), torch.arange(v))
    logits, _ = model(contexts, model.initial_state(len(contexts)))
    following = logits[:, -1].double().softmax(-1)
    table = following.view(v, v, v)
    frequencies = torch.full((v, v), 1.0 / (v * v), dtype=torch.float64)
    for _ in range(_MIXING):
        frequencies = torch.einsum("ab,abc->bc", frequencies, table)
    return Source(frequencies.flatten(), following)


def shipped_source() -> Source:
    """Return the text of the shipped n-gram model of *War and Peace*."""
    return source_of(cast(KneserNey, load_shipped("book-ngram").model))


def network_of(size: tuple[int, int], vocabulary_size: int) -> MLPLanguageModelConfig:
    """Return the network of one of `SIZES`."""
    units, numbers = size
    return MLPLanguageModelConfig(vocabulary_size, CONTEXT, numbers, units)


def loss_above_entropy(
    source: Source,
    examples: Examples,
    size: tuple[int, int],
    rate: float,
    seed: int,
    *,
    optimizer: str = ADAMW,
    dropout: float = 0.0,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> float:
    """Train a network on drawn examples; return its loss over the whole source, above the entropy, in nats.

    Parameters
    ----------
    size : one of `SIZES`, or `NEXT`
    rate : float, the learning rate of the first step
    seed : int, of the first weights, of the batches and of dropout
    optimizer : one of the keys of `SWEPT_BY`
    dropout : float in [0, 1), the share of hidden units that are switched off in training
    model_turn : callable that returns a context manager, entered for every fifty steps
    """
    network = network_of(size, source.following.shape[1])
    config = MLPTrainingConfig(network, STEPS, BATCH, optimizer, rate, dropout=dropout, seed=seed)
    model, rng = start_network(config)
    training = train_network(model, examples, config, rng)
    for _ in range(0, STEPS, _STEPS_A_TURN):
        with model_turn():
            deque(islice(training, _STEPS_A_TURN), maxlen=0)
    with model_turn(), torch.inference_mode():
        predicted = F.log_softmax(model.trace(source.contexts).logits.double(), -1)
    return float(source.frequencies @ -(source.following * predicted).sum(1)) - source.entropy


@dataclass(frozen=True)
class ScaledNetwork:
    """What networks of one size came to."""

    rate: float
    parameters: int
    above_entropy: tuple[float, ...]  # nats a character, by seed


@dataclass(frozen=True)
class DroppedNetwork:
    """What networks of `DROPPED_SIZE` came to."""

    examples: int
    dropout: float
    above_entropy: tuple[float, ...]  # nats a character, by seed


def swept_by(optimizer: str) -> list[tuple[tuple[int, int], float]]:
    """Return size and rate of the networks that an optimizer trains, as the results have them."""
    sizes = SWEPT_SIZES if optimizer == ADAMW else (COMPARED_SIZE,)
    return [*product(sizes, SWEPT_BY[optimizer])]


def train_from_all_seeds(
    source: Source,
    examples: Examples,
    size: tuple[int, int],
    rate: float,
    optimizer: str = ADAMW,
) -> ScaledNetwork:
    """Return what networks of one size and rate come to, from `SEEDS` seeds; Adam's rivals from `SEEDS_BY`."""
    seeds = range(SEEDS if optimizer == ADAMW else SEEDS_BY)
    above = [
        loss_above_entropy(source, examples, size, rate, seed, optimizer=optimizer)
        for seed in seeds
    ]
    n = network_of(size, source.following.shape[1]).parameter_count
    return ScaledNetwork(rate, n, tuple(round(nats, 5) for nats in above))


def train_with_dropout(
    source: Source, examples: Examples, n_examples: int, dropout: float
) -> DroppedNetwork:
    """Return what networks come to on the first few examples, from `SEEDS` seeds."""
    few = examples.first(n_examples)
    above = [
        loss_above_entropy(source, few, DROPPED_SIZE, DROPPED_RATE, seed, dropout=dropout)
        for seed in range(SEEDS)
    ]
    return DroppedNetwork(n_examples, dropout, tuple(round(nats, 5) for nats in above))


@dataclass(frozen=True)
class ScalingResults(Recorded, name="thirty-runs"):
    """What networks of all sizes came to, for each rate from the smallest to `NEXT`; and of a few, for many rates.

    Beside them what two cells recall, by length, and what dropout does where there is little to learn from.
    """

    entropy: float  # of the source, nats a character
    networks: tuple[ScaledNetwork, ...]
    swept: dict[str, tuple[ScaledNetwork, ...]]  # by optimizer, as `SWEPT_BY` has them
    recalled: tuple[RecalledLength, ...]  # of each of `lengths.NETWORKS`
    dropped: tuple[DroppedNetwork, ...]  # of each of `FEW`, by `DROPOUTS`

    def at(self, rate: float) -> list[ScaledNetwork]:
        """Return the networks of one rate, by size."""
        return [network for network in self.networks if network.rate == rate]

    def of(self, parameters: int, optimizer: str = ADAMW) -> list[ScaledNetwork]:
        """Return the networks of one size whose rates were swept, by rate."""
        return [network for network in self.swept[optimizer] if network.parameters == parameters]

    def dropped_of(self, examples: int) -> list[DroppedNetwork]:
        """Return the networks that learned from so many examples, by dropout rate."""
        return [network for network in self.dropped if network.examples == examples]


class PowerLaw(NamedTuple):
    """A straight line on two logarithmic axes: ``factor * n ** exponent``."""

    exponent: float
    factor: float

    def at(self, n: float) -> float:
        """Return its value at n."""
        return self.factor * n**self.exponent


def fit_power_law(values: Mapping[int, float]) -> PowerLaw:
    """Fit a power law to positive values at two or more places, by least squares of their logarithms."""
    x = torch.tensor([math.log(n) for n in values], dtype=torch.float64)
    y = torch.tensor([math.log(value) for value in values.values()], dtype=torch.float64)
    exponent = float((x - x.mean()) @ (y - y.mean()) / (x - x.mean()).square().sum())
    return PowerLaw(exponent, math.exp(float(y.mean()) - exponent * float(x.mean())))
