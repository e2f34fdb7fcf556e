"""How often networks fail to learn XOR: many starts, by activation, units of a layer, and layers."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from lm_core.errors import ResultError
from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.experiments.perceptron.training import NetworkSettings, train
from lm_core.experiments.results import Results, provenance, results_path
from lm_core.models.activations import ACTIVATIONS

EXPERIMENT = "perceptron"
SHIPPED = results_path(EXPERIMENT)

WIDTHS = (1, 2, 3, 4, 8)
DEPTHS = (1, 2)
STARTS = 500
STEPS = 4_000
LEARNING_RATE = 0.5
SEED = 1


@dataclass(frozen=True)
class Failures:
    """How many starts of one kind of network have not learned XOR.

    Attributes
    ----------
    activation : str
    width, depth : int
        Units of each hidden layer, and hidden layers.
    failed, starts : int
        A start has failed if at its end one of the four points is on the wrong side.
    """

    activation: str
    width: int
    depth: int
    failed: int
    starts: int

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
class PerceptronResults:
    """The measured failures, as they are shipped.

    Attributes
    ----------
    provenance : dict
    failures : tuple of Failures
    """

    provenance: dict[str, Any]
    failures: tuple[Failures, ...]

    def of(self, activation: str, width: int, depth: int) -> Failures:
        """Return one measurement; StopIteration if there is none."""
        wanted = (activation, width, depth)
        return next(f for f in self.failures if (f.activation, f.width, f.depth) == wanted)

    def save(self, path: Path = SHIPPED) -> None:
        """Write them as one results file."""
        rows = [[f.activation, f.width, f.depth, f.failed, f.starts] for f in self.failures]
        Results(EXPERIMENT, self.provenance, {"failures": rows}).save(path)


def collect(failures: list[Failures], seconds: float) -> PerceptronResults:
    """Return measurements with their provenance."""
    settings = {"steps": STEPS, "learning_rate": LEARNING_RATE, "seed": SEED}
    return PerceptronResults(provenance(device="cpu", seconds=seconds, **settings), tuple(failures))


def load_results(path: Path = SHIPPED) -> PerceptronResults:
    """Read what was measured.

    Raises
    ------
    ResultError
        If the file is missing, or is another one.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        failures = tuple(Failures(*row) for row in results.data["failures"])
    except (KeyError, TypeError) as error:
        raise ResultError(
            f"{path.name} must hold failures: {error!r}; python -m lm_core experiment"
            f" {EXPERIMENT} makes it"
        ) from error
    return PerceptronResults(results.provenance, failures)
