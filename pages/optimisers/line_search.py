"""Exact line search: the best rate at every step, its zig-zag, and the bound of the lecture slides."""

import streamlit as st
import torch

from lm_core.experiments.optimisers.descent import (
    LINE_SEARCH,
    bound_of_line_search,
    descend_by_line_search,
    losses_along,
)
from lm_core.experiments.optimisers.landscapes import QUADRATIC, landscape, worst_start
from lm_core.experiments.published import SLIDES
from pages.optimisers.scene import (
    CONDITIONS,
    HEIGHT,
    STYLES,
    Shown,
    choose_condition,
    draw_plane,
    shown_landscape,
)
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE
from pages.shared.components.plane_panels import Pair
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

_STEPS = 20
_ASKED = 50
_ANSWERS = {"A tenth": 0.1, "Half": 0.5, "Nine tenths": 0.92}
_MEASURED, _WORST = "your start", "worst start"
_LINE_STYLES = {_MEASURED: LineStyle(BLUE), _WORST: STYLES[LINE_SEARCH]}


def choose_search(screen: FirstScreen) -> tuple[Shown, bool]:
    """Draw the choice of the quadratic and of its start, and return both."""
    with screen.controls:
        condition = choose_condition()
        is_worst = control(st.toggle, "worst_start", "Worst start", True)
        with st.popover("More", icon=":material/tune:"):
            shown = shown_landscape(QUADRATIC, condition)
    if is_worst:
        shown = shown._replace(start=worst_start(float(condition)))
    return shown, bool(is_worst)


@st.cache_data(max_entries=128, show_spinner=False)
def _way(condition: int, start: Pair) -> torch.Tensor:
    with model_calls:
        loss = landscape(QUADRATIC, float(condition)).loss
        return descend_by_line_search(loss, start, _STEPS)


def _ratios(shown: Shown, way: torch.Tensor) -> list[float]:
    """Return by which factor each step shrinks the loss, as long as there is any."""
    losses = losses_along(shown.landscape, way)
    kept = losses[losses > 1e-14]
    return (kept[1:] / kept[:-1]).tolist()


def exact_line_search(screen: FirstScreen, chosen: tuple[Shown, bool]) -> None:
    """Draw the zig-zag, and by how much each step shrinks the loss beside the bound."""
    shown, is_worst = chosen
    way = _way(shown.condition, shown.start)
    ratios = _ratios(shown, way)
    bound = bound_of_line_search(shown.condition)
    with screen.beside:
        prediction = _ask(shown)
    is_masked = answer_is_masked(prediction)
    with screen.picture:
        slowest = max(ratios, default=0.0)
        st.markdown(
            f"**Each step turns by a right angle (κ = {shown.condition})**"
            if is_masked
            else f"**A step leaves at most {slowest:.3f} of the loss; the bound is {bound:.3f}**"
        )
        playback_bar(
            "search_step",
            _STEPS + 1,
            lambda step: _draw(shown, way, step, prediction, is_worst=is_worst),
            label="Steps",
            start=_STEPS,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "*Line search* takes the rate at which the loss along the gradient is least. There the way touches a"
        " contour, so the next gradient is at a right angle. A bound on each step,"
        f" ((κ − 1)/(κ + 1))², stands in {SLIDES.rstrip(',')}.",
    )


def _ask(shown: Shown) -> Prediction | None:
    if shown.condition != _ASKED:
        return None
    prediction = predict_then_reveal(
        "line_search",
        f"κ = {_ASKED}, from the worst start: which share of the loss does a step with the best rate leave?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        bound = bound_of_line_search(_ASKED)
        way = _way(_ASKED, worst_start(float(_ASKED)))
        found = max(_ratios(shown, way))
        show_verdict(
            prediction,
            right=nearest_answer(bound, _ANSWERS),
            reason=f"**{found:.4f}** at every step, as (49/51)² = {bound:.4f} says. The best rate at each"
            " step is not the best way.",
        )
    return prediction


def _draw(
    shown: Shown, way: torch.Tensor, step: int, prediction: Prediction | None, *, is_worst: bool
) -> None:
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        draw_plane(
            shown,
            {LINE_SEARCH: way},
            step,
            key="search_plane",
            name="line-search",
            is_draggable=not is_worst,
        )
    with right:
        _by_condition(shown, way, prediction)


def _by_condition(shown: Shown, way: torch.Tensor, prediction: Prediction | None) -> None:
    is_masked = answer_is_masked(prediction)
    bounds = [(float(k), bound_of_line_search(k)) for k in CONDITIONS]
    worst = []
    for k in CONDITIONS[1:]:
        start = worst_start(float(k))
        scene = Shown(landscape(QUADRATIC, float(k)), k, start)
        worst.append((float(k), max(_ratios(scene, _way(k, start)))))
    own = (float(shown.condition), max(_ratios(shown, way), default=0.0))
    guess = guesses_in_picture(prediction, lambda said: (float(_ASKED), _ANSWERS[said]))
    lines = {_WORST: worst[:1] if is_masked else worst}
    said = (
        "The shares wait for the guess."
        if is_masked
        else f"At κ = {shown.condition} a step leaves at most {own[1]:.3f}, the bound is"
        f" {bound_of_line_search(shown.condition):.3f}."
    )
    page.show_lines(
        "search_bound",
        lines,
        _LINE_STYLES,
        Axis("condition number κ", (1, 100), True, tuple(map(float, CONDITIONS))),
        Axis("share of the loss that a step leaves", (0, 1)),
        beside={} if is_masked else {"bound": [bound for _, bound in bounds[1:]]},
        said=said,
        references={} if is_masked else {"((κ − 1)/(κ + 1))²": bounds},
        rings={} if is_masked else {_MEASURED: [own]},
        guess=guess,
        has_points=True,
        has_names=False,
        is_small=True,
        height=HEIGHT - 10,
    )
