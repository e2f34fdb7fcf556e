"""Eigenvalues of a recurrent step's Jacobian in the complex plane, and a gradient's way through many steps."""

import math
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.gradients.recurrence import (
    KINDS,
    RANDOM,
    SIZE,
    STEPS,
    Unrolled,
    recurrent_matrix,
    unroll,
)
from lm_core.rng import generator
from pages.gradients.depth import FUNCTIONS
from pages.shared import charts
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.components.plane_panels import Line, Pair, Plane, PlaneMark, plane_panels
from pages.shared.numbers import percent, significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    guesses_in_picture,
    nearest_answer,
    predict_then_reveal,
    show_verdict,
)
from pages.shared.ui.playback import playback_bar

RADII = (0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.5)
_ACTIVATIONS = ("linear", "tanh", "relu", "sigmoid")
_FLOOR, _CEILING = 1e-10, 1e10
_TICKS = (1e-10, 1e-5, 1.0, 1e5, 1e10)
_HEIGHT = 285
_SEEN_FIRST = 3
"""Steps back that are drawn before the guess."""
_ANSWERS = {"About 90 %": 0.9, "About 20 %": 0.2, "About 2 %": 0.02}
_NORM, _LARGEST = "a gradient", "largest"
_STYLES = {_NORM: charts.LineStyle(BLUE), _LARGEST: charts.LineStyle(ORANGE, 1)}


class Recurrence(NamedTuple):
    """What is drawn: the matrix, the activation and the seed of both."""

    kind: str
    radius: float
    activation: str
    seed: int


_FIRST = Recurrence(RANDOM, 0.9, "linear", 1)


def choose_recurrence(screen: FirstScreen) -> Recurrence:
    """Draw the choice of the recurrence, and return it."""
    with screen.controls:
        radius = control(
            st.select_slider, "radius", "Spectral radius of W", RADII, _FIRST.radius, width=180
        )
        kind = control(st.selectbox, "matrix", "Matrix W", KINDS, width=140)
        with st.popover("More", icon=":material/tune:"):
            activation = control(
                st.selectbox,
                "recurrent_activation",
                "Activation",
                _ACTIVATIONS,
                format_func=lambda name: FUNCTIONS[name].title,
            )
            seed = control(st.number_input, "seed", "Seed of the weights", 0, 999, _FIRST.seed)
    return Recurrence(str(kind), float(radius), str(activation), int(seed))


@st.cache_data(max_entries=128, show_spinner=False)
def _unrolled(chosen: Recurrence) -> Unrolled:
    with model_calls:
        matrix = recurrent_matrix(chosen.kind, chosen.radius, generator(chosen.seed))
        return unroll(matrix, FUNCTIONS[chosen.activation], generator(1_000 + chosen.seed))


def jacobian_of_a_step(screen: FirstScreen, chosen: Recurrence) -> None:
    """Draw the eigenvalues of each step's Jacobian, and what is left of a gradient that many steps back."""
    found = _unrolled(chosen)
    with screen.beside:
        prediction = _ask(chosen, found)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, found, prediction)}**")
        playback_bar(
            "steps_back",
            STEPS + 1,
            lambda step: _draw(chosen, found, step, prediction),
            label="Steps back",
            start=STEPS,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "Each step back multiplies a gradient by the *Jacobian* J, all derivatives of a step. The largest"
        " absolute *eigenvalue*, the *spectral radius* λ, decides in the end: **move it across 1**. An imaginary"
        " part makes the gradient turn.",
    )


def _ask(chosen: Recurrence, found: Unrolled) -> Prediction | None:
    if chosen != _FIRST:
        return None
    prediction = predict_then_reveal(
        "jacobian",
        f"The spectral radius is {chosen.radius:g}. How much of a gradient is left after {STEPS} steps?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        left = float(found.norms[-1])
        show_verdict(
            prediction,
            right=nearest_answer(left, _ANSWERS),
            reason=f"**{percent(left, 2)}**. {chosen.radius:g}⁴⁰ is {chosen.radius**STEPS:.3f}: in the end the"
            " largest eigenvalue decides, and the parts along all others are gone long before.",
        )
    return prediction


def _finding(chosen: Recurrence, found: Unrolled, prediction: Prediction | None) -> str:
    radius = float(found.radii.mean())
    said = f"Spectral radius {significant(radius, 3)}"
    if chosen.activation != "linear":
        said += " on average"
    if answer_is_masked(prediction):
        return f"{said}: what is left of a gradient after {STEPS} steps?"
    left, most = float(found.norms[-1]), float(found.largest.max())
    said += f": after {STEPS} steps a gradient of 1 is {significant(left, 2)}"
    if left < 0.5 and most > 2.0:
        said += f", though on the way one may grow to {significant(most, 2)}"
    return said


def _draw(chosen: Recurrence, found: Unrolled, step: int, prediction: Prediction | None) -> None:
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        plane_panels(
            [_plane(chosen, found, step)],
            key="eigenvalue_plane",
            name="eigenvalues",
            columns=1,
            height=_HEIGHT,
        )
    with right:
        _norms(found, step, prediction)


def _circle(radius: float) -> list[Pair]:
    turns = [2.0 * math.pi * i / 90 for i in range(91)]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


def _plane(chosen: Recurrence, found: Unrolled, step: int) -> Plane:
    time = STEPS - max(step, 1)  # the step that a gradient was taken back through last
    values = found.eigenvalues[time]
    radius = float(values.abs().max())
    marks = [PlaneMark((value.real, value.imag), 0, BLUE, radius=4.5) for value in values.tolist()]
    return Plane(
        "Eigenvalues of J",
        f"grey: 1, dashed: λ = {significant(radius, 3)}",
        (-1.7, 1.7, -1.7, 1.7),
        f"{SIZE} eigenvalues; the spectral radius is {significant(radius, 3)}, the grey circle has radius 1.",
        None,
        [
            Line(_circle(1.0), GREY, 2.0),
            Line(_circle(radius), VERMILLION, 2.0, is_dashed=True),
        ],
        marks,
        ("real part", "imaginary part"),
    )


def _norms(found: Unrolled, step: int, prediction: Prediction | None) -> None:
    def pairs(values: list[float], most: int = STEPS) -> list[tuple[float, float]]:
        return [(float(k), max(v, 1e-300)) for k, v in enumerate(values[: most + 1])]

    is_masked = answer_is_masked(prediction)
    seen = min(step, _SEEN_FIRST) if is_masked else step
    norms, largest = found.norms.tolist(), found.largest.tolist()
    lines = {_NORM: pairs(norms, seen), _LARGEST: pairs(largest, seen)}
    guess = guesses_in_picture(prediction, lambda said: (float(STEPS), _ANSWERS[said]))
    references = {} if is_masked else {"product of λ": pairs(found.by_radius.tolist())}
    show_chart(
        charts.line_chart(
            lines,
            _STYLES,
            charts.Axis("steps back, k", (0, STEPS)),
            charts.Axis("norm", (_FLOOR, _CEILING), True, _TICKS),
            references=references,
            guess=guess,
            now=step,
            height=_HEIGHT - 10,
        ),
        pa.table(
            {
                "steps back": list(range(seen + 1)),
                _NORM: norms[: seen + 1],
                _LARGEST: largest[: seen + 1],
            }
        ),
        key="gradient_norms",
        alt=f"{seen} steps back a gradient of norm 1 is {significant(norms[seen], 3)}, the largest possible"
        f" {significant(largest[seen], 3)}.",
        name="gradient-by-steps",
        is_small=True,
    )
