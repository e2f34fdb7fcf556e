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
from pages.optimisers import scene
from pages.shared import page
from pages.shared.components.plane_panels import Pair
from pages.shared.numbers import significant

RATES = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.034, 0.036, 0.038, 0.039, 0.04,
         0.041, 0.042, 0.045, 0.05, 0.06, 0.08, 0.1, 0.105, 0.15, 0.18, 0.19, 0.2, 0.21, 0.3, 0.5,
         1.0, 1.9, 2.0, 2.1)  # fmt: skip
_FIRST = 0.036
_STEPS = 40
_FLOOR, _CEILING = 1e-6, 1e6
_ASKED = 50


def one_rate(screen: page.FirstScreen) -> None:
    """Draw the way at a learning rate beside the last loss at every rate."""
    with screen.controls:
        rate = page.pick("rate", "Learning rate η", RATES, _FIRST, width=200)
    with page.more(screen):
        shown = scene.shown_landscape(QUADRATIC, scene.choose_condition())
    ways = _ways(shown.condition, shown.start)
    edge = edge_of_divergence(shown.landscape.loss, shown.start)
    asked = page.ask(
        screen,
        "edge",
        f"The largest curvature is λ = {shown.condition}. Above which learning rate does gradient descent"
        " diverge?",
        {"0.002": 0.002, "0.02": 0.02, "0.04": 0.04, "0.5": 0.5},
        right=edge,
        reason=f"Above 2/λ = **{significant(edge, 3)}**, because there a step multiplies the distance along the"
        " steep axis by 1 − ηλ = −1. Just below it the jumps from side to side shrink; just"
        " above, they grow.",
        when=shown.condition == _ASKED,
    )

    def draw(step: int) -> None:
        with scene.draw_beside(shown, {GRADIENT_DESCENT: ways[rate]}, step, "learning-rate"):
            _last_losses(shown, rate, ways, edge, asked)

    with screen.picture:
        st.markdown(f"**{_finding(shown, rate, ways[rate], edge, asked)}**")
        page.playback_bar("rate_step", _STEPS + 1, draw, label="Steps")
    named = "" if asked.masks else " Beyond η = 2/λ that is below −1, and steps end farther out."
    page.note_beside(
        screen,
        "Along its steepest axis the quadratic bends by λ = κ. A step of η multiplies the"
        f" distance there by 1 − ηλ, so all depends on the size of this factor.{named} **Find the"
        " edge.**",
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _ways(condition: int, start: Pair) -> dict[float, torch.Tensor]:
    loss = landscape(QUADRATIC, float(condition)).loss
    with page.model_calls:
        return {rate: descend(loss, start, GradientDescent(), rate, _STEPS) for rate in RATES}


def _finding(
    shown: scene.Shown, rate: float, way: torch.Tensor, edge: float, asked: page.Asked[float]
) -> str:
    first, last = (float(losses_along(shown.landscape, way)[i]) for i in (0, -1))
    factor = abs(1.0 - rate * shown.condition)
    said = f"At η = {rate:g} a step multiplies the steep distance by {significant(factor, 3)}"
    trend = "it diverges" if rate > edge else "it converges" if last < first else "it stays"
    return said if asked.masks else f"{said}: {trend} (edge {significant(edge, 3)})"


def _last_losses(
    shown: scene.Shown,
    rate: float,
    ways: dict[float, torch.Tensor],
    edge: float,
    asked: page.Asked[float],
) -> None:
    ends = {r: float(losses_along(shown.landscape, way)[-1]) for r, way in ways.items()}
    pairs = [
        (r, min(max(end, _FLOOR), _CEILING) if math.isfinite(end) else _CEILING)
        for r, end in ends.items()
        if r == rate or not asked.masks
    ]
    name = f"loss after {_STEPS} steps"
    page.show_lines(
        "rate_losses",
        {name: pairs},
        {name: scene.STYLES[GRADIENT_DESCENT]},
        page.Axis("learning rate η", (RATES[0], RATES[-1]), True, (0.001, 0.01, 0.1, 1.0)),
        page.Axis(name, (_FLOOR, _CEILING), True, (1e-6, 1e-3, 1, 1e3, 1e6)),
        references={} if asked.masks else {"2/λ": [(edge, _FLOOR), (edge, _CEILING)]},
        guess=asked.at(lambda value: (value, 1.0)),
        now=rate,
        has_points=True,
        has_names=False,
        is_small=True,
        height=scene.HEIGHT - 10,
    )
