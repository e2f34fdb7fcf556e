"""How often networks fail to learn XOR: many starts, by activation, units of a layer, and layers."""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.experiments.perceptron.training import NetworkSettings, train
from lm_core.models.activations import ACTIVATIONS
from lm_core.results import Count, Positive, Recorded

WIDTHS = (1, 2, 3, 4, 8)
DEPTHS = (1, 2)
STARTS = 500
STEPS = 4_000
LEARNING_RATE = 0.5
SEED = 1


class Failures(NamedTuple):
    """How many starts of one kind of network have not learned XOR: one of its points is on the wrong side."""

    activation: str
    width: Positive  # units of each hidden layer
    depth: Positive  # hidden layers
    failed: Count
    starts: Positive

    @property
    def share(self) -> float:
        """Of the starts, between 0 and 1."""
        return self.failed / self.starts


def count_failures(activation: str, width: int, depth: int, starts: int = STARTS) -> Failures:
    """Train so many starts on XOR and count those that fail."""
    settings = NetworkSettings(
        (width,) * depth,
        activation,
        seed=SEED,
        networks=starts,
        learning_rate=LEARNING_RATE,
        steps=STEPS,
    )
    points = TASKS[XOR]
    n_right = train(points, settings).n_right[-1]
    return Failures(activation, width, depth, int((n_right < len(points.targets)).sum()), starts)


def grid() -> list[tuple[str, int, int]]:
    """Return activation, width and depth of all that is measured."""
    return list(product(ACTIVATIONS, WIDTHS, DEPTHS))


@dataclass(frozen=True)
class PerceptronResults(Recorded, name="perceptron"):
    """The measured failures."""

    failures: tuple[Failures, ...]

    def of(self, activation: str, width: int, depth: int) -> Failures:
        """Return one measurement; StopIteration if there is none."""
        wanted = (activation, width, depth)
        return next(f for f in self.failures if (f.activation, f.width, f.depth) == wanted)
