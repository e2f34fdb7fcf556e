"""A network that learns the points: its surface and the lines of its hidden units, step by step."""

import math
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.perceptron.tasks import BOUNDS, RING, SPIRALS, XOR, LabelledPoints
from lm_core.experiments.perceptron.training import (
    NetworkSettings,
    Training,
    hidden_units,
    snapshot_steps,
    surfaces,
    train,
)
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.perceptron import XOR_NETWORK, Perceptron
from pages.perceptron import own_points
from pages.perceptron.own_points import LEGEND, OWN, marks_of
from pages.perceptron.planes import SIZE, borders, picture_of
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Plane, follow_hand, plane_panels
from pages.shared.turns import model_calls

_TASKS = (XOR, RING, SPIRALS, OWN)
_UNITS = (1, 2, 3, 4, 6, 8)
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_FIRST_UNITS, _FIRST_SEED = 2, 5
_STEPS = 1_500
"""Of one hidden layer; deeper networks need fewer, and each costs more."""
_NAMED_UNITS = 4
_HEIGHT = 300
_SAME, _OTHER, _FAILS = "The same two lines", "Other lines, same answers", "It does not learn XOR"


class Chosen(NamedTuple):
    """Points, and the network that learns them."""

    task: str
    typed: str
    points: LabelledPoints
    settings: NetworkSettings


def _choose_network(screen: page.FirstScreen) -> Chosen:
    with screen.controls:
        task = page.choice("task", "Points", _TASKS, width=130)
        units = page.pick("units", "Hidden units", _UNITS, _FIRST_UNITS, width=150)
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
        page.number("seed", "Seed of the first weights", 0, 999, _FIRST_SEED),
    )


@st.cache_data(max_entries=64, show_spinner="Training")
def _trained(task: str, typed: str, settings: NetworkSettings, _points: LabelledPoints) -> Training:
    """Return a training, done once for all visitors who ask for the same."""
    with model_calls:
        return train(_points, settings)


def trained(screen: page.FirstScreen) -> None:
    """Draw the training, step by step, beside the network made by hand where there is one."""
    chosen = _choose_network(screen)
    training, first = None, NetworkSettings((_FIRST_UNITS,), seed=_FIRST_SEED)
    if len(chosen.points.targets):
        training = _trained(chosen.task, chosen.typed, chosen.settings, chosen.points)
    asked: page.Asked[str] = page.Asked()
    if training is not None:
        units = hidden_units(training.layers[-1], 0)
        asked = page.ask(
            screen,
            "trained_lines",
            "By hand, one hidden unit is AND and one is OR. Which lines will the trained network draw?",
            (_SAME, _OTHER, _FAILS),
            right=_OTHER if int(training.n_right[-1, 0]) == 4 else _FAILS,
            reason=f"It draws {' and '.join(f'**{_line(unit)}**' for unit in units)}. Nothing in the loss"
            " asks for AND and OR, so any two lines will do that divide the classes.",
            when=(chosen.task, chosen.settings) == (XOR, first),
        )
    n_frames, is_masked = len(snapshot_steps(chosen.settings.steps)), asked.masks
    with screen.picture:
        st.markdown(f"**{_finding(chosen, training, is_masked=is_masked)}**")
        page.playback_bar(
            "training_frame",
            n_frames,
            lambda i: _draw(chosen, training, i, is_masked=is_masked),
            label="Snapshot of the training",
            start=n_frames - 1,
            seconds_per_step=0.5,
        )
    page.note_beside(screen, own_points.why_nothing_to_learn(chosen.points) or _explained(chosen))


def _line(unit: Perceptron) -> str:
    x1, x2 = unit.weights
    said = f"{x1:.1f} x1 {x2:+.1f} x2 {unit.bias:+.1f} = 0".replace("-", "−")
    return said.replace(" +", " + ").replace(" −", " − ").replace(" x", "\N{NO-BREAK SPACE}x")


def _finding(chosen: Chosen, training: Training | None, *, is_masked: bool) -> str:
    if training is None:
        return "Paint some points of each class"
    if is_masked:
        return "Left: XOR by hand. Right: a network of the same size that learns it"
    n, n_right = len(chosen.points.targets), int(training.n_right[-1, 0])
    loss = float(training.losses[-1, 0])
    if not math.isfinite(loss):
        return f"The training has diverged: lower the learning rate of {chosen.settings.learning_rate:g}"
    said = f"After {training.steps[-1]:,} steps {n_right} of {n} points are right"
    return f"{said}, with a loss of {loss:.3f} nats"


