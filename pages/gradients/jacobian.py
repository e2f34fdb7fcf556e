"""Eigenvalues of a recurrent step's Jacobian in the complex plane, and a gradient's way through many steps."""

import math
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.gradients import recurrence
from lm_core.experiments.gradients.recurrence import SIZE, STEPS, Unrolled
from lm_core.rng import generator
from pages.gradients.networks_by_depth import ACTIVATION_TITLES, FUNCTIONS
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.components.plane_panels import Line, Pair, Plane, PlaneMark, plane_panels
from pages.shared.numbers import percent, significant

RADII = (0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.5)
_ACTIVATIONS = {name: ACTIVATION_TITLES[name] for name in ("linear", "tanh", "relu", "sigmoid")}
_FLOOR, _CEILING = 1e-10, 1e10
_TICKS = (1e-10, 1e-5, 1.0, 1e5, 1e10)
_HEIGHT = 285
_SEEN_FIRST = 3  # steps back that are drawn before the guess
_NORM, _LARGEST = "a gradient", "largest"
_STYLES = {_NORM: page.LineStyle(BLUE), _LARGEST: page.LineStyle(ORANGE, 1)}


class Recurrence(NamedTuple):
    """What is drawn: the matrix, the activation and the seed of both."""

    radius: float = page.field(page.pick, "Spectral radius of W", RADII, 0.9, width=180)
    matrix: str = page.field(page.choice, "Matrix W", recurrence.KINDS, width=140)
    recurrent_activation: str = page.folded(page.choice, "Activation", _ACTIVATIONS)
    seed: int = page.folded(page.number, "Seed of the weights", 0, 999, 1)


@st.cache_data(max_entries=128, show_spinner=False)
def _unrolled(chosen: Recurrence) -> Unrolled:
    with page.model_calls:
        rng, function = generator(1_000 + chosen.seed), FUNCTIONS[chosen.recurrent_activation]
        matrix = recurrence.recurrent_matrix(chosen.matrix, chosen.radius, generator(chosen.seed))
        return recurrence.unroll(matrix, function, rng)


def jacobian_of_a_step(screen: page.FirstScreen) -> None:
    """Draw the eigenvalues of each step's Jacobian, and what is left of a gradient that many steps back."""
    chosen = page.controls(Recurrence, screen)
    found, radius = _unrolled(chosen), chosen.radius
    left = float(found.norms[-1])
    asked = page.ask(
        screen,
        "jacobian",
        f"The spectral radius is {radius:g}. How much of a gradient is left after {STEPS} steps?",
        {"About 90 %": 0.9, "About 20 %": 0.2, "About 2 %": 0.02},
        right=left,
        reason=f"**{percent(left, 2)}**. {radius:g}⁴⁰ is {radius**STEPS:.3f}: in the end the largest"
        " eigenvalue decides, because the parts along all smaller ones shrink faster.",
        when=chosen == page.starts(Recurrence),
    )
    with screen.picture:
        st.markdown(f"**{_finding(chosen, found, is_masked=asked.masks)}**")
        draw = partial(_draw, found, asked)
        page.playback_bar("steps_back", STEPS + 1, draw, label="Steps back")
    page.note_beside(
        screen,
        "Each step back multiplies a gradient by the *Jacobian* J, all derivatives of a step. The"
        " largest absolute *eigenvalue*, the *spectral radius* λ, decides in the end, because its"
        " powers outlast all others: **move it across 1**. "
        + (
            "In the end a tenth is lost at each step at 0.9, and a tenth is added at 1.1."
            if chosen.recurrent_activation == "linear"
            else "That holds where all steps have the same J. Here each has one of its own, W times the slopes"
            " of its units, so λ of W alone does not decide."
        )
        + " An imaginary part makes the gradient turn.",
    )


def _finding(chosen: Recurrence, found: Unrolled, *, is_masked: bool) -> str:
    radius = float(found.radii.mean())
    said = f"Spectral radius {significant(radius, 3)}"
    if chosen.recurrent_activation != "linear":
        said += " on average"
    if is_masked:
        return f"{said}: what is left of a gradient after {STEPS} steps?"
    left, most = float(found.norms[-1]), float(found.largest.max())
    said += f": after {STEPS} steps a gradient of 1 is {significant(left, 2)}"
    if left < 0.5 and most > 2.0:
        said += f", though on the way one may grow to {significant(most, 2)}"
    return said


def _draw(found: Unrolled, asked: page.Asked[float], step: int) -> None:
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        plane, key = _plane(found, step), "eigenvalue_plane"
        plane_panels([plane], key=key, name="eigenvalues", columns=1, height=_HEIGHT)
    with right:
        _norms(found, step, asked)


def _circle(radius: float) -> list[Pair]:
    turns = [2.0 * math.pi * i / 90 for i in range(91)]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


def _plane(found: Unrolled, step: int) -> Plane:
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
        [Line(_circle(1.0), GREY, 2.0), Line(_circle(radius), VERMILLION, 2.0, is_dashed=True)],
        marks,
        ("real part", "imaginary part"),
    )


def _norms(found: Unrolled, step: int, asked: page.Asked[float]) -> None:
    def pairs(values: list[float], most: int = STEPS) -> list[tuple[float, float]]:
        return [(float(k), max(v, 1e-300)) for k, v in enumerate(values[: most + 1])]

    seen = min(step, _SEEN_FIRST) if asked.masks else step
    page.show_lines(
        "gradient_norms",
        {_NORM: pairs(found.norms.tolist(), seen), _LARGEST: pairs(found.largest.tolist(), seen)},
        _STYLES,
        page.Axis("steps back, k", (0, STEPS)),
        page.Axis("norm", (_FLOOR, _CEILING), True, _TICKS),
        said="A gradient of norm 1, and the largest possible, by steps back.",
        references={} if asked.masks else {"product of λ": pairs(found.by_radius.tolist())},
        guess=asked.at(lambda value: (float(STEPS), value)),
        now=step,
        at=seen,
        is_small=True,
        height=_HEIGHT - 10,
    )
