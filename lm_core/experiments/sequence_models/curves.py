"""Numbers out: a network that draws a curve from a vector, one value at a time, each from a normal distribution.

    p(y_1, ..., y_T | x) = prod_t N(y_t | mean_t, deviation_t²),   (mean_t, log deviation_t) = W h_t + b,
    h_t = GRU(h_{t-1}, [y_{t-1}, x])

The vector says how long a period is and how high the curve rises. Where the curve begins is in no vector: it is
drawn with the first values, and the hidden state must hold what was drawn.

References
----------
Graves 2013, "Generating Sequences With Recurrent Neural Networks". https://arxiv.org/abs/1308.0850
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.results import NonNegative, Positive, Recorded, StoredTensor
from lm_core.rng import generator
from lm_core.training.eager_optimizers import AdamW
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at

LENGTH, PERIODS, HEIGHTS = 48, (8.0, 24.0), (0.5, 2.0)
"""Values of a curve; least and most of its period, in values, and of its height."""
NOISE = 0.1
"""Standard deviation of what no network can know: normal, added to every value."""
HIDDEN, STEPS, BATCH, LEARNING_RATE = 64, 3_000, 64, 4e-3


class CurveSteps(NamedTuple):
    """What was expected of some curves, and what was drawn, each of shape (N, T)."""

    means: Tensor
    deviations: Tensor
    values: Tensor


class CurveGenerator(nn.Module):
    """GRU cell from the last value and the vector; the mean and the deviation of the next value."""

    def __init__(self, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.output = nn.Linear(hidden, 2)

    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights, uniform within 1 / sqrt(h)."""
        bound = self.output.in_features**-0.5
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound, generator=rng)

    def forward(self, vectors: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and deviation of every value, (N, T), given the true ones before it (teacher forcing)."""
        before = values.roll(1, 1)
        before[:, 0] = 0.0
        inputs = torch.cat([before.unsqueeze(2), vectors.unsqueeze(1).expand(-1, LENGTH, -1)], 2)
        return self._expected(self.gru(inputs)[0])

    @torch.no_grad()
    def draw(self, vector: Tensor, n: int, rng: torch.Generator) -> CurveSteps:
        """Draw n curves from one vector (2,), value by value."""
        state, value = None, torch.zeros(n)
        steps = []
        for _ in range(LENGTH):
            inputs = torch.cat([value.view(n, 1, 1), vector.expand(n, 1, 2)], 2)
            hidden, state = self.gru(inputs, state)
            mean, deviation = (each[:, 0] for each in self._expected(hidden))
            value = mean + deviation * torch.randn(n, generator=rng)
            steps.append((mean, deviation, value))
        return CurveSteps(*(torch.stack(each, 1) for each in zip(*steps, strict=True)))

    def _expected(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        mean, logarithm = self.output(hidden).unbind(-1)
        return mean, logarithm.clamp(-6.0, 2.0).exp()


@dataclass(frozen=True)
class CurveResults(Recorded, name="sequence-models-curves", experiment="sequence-models curves"):
    """The trained network, and what a value costs it."""

    steps: Positive
    parameters: Positive
    loss_by_place: tuple[float, ...]  # nats a value of new curves, given the values before it
    deviation_by_place: tuple[NonNegative, ...]  # mean of those that it expects there
    weights: dict[str, StoredTensor]

    def network(self) -> CurveGenerator:
        """Return the network as it was at the end of its training."""
        network = CurveGenerator()
        network.load_state_dict(self.weights)
        return network.eval().requires_grad_(False)


def vector_of(period: float, height: float) -> Tensor:
    """Return the vector that asks for a curve, each number in 0 to 1 within what was trained."""
    asked = (period, PERIODS), (height, HEIGHTS)
    return torch.tensor([(value - low) / (high - low) for value, (low, high) in asked])


def draw_curves(n: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw vectors (n, 2), evenly, and a true curve of each, (n, T), that begins at a place of chance."""
    vectors, starts = torch.rand(n, 2, generator=rng), torch.rand(n, 1, generator=rng)
    (shortest, longest), (lowest, highest) = PERIODS, HEIGHTS
    periods = shortest + (longest - shortest) * vectors[:, :1]
    heights = lowest + (highest - lowest) * vectors[:, 1:]
    turns = torch.arange(LENGTH) / periods + starts
    noise = NOISE * torch.randn(n, LENGTH, generator=rng)
    return vectors, heights * torch.sin(2 * math.pi * turns) + noise


def losses_of(network: CurveGenerator, vectors: Tensor, values: Tensor) -> Tensor:
    """Return minus the logarithm of each value's density, (N, T), in nats."""
    means, deviations = network(vectors, values)
    return -torch.distributions.Normal(means, deviations).log_prob(values)


def least_loss() -> float:
    """Return the mean loss of who knows the curve and not its noise: the entropy of the noise, in nats."""
    return 0.5 * math.log(2 * math.pi * math.e * NOISE**2)


def train(network: CurveGenerator, rng: torch.Generator, steps: int = STEPS) -> Iterator[TrainStep]:
    """Train on new curves at every step."""

    def next_loss() -> Tensor:
        return losses_of(network, *draw_curves(BATCH, rng)).mean()

    yield from TrainingLoop(
        network.parameters(),
        next_loss,
        AdamW(network.parameters(), lr=LEARNING_RATE),
        steps=steps,
        learning_rate=lambda step: learning_rate_at(step, steps=steps, peak=LEARNING_RATE),
        clip=clip_by_norm(1.0),
    )


@torch.no_grad()
def measured(network: CurveGenerator, made: dict[str, object], n: int = 2_000) -> CurveResults:
    """Return a trained network with what it expects of new curves."""
    vectors, values = draw_curves(n, generator(9))
    losses = losses_of(network, vectors, values).mean(0)
    deviations = network(vectors, values)[1].mean(0)
    return CurveResults(
        made,
        STEPS,
        sum(p.numel() for p in network.parameters()),
        tuple(round(loss, 4) for loss in losses.tolist()),
        tuple(round(deviation, 4) for deviation in deviations.tolist()),
        {name: value.clone() for name, value in network.state_dict().items()},
    )
