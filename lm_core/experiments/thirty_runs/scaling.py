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
from itertools import islice
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.experiments.neural_language_model.training import (
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
SEEDS = 10
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
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> float:
    """Train a network on drawn examples; return its loss over the whole source, above the entropy, in nats.

    Parameters
    ----------
    size : one of `SIZES`, or `NEXT`
    rate : float, the learning rate of the first step
    seed : int, of the first weights and of the batches
    model_turn : callable that returns a context manager, entered for every fifty steps
    """
    network = network_of(size, source.following.shape[1])
    config = MLPTrainingConfig(network, STEPS, BATCH, learning_rate=rate, seed=seed)
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


def train_from_all_seeds(
    source: Source, examples: Examples, size: tuple[int, int], rate: float
) -> ScaledNetwork:
    """Return what networks of one size and rate come to, from `SEEDS` seeds."""
    above = [loss_above_entropy(source, examples, size, rate, seed) for seed in range(SEEDS)]
    n = network_of(size, source.following.shape[1]).parameter_count
    return ScaledNetwork(rate, n, tuple(round(nats, 5) for nats in above))


@dataclass(frozen=True)
class ScalingResults(Recorded, name="thirty-runs"):
    """What networks of all sizes came to, for each rate from the smallest to `NEXT`; and of a few, for many rates.

    Beside them what two cells recall, by length.
    """

    entropy: float  # of the source, nats a character
    networks: tuple[ScaledNetwork, ...]
    swept: tuple[ScaledNetwork, ...]  # of each of `SWEPT_SIZES`, by rate
    recalled: tuple[RecalledLength, ...]  # of each of `lengths.NETWORKS`

    def at(self, rate: float) -> list[ScaledNetwork]:
        """Return the networks of one rate, by size."""
        return [network for network in self.networks if network.rate == rate]

    def of(self, parameters: int) -> list[ScaledNetwork]:
        """Return the networks of one size whose rates were swept, by rate."""
        return [network for network in self.swept if network.parameters == parameters]


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
