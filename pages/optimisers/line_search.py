"""Exact line search: the best rate at every step, its zig-zag, and the bound of the lecture slides."""

import streamlit as st
import torch

from lm_core.experiments.optimisers import descent
from lm_core.experiments.optimisers.landscapes import QUADRATIC, landscape, worst_start
from lm_core.experiments.published import SLIDES
from pages.optimisers.scene import (
    CONDITIONS,
    HEIGHT,
    STYLES,
    Shown,
    choose_condition,
    draw_beside,
    shown_landscape,
)
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.components.plane_panels import Pair

_STEPS = 20
_ASKED = 50
_MEASURED, _WORST = "your start", "worst start"
_LINE_STYLES = {_MEASURED: page.LineStyle(BLUE), _WORST: STYLES[descent.LINE_SEARCH]}


def exact_line_search(screen: page.FirstScreen) -> None:
    """Draw the zig-zag, and by how much each step shrinks the loss beside the bound."""
    with screen.controls:
        condition = choose_condition()
        is_worst = page.switch("worst_start", "Worst start", True)
    with page.more(screen):
        shown = shown_landscape(QUADRATIC, condition)
    if is_worst:
        shown = shown._replace(start=worst_start(float(condition)))
    way, bound = _way(condition, shown.start), descent.bound_of_line_search(_ASKED)
    asked = page.ask(
        screen,
        "line_search",
        f"κ = {_ASKED}, from the worst start: which share of the loss does a step with the best rate leave?",
        {"A tenth": 0.1, "Half": 0.5, "Nine tenths": 0.92},
        right=bound,
        reason=lambda _: (
            f"**{_worst_share(_ASKED):.4f}** at every step, as (49/51)² = {bound:.4f} says. Each step"
            " turns by a right angle, so the way zigzags: the best rate at each step is not the best way."
        ),
        when=condition == _ASKED,
    )

    def draw(step: int) -> None:
        ways = {descent.LINE_SEARCH: way}
        with draw_beside(shown, ways, step, "line-search", is_draggable=not is_worst):
            _by_condition(shown, way, asked)

    with screen.picture:
        slowest = max(_ratios(shown, way), default=0.0)
        st.markdown(
            f"**Each step turns by a right angle (κ = {condition})**"
            if asked.masks
            else f"**A step leaves at most {slowest:.3f} of the loss; the bound is"
            f" {descent.bound_of_line_search(condition):.3f}**"
        )
        page.playback_bar("search_step", _STEPS + 1, draw, label="Steps")
    page.note_beside(
        screen,
        "*Line search* takes the rate at which the loss along the gradient is least. There the way"
        " touches a contour, so the next gradient is at a right angle to it. No step leaves more of the"
        f" loss than ((κ − 1)/(κ + 1))², says a bound in {SLIDES.rstrip(',')}.",
    )


@st.cache_data(max_entries=128, show_spinner=False)
def _way(condition: int, start: Pair) -> torch.Tensor:
    with page.model_calls:
        loss = landscape(QUADRATIC, float(condition)).loss
        return descent.descend_by_line_search(loss, start, _STEPS)


def _ratios(shown: Shown, way: torch.Tensor) -> list[float]:
    """Return by which factor each step shrinks the loss, as long as there is any."""
    losses = descent.losses_along(shown.landscape, way)
    kept = losses[losses > 1e-14]
    return (kept[1:] / kept[:-1]).tolist()


def _worst_share(condition: int) -> float:
    """Return the largest share of the loss that a step from the worst start leaves."""
    start = worst_start(float(condition))
    scene = Shown(landscape(QUADRATIC, float(condition)), condition, start)
    return max(_ratios(scene, _way(condition, start)))


def _by_condition(shown: Shown, way: torch.Tensor, asked: page.Asked[float]) -> None:
    bounds = [(float(k), descent.bound_of_line_search(k)) for k in CONDITIONS]
    worst = [(float(k), _worst_share(k)) for k in CONDITIONS[1 : 2 if asked.masks else None]]
    own = (float(shown.condition), max(_ratios(shown, way), default=0.0))
    said = (
        f"At κ = {shown.condition} a step leaves at most {own[1]:.3f}, the bound is"
        f" {descent.bound_of_line_search(shown.condition):.3f}."
    )
    page.show_lines(
        "search_bound",
        {_WORST: worst},
        _LINE_STYLES,
        page.Axis("condition number κ", (1, 100), True, tuple(map(float, CONDITIONS))),
        page.Axis("share of the loss that a step leaves", (0, 1)),
        beside={} if asked.masks else {"bound": [bound for _, bound in bounds[1:]]},
        said="The shares wait for the guess." if asked.masks else said,
        references={} if asked.masks else {"((κ − 1)/(κ + 1))²": bounds},
        rings={} if asked.masks else {_MEASURED: [own]},
        guess=asked.at(lambda value: (float(_ASKED), value)),
        has_points=True,
        has_names=False,
        is_small=True,
        height=HEIGHT - 10,
    )