def _draw(chosen: Chosen, training: Training | None, i: int, *, is_masked: bool) -> None:
    follow_hand()
    left, right = st.columns([2 if chosen.task == XOR else 1.3, 1], gap="small")
    with left:
        _panels(chosen, training, i, is_masked=is_masked)
    with right:
        if training is None:
            st.info("There are no points yet: choose ● or ▲, then press on the plane.")
        else:
            _loss(training, i, is_masked=is_masked)


def _panels(chosen: Chosen, training: Training | None, i: int, *, is_masked: bool) -> None:
    planes = [_by_hand()] if chosen.task == XOR else []
    painting = own_points.painting_of(chosen.points) if chosen.task == OWN else None
    planes.append(_plane(chosen, training, i, is_masked=is_masked))
    plane_panels(
        planes,
        key="trained_planes",
        name="trained-network",
        columns=len(planes),
        hint=LEGEND,
        height=_HEIGHT - (40 if painting else 0),
        painting=painting,
    )


def _by_hand() -> Plane:
    return Plane(
        "By hand",
        "",
        BOUNDS,
        "h1 is AND, h2 is OR.",
        picture_of(lambda places: XOR_NETWORK.trace(places).outputs[..., 2]),
        borders((XOR_NETWORK.first, XOR_NETWORK.second), ("h1", "h2"), (PURPLE, GREEN)),
        marks_of(own_points.points_of(XOR, "")),
    )


def _plane(chosen: Chosen, training: Training | None, i: int, *, is_masked: bool) -> Plane:
    marks = [] if chosen.task == OWN else marks_of(chosen.points)
    if training is None:
        return Plane("Your points", "", BOUNDS, "No points yet.", names=("x1", "x2"))
    if is_masked:
        return Plane("Trained", "", BOUNDS, "The lines are asked for.", marks=marks, is_asked=True)
    layers = training.layers[i]
    shares = surfaces(layers, chosen.settings.activation, BOUNDS, SIZE)[0]
    units = hidden_units(layers, 0)
    names = [f"h{k}" for k in range(1, len(units) + 1)] if len(units) <= _NAMED_UNITS else []
    n, n_right = len(chosen.points.targets), int(training.n_right[i, 0])
    return Plane(
        "Trained",
        f"step {training.steps[i]:,}: {n_right} of {n} right",
        BOUNDS,
        f"{len(units)} lines, one for each hidden unit of the first layer.",
        surface_picture(shares.numpy()),
        borders(units, names, width=2.0, has_arrows=bool(names)),
        marks,
        ("x1", "x2"),
    )


def _loss(training: Training, i: int, *, is_masked: bool) -> None:
    losses = training.losses[:, 0].tolist()
    pairs = [
        (float(step), loss)
        for step, loss in zip(training.steps, losses, strict=True)
        if math.isfinite(loss)
    ]
    page.show_lines(
        "trained_loss",
        {"loss": pairs[:1] if is_masked else pairs},
        {"loss": LineStyle(BLUE)},
        Axis("steps", (0, training.steps[-1])),
        Axis("loss (nats)", (0.001, 1.0), True, (0.001, 0.01, 0.1, 1.0)),
        said="The loss waits for the guess." if is_masked else "",
        references={"chance: log 2": [(0, math.log(2)), (training.steps[-1], math.log(2))]},
        now=None if is_masked else training.steps[i],
        has_names=False,
        is_small=True,
        height=_HEIGHT - 20,
    )


def _explained(chosen: Chosen) -> str:
    activation = ACTIVATIONS[chosen.settings.activation].title
    n_units, n_layers = chosen.settings.hidden[0], len(chosen.settings.hidden)
    kind = f"{n_layers} layers of {n_units}" if n_layers > 1 else f"{n_units}"
    return (
        "A step function is flat on both sides, so it has no slope to follow. With a smooth function"
        f" instead ({activation.lower()}, {kind} hidden unit{'s' if n_units > 1 else ''}), *gradient"
        " descent* finds the weights. Each line is where a unit's sum is 0. **Press Play, then raise the"
        " hidden units.**"
    )
