"""The nine activation functions of the lecture slides, their derivatives, and what each learns of the same points."""

import streamlit as st
import torch

from lm_core.experiments.perceptron.tasks import BOUNDS, RING, TASKS
from lm_core.experiments.perceptron.training import NetworkSettings, Training, surfaces, train
from lm_core.models.activations import ACTIVATIONS
from pages.perceptron.activation_table import draw_table, value_at
from pages.perceptron.own_points import LEGEND, marks_of
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Plane, plane_panels
from pages.shared.numbers import percent, significant

_FIRST = "sigmoid"
_REACH = 6.0
_ASKED_AT = 5.0
_UNITS, _RATE, _STEPS = 6, 1.0, 600
_HEIGHT = 300
_SIZE = 32  # places of a small picture in each direction
_VALUE, _SLOPE = "f(a)", "f′(a)"


def nine_activations(screen: page.FirstScreen) -> None:
    """Draw one function with its derivative, and the same task learned with each of the nine."""
    titles = {name: activation.title for name, activation in ACTIVATIONS.items()}
    with screen.controls:
        name = page.choice("function", "Function", titles, width=220)
    derivative = ACTIVATIONS[name].derivative
    slope, steepest = value_at(derivative, _ASKED_AT), value_at(derivative, 0.0)
    asked = page.ask(
        screen,
        "slope",
        "A sigmoid unit has the sum a = 5. How much of the gradient does it let through?",
        {"All of it": 1.0, "A quarter": 0.25, "Less than 1 %": 0.00665},
        right=slope,
        reason=f"**{percent(slope, 2)}**, because the sigmoid is almost flat there: it is *saturated*."
        f" Even at its steepest, a = 0, it lets {steepest:g} through, so ten such layers let at"
        f" most {significant(steepest**10, 1)} through.",
        when=name == _FIRST,
    )
    found = _trainings()
    with screen.picture:
        st.markdown(f"**{_finding(name)}**")
        page.playback_bar(
            "activation_frame",
            len(found[_FIRST].steps),
            lambda i: _draw(found, name, i, asked),
            label="Snapshot of nine trainings",
        )
    page.note_beside(
        screen,
        "In training, a unit multiplies the gradient by f′(a). Where f′ is about 0 the unit *saturates*,"
        " so the layers before it learn nothing from it. On the right each function learns a ring, from"
        " one start.",
    )
    if not page.is_presenting():
        draw_table(asked.hides(name))


def _finding(name: str) -> str:
    left, right = ACTIVATIONS[name].saturates
    title = ACTIVATIONS[name].title
    if left and right:
        return f"{title} saturates on both sides"
    if left:
        return f"{title} saturates on the left alone"
    return f"{title} saturates on neither side"


def _draw(found: dict[str, Training], name: str, i: int, asked: page.Asked[float]) -> None:
    left, right = st.columns([1, 1.1], gap="small")
    with left:
        _curves(name, asked)
    with right:
        _nine_planes(found, name, i)


def _curves(name: str, asked: page.Asked[float]) -> None:
    activation = ACTIVATIONS[name]
    a = torch.linspace(-_REACH, _REACH, 121, dtype=torch.float64)
    page.show_lines(
        "activation_curves",
        {
            _VALUE: list(zip(a.tolist(), activation.function(a).tolist(), strict=True)),
            _SLOPE: list(zip(a.tolist(), activation.derivative(a).tolist(), strict=True)),
        },
        {_VALUE: page.LineStyle(BLUE), _SLOPE: page.LineStyle(VERMILLION, 1)},
        page.Axis("a", (-_REACH, _REACH)),
        page.Axis("", (-1.2, 2.2)),
        hidden=asked.hides(_SLOPE),
        said=f"{activation.title} of a from −6 to 6.",
        at=_ASKED_AT,
        guess=asked.at(lambda slope: (_ASKED_AT, slope)),
        is_small=True,
        height=_HEIGHT - 30,
    )


@st.cache_resource(max_entries=1, show_spinner="Training")
def _trainings() -> dict[str, Training]:
    """Return the training with each function from the same start, done once for all visitors."""
    found = {}
    for name in ACTIVATIONS:
        settings = NetworkSettings((_UNITS,), name, learning_rate=_RATE, steps=_STEPS)
        with page.model_calls:
            found[name] = train(TASKS[RING], settings)
    return found


def _nine_planes(found: dict[str, Training], chosen: str, i: int) -> None:
    n = len(TASKS[RING].targets)
    planes = []
    for name, training in found.items():
        title = ACTIVATIONS[name].title
        shares = surfaces(training.layers[i], name, BOUNDS, _SIZE)[0].numpy()
        planes.append(
            Plane(
                f"▸ {title}" if name == chosen else title,
                str(int(training.n_right[i, 0])),
                BOUNDS,
                f"{title} at step {training.steps[i]}.",
                surface_picture(shares),
                (),
                [mark._replace(radius=2.5) for mark in marks_of(TASKS[RING])],
            )
        )
    plane_panels(
        planes,
        key="activation_planes",
        name="nine-activations",
        columns=3,
        height=_HEIGHT,
        hint=f"{LEGEND} Beside a name: how many of {n} points are on the right side.",
    )
