"""A network that learns the points: its surface and the lines of its hidden units, step by step."""

import math

import streamlit as st

from lm_core.experiments.perceptron.tasks import XOR, LabelledPoints
from lm_core.experiments.perceptron.training import (
    NetworkSettings,
    Training,
    hidden_units,
    snapshot_steps,
    train,
)
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.perceptron import Perceptron
from pages.perceptron import own_points
from pages.perceptron.network_choice import FIRST_SEED, FIRST_UNITS, Chosen, choose_network
from pages.perceptron.surface_of_units import HEIGHT, draw_panels
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.components.plane_panels import follow_hand

_SAME, _OTHER, _FAILS = "The same two lines", "Other lines, same answers", "It does not learn XOR"


@st.cache_data(max_entries=64, show_spinner="Training")
def _trained(task: str, typed: str, settings: NetworkSettings, _points: LabelledPoints) -> Training:
    """Return a training, done once for all visitors who ask for the same."""
    with page.model_calls:
        return train(_points, settings)


def trained(screen: page.FirstScreen) -> None:
    """Draw the training, step by step, beside the network made by hand where there is one."""
    chosen = choose_network(screen)
    training, first = None, NetworkSettings((FIRST_UNITS,), seed=FIRST_SEED)
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
        draw_panels(chosen, training, i, is_masked=is_masked)
    with right:
        if training is None:
            st.info("There are no points yet: choose ● or ▲, then press on the plane.")
        else:
            _loss(training, i, is_masked=is_masked)


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
        {"loss": page.LineStyle(BLUE)},
        page.Axis("steps", (0, training.steps[-1])),
        page.Axis("loss (nats)", (0.001, 1.0), True, (0.001, 0.01, 0.1, 1.0)),
        said="The loss waits for the guess." if is_masked else "",
        references={"chance: log 2": [(0, math.log(2)), (training.steps[-1], math.log(2))]},
        now=None if is_masked else training.steps[i],
        has_names=False,
        is_small=True,
        height=HEIGHT - 20,
    )


def _explained(chosen: Chosen) -> str:
    activation = ACTIVATIONS[chosen.settings.activation].title
    n_units, n_layers = chosen.settings.hidden[0], len(chosen.settings.hidden)
    kind = f"{n_layers} layers of {n_units}" if n_layers > 1 else f"{n_units}"
    return (
        "A step function is flat on both sides, so it has no slope to follow. With a function that"
        f" has one ({activation.lower()}, {kind} hidden unit{'s' if n_units > 1 else ''}), *gradient"
        " descent* can find weights. Each line is where a unit's sum is 0. **Press Play, then raise the"
        " hidden units.**"
    )
