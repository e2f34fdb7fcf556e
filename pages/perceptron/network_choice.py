"""Which network learns which points, from which start."""

from typing import NamedTuple

from lm_core.experiments.perceptron.tasks import RING, SPIRALS, XOR, LabelledPoints
from lm_core.experiments.perceptron.training import NetworkSettings
from lm_core.models.activations import ACTIVATIONS
from pages.perceptron import own_points
from pages.perceptron.own_points import OWN
from pages.shared import page

_TASKS = (XOR, RING, SPIRALS, OWN)
_UNITS = (1, 2, 3, 4, 6, 8)
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
FIRST_UNITS, FIRST_SEED = 2, 5
_STEPS = 1_500
"""Of one hidden layer; deeper networks need fewer, and each costs more."""


class Chosen(NamedTuple):
    """Points, and the network that learns them."""

    task: str
    typed: str
    points: LabelledPoints
    settings: NetworkSettings


def choose_network(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of points, network and start."""
    with screen.controls:
        task = page.choice("task", "Points", _TASKS, width=130)
        units = page.pick("units", "Hidden units", _UNITS, FIRST_UNITS, width=150)
    with page.more(screen):
        activation, layers, seed = choose_more()
        rate = page.pick("learning_rate", "Learning rate", _RATES, 0.5)
        typed = own_points.type_points() if task == OWN else ""
    with screen.beside:
        points = own_points.points_of(task, typed)
    settings = NetworkSettings(
        (units,) * layers, activation, seed=seed, learning_rate=rate, steps=_STEPS // layers
    )
    return Chosen(task, typed, points, settings)


def choose_more(most_layers: int = 3) -> tuple[str, int, int]:
    """Draw activation, hidden layers and seed, and return them."""
    titles = {name: activation.title for name, activation in ACTIVATIONS.items()}
    return (
        page.choice("activation", "Activation", titles, "tanh"),
        page.slider("layers", "Hidden layers", 1, most_layers, 1, 1),
        page.number("seed", "Seed of the first weights", 0, 999, FIRST_SEED),
    )
