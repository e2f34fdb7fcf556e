"""Gradient descent at one learning rate: too low, well chosen, beyond the edge of divergence."""

import math

import streamlit as st
import torch

from lm_core.experiments.optimisers.descent import (
    GRADIENT_DESCENT,
    descend,
    edge_of_divergence,
    losses_along,
)
from lm_core.experiments.optimisers.landscapes import QUADRATIC, landscape
from lm_core.training.update_rules import GradientDescent
from pages.optimisers.scene import (
    HEIGHT,
    STYLES,
    Shown,
    choose_condition,
    draw_plane,
    shown_landscape,
)
from pages.shared import page
from pages.shared.charts.lines import Axis
from pages.shared.components.plane_panels import Pair
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
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

RATES = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.034, 0.036, 0.038, 0.039, 0.04,
         0.041, 0.042, 0.045, 0.05, 0.06, 0.08, 0.1, 0.105, 0.15, 0.18, 0.19, 0.2, 0.21, 0.3, 0.5,
         1.0, 1.9, 2.0, 2.1)  # fmt: skip
_FIRST = 0.036
_STEPS = 40
_FLOOR, _CEILING = 1e-6, 1e6
_ASKED = 50
_ANSWERS = {"0.002": 0.002, "0.02": 0.02, "0.04": 0.04, "0.5": 0.5}


def choose_rate(screen: FirstScreen) -> tuple[Shown, float]:
    """Draw the choice of the rate and of the quadratic, and return both."""
    with screen.controls:
        rate = control(st.select_slider, "rate", "Learning rate η", RATES, _FIRST, width=200)
        with st.popover("More", icon=":material/tune:"):
            condition = choose_condition()
            shown = shown_landscape(QUADRATIC, condition)
    return shown, float(rate)


@st.cache_data(max_entries=64, show_spinner=False)
def _ways(condition: int, start: Pair) -> dict[float, torch.Tensor]:
    loss = landscape(QUADRATIC, float(condition)).loss
    with model_calls:
        return {rate: descend(loss, start, GradientDescent(), rate, _STEPS) for rate in RATES}


def one_rate(screen: FirstScreen, chosen: tuple[Shown, float]) -> None:
    """Draw the way at the chosen rate beside the last loss at every rate."""
    shown, rate = chosen
    ways = _ways(shown.condition, shown.start)
    edge = edge_of_divergence(shown.landscape.loss, shown.start)
    with screen.beside:
        prediction = _ask(shown, edge)
    is_masked = answer_is_masked(prediction)
    with screen.picture:
        st.markdown(f"**{_finding(shown, rate, ways[rate], edge, is_masked=is_masked)}**")
        playback_bar(
            "rate_step",
            _STEPS + 1,
            lambda step: _draw(shown, rate, ways, step, edge, prediction),
            label="Steps",
            start=_STEPS,
            seconds_per_step=0.5,
        )
    edge_named = "" if is_masked else " Beyond η = 2/λ that is below −1, and each step ends higher."
    note_beside(
        screen,
        "Along its steepest axis the quadratic bends by λ = κ. A step of η multiplies the distance there by"
        f" 1 − ηλ.{edge_named} **Find the edge.**",
    )


def _ask(shown: Shown, edge: float) -> Prediction | None:
    if shown.condition != _ASKED:
        return None
    prediction = predict_then_reveal(
        "edge",
        f"The largest curvature is λ = {shown.condition}. Above which learning rate does gradient descent"
        " diverge?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        show_verdict(
            prediction,
            right=nearest_answer(edge, _ANSWERS),
            reason=f"Above 2/λ = **{significant(edge, 3)}**. Just below it the steps jump from side to side and shrink;"
            " just above, they grow.",
        )
    return prediction


def _finding(shown: Shown, rate: float, way: torch.Tensor, edge: float, *, is_masked: bool) -> str:
    first, last = (float(losses_along(shown.landscape, way)[i]) for i in (0, -1))
    factor = abs(1.0 - rate * shown.condition)
    said = f"At η = {rate:g} a step multiplies the steep distance by {significant(factor, 3)}"
    if is_masked:
        return said
    trend = "it diverges" if rate > edge else "it converges" if last < first else "it stays"
    return f"{said}: {trend} (edge {significant(edge, 3)})"


def _draw(
    shown: Shown,
    rate: float,
    ways: dict[float, torch.Tensor],
    step: int,
    edge: float,
    prediction: Prediction | None,
) -> None:
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        draw_plane(
            shown, {GRADIENT_DESCENT: ways[rate]}, step, key="rate_plane", name="learning-rate"
        )
    with right:
        _last_losses(shown, rate, ways, edge, prediction)


def _last_losses(
    shown: Shown,
    rate: float,
    ways: dict[float, torch.Tensor],
    edge: float,
    prediction: Prediction | None,
) -> None:
    ends = {r: float(losses_along(shown.landscape, way)[-1]) for r, way in ways.items()}
    pairs = [
        (r, min(max(end, _FLOOR), _CEILING) if math.isfinite(end) else _CEILING)
        for r, end in ends.items()
    ]
    is_masked = answer_is_masked(prediction)
    guess = guesses_in_picture(prediction, lambda said: (_ANSWERS[said], 1.0))
    name = f"loss after {_STEPS} steps"
    shown_pairs = [pair for pair in pairs if pair[0] == rate] if is_masked else pairs
    references = {} if is_masked else {"2/λ": [(edge, _FLOOR), (edge, _CEILING)]}
    page.show_lines(
        "rate_losses",
        {name: shown_pairs},
        {name: STYLES[GRADIENT_DESCENT]},
        Axis("learning rate η", (RATES[0], RATES[-1]), True, (0.001, 0.01, 0.1, 1.0)),
        Axis(name, (_FLOOR, _CEILING), True, (1e-6, 1e-3, 1, 1e3, 1e6)),
        references=references,
        guess=guess,
        now=rate,
        has_points=True,
        has_names=False,
        is_small=True,
        height=HEIGHT - 10,
    )
