"""A network that learns the points: its surface and the lines of its hidden units, step by step."""

import math
from typing import NamedTuple

import pyarrow as pa
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
from pages.perceptron.own_points import (
    LEGEND,
    OWN,
    marks_of,
    painting_of,
    points_of,
    type_points,
    why_nothing_to_learn,
)
from pages.perceptron.planes import SIZE, borders, picture_of
from pages.shared import charts
from pages.shared.charts.palette import BLUE, GREEN, PURPLE
from pages.shared.components.plane_panels import Plane, follow_hand, plane_panels
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, answer_is_masked, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar

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


def choose_network(screen: FirstScreen) -> Chosen:
    """Draw the settings of points and network, and return them."""
    with screen.controls:
        task = control(st.selectbox, "task", "Points", _TASKS, width=130)
        units = control(st.select_slider, "units", "Hidden units", _UNITS, _FIRST_UNITS, width=150)
        with st.popover("More", icon=":material/tune:"):
            activation, layers, seed = choose_more()
            rate = control(st.select_slider, "learning_rate", "Learning rate", _RATES, 0.5)
            typed = type_points() if task == OWN else ""
    with screen.beside:
        points = points_of(task, typed)
    settings = NetworkSettings(
        (units,) * layers,
        activation,
        seed=seed,
        learning_rate=float(rate),
        steps=_STEPS // layers,
    )
    return Chosen(task, typed, points, settings)


def choose_more(most_layers: int = 3) -> tuple[str, int, int]:
    """Draw activation, hidden layers and seed, and return them."""
    activation = control(
        st.selectbox,
        "activation",
        "Activation",
        list(ACTIVATIONS),
        index=list(ACTIVATIONS).index("tanh"),
        format_func=lambda name: ACTIVATIONS[name].title,
    )
    layers = control(st.slider, "layers", "Hidden layers", 1, most_layers, 1)
    seed = control(st.number_input, "seed", "Seed of the first weights", 0, 999, _FIRST_SEED)
    return str(activation), int(layers), int(seed)


@st.cache_data(max_entries=64, show_spinner="Training")
def _trained(task: str, typed: str, settings: NetworkSettings, _points: LabelledPoints) -> Training:
    """Return a training, done once for all visitors who ask for the same."""
    with model_calls:
        return train(_points, settings)


def trained(screen: FirstScreen, chosen: Chosen) -> None:
    """Draw the training, step by step, beside the network made by hand where there is one."""
    missing = why_nothing_to_learn(chosen.points)
    training = None
    if len(chosen.points.targets):
        training = _trained(chosen.task, chosen.typed, chosen.settings, chosen.points)
    with screen.beside:
        prediction = _ask(chosen, training) if training else None
    n_frames = len(snapshot_steps(chosen.settings.steps))
    with screen.picture:
        st.markdown(f"**{_finding(chosen, training, prediction)}**")
        playback_bar(
            "training_frame",
            n_frames,
            lambda i: _draw(chosen, training, i, prediction),
            label="Snapshot of the training",
            start=n_frames - 1,
            seconds_per_step=0.5,
        )
    note_beside(screen, missing or _explained(chosen))


def _is_first(chosen: Chosen) -> bool:
    return chosen.task == XOR and chosen.settings == NetworkSettings(
        (_FIRST_UNITS,), seed=_FIRST_SEED
    )


def _ask(chosen: Chosen, training: Training) -> Prediction | None:
    """Ask what the two hidden units learn; None where something else is on screen."""
    if not _is_first(chosen):
        return None
    prediction = predict_then_reveal(
        "trained_lines",
        "By hand, one hidden unit is AND and one is OR. Which lines will the trained network draw?",
        (_SAME, _OTHER, _FAILS),
    )
    if prediction.revealed:
        is_solved = int(training.n_right[-1, 0]) == 4
        lines = " and ".join(f"**{_line(unit)}**" for unit in hidden_units(training.layers[-1], 0))
        show_verdict(
            prediction,
            right=(_OTHER if is_solved else _FAILS),
            reason=f"It draws {lines}. Nothing asks for AND and OR: any two lines do that part the"
            " classes.",
        )
    return prediction


def _line(unit: Perceptron) -> str:
    x1, x2 = unit.weights
    said = f"{x1:.1f} x1 {x2:+.1f} x2 {unit.bias:+.1f} = 0".replace("-", "−")
    return said.replace(" +", " + ").replace(" −", " − ").replace(" x", "\N{NO-BREAK SPACE}x")


def _finding(chosen: Chosen, training: Training | None, prediction: Prediction | None) -> str:
    if training is None:
        return "Paint some points of each class"
    if answer_is_masked(prediction):
        return "Left: XOR by hand. Right: a network of the same size that learns it"
    n, n_right = len(chosen.points.targets), int(training.n_right[-1, 0])
    loss = float(training.losses[-1, 0])
    if not math.isfinite(loss):
        return f"The training has diverged: lower the learning rate of {chosen.settings.learning_rate:g}"
    said = f"After {training.steps[-1]:,} steps {n_right} of {n} points are right"
    return f"{said}, with a loss of {loss:.3f} nats"


def _draw(chosen: Chosen, training: Training | None, i: int, prediction: Prediction | None) -> None:
    follow_hand()
    left, right = st.columns([2 if chosen.task == XOR else 1.3, 1], gap="small")
    with left:
        _panels(chosen, training, i, prediction)
    with right:
        if training is None:
            st.info("There are no points yet: choose ● or ▲, then press on the plane.")
        else:
            _loss(training, i, prediction)


def _panels(
    chosen: Chosen, training: Training | None, i: int, prediction: Prediction | None
) -> None:
    planes = [_by_hand()] if chosen.task == XOR else []
    painting = painting_of(chosen.points) if chosen.task == OWN else None
    planes.append(_plane(chosen, training, i, prediction))
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
        marks_of(points_of(XOR, "")),
    )


def _plane(
    chosen: Chosen, training: Training | None, i: int, prediction: Prediction | None
) -> Plane:
    marks = [] if chosen.task == OWN else marks_of(chosen.points)
    if training is None:
        return Plane("Your points", "", BOUNDS, "No points yet.", names=("x1", "x2"))
    if answer_is_masked(prediction):
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
        charts.surface_picture(shares.numpy()),
        borders(units, names, width=2.0, has_arrows=bool(names)),
        marks,
        ("x1", "x2"),
    )


def _loss(training: Training, i: int, prediction: Prediction | None) -> None:
    losses = training.losses[:, 0].tolist()
    is_masked = answer_is_masked(prediction)
    pairs = [
        (float(step), loss)
        for step, loss in zip(training.steps, losses, strict=True)
        if math.isfinite(loss)
    ]
    show_chart(
        charts.line_chart(
            {"loss": pairs[:1] if is_masked else pairs},
            {"loss": charts.LineStyle(BLUE)},
            charts.Axis("steps", (0, training.steps[-1])),
            charts.Axis("loss (nats)", (0.001, 1.0), True, (0.001, 0.01, 0.1, 1.0)),
            references={"chance: log 2": [(0, math.log(2)), (training.steps[-1], math.log(2))]},
            now=None if is_masked else training.steps[i],
            has_names=False,
            height=_HEIGHT - 20,
        ),
        pa.table({"step": [step for step, _ in pairs], "loss": [loss for _, loss in pairs]}),
        key="trained_loss",
        alt="The loss waits for the guess."
        if is_masked
        else f"Loss at step {training.steps[i]}: {losses[i]:.3f}",
        name="training-loss",
        is_small=True,
    )


def _explained(chosen: Chosen) -> str:
    activation = ACTIVATIONS[chosen.settings.activation].title
    n_units, n_layers = chosen.settings.hidden[0], len(chosen.settings.hidden)
    kind = f"{n_layers} layers of {n_units}" if n_layers > 1 else f"{n_units}"
    return (
        f"A step has no slope to follow. With a smooth function instead ({activation.lower()}, {kind} hidden"
        f" unit{'s' if n_units > 1 else ''}), *gradient descent* finds the weights. Each line is where a unit's"
        " sum is 0. **Press Play, then raise the hidden units.**"
    )
