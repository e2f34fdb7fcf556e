"""All optimisers from one start, on losses of two parameters: contours or a surface, and loss by step."""

import math

import streamlit as st
import torch

from lm_core.experiments.optimisers.descent import (
    LINE_SEARCH,
    NEWTON,
    RUNNERS,
    descend,
    descend_by_line_search,
    descend_by_newton,
    losses_along,
)
from lm_core.experiments.optimisers.landscapes import NAMES, QUADRATIC, landscape
from pages.optimisers.loss_surface_chart import surface_figure
from pages.optimisers.scene import (
    FIRST_CONDITION,
    HEIGHT,
    STYLES,
    Shown,
    choose_condition,
    draw_beside,
    heights,
    shown_landscape,
)
from pages.optimisers.updates import show_updates
from pages.shared import page
from pages.shared.components.plane_panels import Pair
from pages.shared.numbers import significant
from pages.shared.ui.appearance import chart_style

METHODS = (*RUNNERS, LINE_SEARCH, NEWTON)
_FIRST = ["GD", "momentum", "Adam", "Newton"]
_STEPS = 60
_MOST = 6
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_CELLS = 60
_LEAST = 1e-12  # a loss that is less is rounding


def race(screen: page.FirstScreen) -> None:
    """Draw the ways of all chosen optimisers, step by step."""
    with screen.controls:
        name = page.choice("landscape", "Loss", NAMES, width=150)
    with page.more(screen):
        methods = page.control(
            st.multiselect, "methods", "Optimisers", METHODS, default=_FIRST, max_selections=_MOST
        )
        condition = choose_condition() if name == QUADRATIC else FIRST_CONDITION
        factor = page.pick("rate_factor", "Learning rates, times", _RATES, 1.0)
        shown = shown_landscape(name, condition)
        is_surface = page.switch("surface", "Three dimensions")
    if not methods:
        screen.picture.info("No optimiser is chosen: choose some under *More*.")
        methods = _FIRST[:1]
    ways = {method: _way(name, condition, shown.start, method, factor) for method in methods}
    losses = {method: losses_along(shown.landscape, way).tolist() for method, way in ways.items()}
    asked = _ask(screen, shown, losses, factor)
    ways = {method: way for method, way in ways.items() if method not in asked.hides(NEWTON)}
    losses = {method: losses[method] for method in ways}

    def draw(step: int) -> None:
        if is_surface:
            left, right = st.columns([1.15, 1], gap="small")
            with left:
                _surface(shown, ways, step)
        else:
            right = draw_beside(shown, ways, step, "descents")
        with right:
            _losses(losses, step)

    with screen.picture:
        st.markdown(f"**{_finding(losses)}**")
        page.playback_bar("step", _STEPS + 1, draw, label="Steps", start=_STEPS // 2)
    page.note_beside(
        screen,
        "Gradient descent steps against the *gradient*, the direction of steepest rise. That is"
        " downhill, but in a long valley it leads across it and not along, so the way goes from side"
        " to side; the others use more than that. **Drag the white circle** to start elsewhere, and"
        " step back and forth.",
    )
    if not page.is_presenting():
        show_updates(shown, factor)


@st.cache_data(max_entries=256, show_spinner=False)
def _way(name: str, condition: int, start: Pair, method: str, factor: float) -> torch.Tensor:
    """Return a descent, made once for all visitors who ask for the same."""
    scene = landscape(name, float(condition))
    with page.model_calls:
        if method == NEWTON:
            return descend_by_newton(scene.loss, start, _STEPS)
        if method == LINE_SEARCH:
            return descend_by_line_search(scene.loss, start, _STEPS)
        runner = RUNNERS[method]
        return descend(scene.loss, start, runner.rule, factor * runner.rate_on(scene), _STEPS)


def _ask(
    screen: page.FirstScreen, shown: Shown, losses: dict[str, list[float]], factor: float
) -> page.Asked[str]:
    """Ask for Newton's way; nothing where something else is on screen."""
    found = shown.landscape
    is_first = found.name == QUADRATIC and shown.condition == FIRST_CONDITION and factor == 1.0
    others = []
    for name, row in losses.items():
        steps = next((i for i, loss in enumerate(row) if loss <= 1e-3 * row[0]), None)
        more = "more than " if steps is None else ""
        others += [] if name == NEWTON else [f"{name} {more}{steps or _STEPS}"]
    return page.ask(
        screen,
        "race",
        "Newton's method knows the curvature as well. How many steps does it need on a quadratic?",
        ("One", "About ten", "About fifty"),
        right="One",
        reason="**One**, because it jumps to the lowest point of the quadratic that fits slope and"
        " curvature, and here the loss is that quadratic. Until the loss is a thousandth:"
        f" {', '.join(others)}.",
        when=is_first and shown.start == found.start and NEWTON in losses,
    )


def _finding(losses: dict[str, list[float]]) -> str:
    last = {name: row[_STEPS // 2] for name, row in losses.items()}
    finite = {name: loss for name, loss in last.items() if math.isfinite(loss)}
    if not finite:
        return "All of them have diverged: lower the learning rates"
    best = [name for name, loss in finite.items() if loss <= max(_LEAST, min(finite.values()))]
    worst = max(last, key=lambda name: last[name] if math.isfinite(last[name]) else math.inf)
    said = f"Lowest after {_STEPS // 2} steps: {' and '.join(best)}, at {_short(last[best[0]])}"
    return said if worst in best else f"{said}; {worst} is at {_short(last[worst])}"


def _short(loss: float) -> str:
    if not math.isfinite(loss):
        return "infinity"
    return "0" if abs(loss) < _LEAST else significant(loss, 2)


def _surface(shown: Shown, ways: dict[str, torch.Tensor], step: int) -> None:
    found, style = shown.landscape, chart_style()
    traces = {}
    for name, way in ways.items():
        places = way[: step + 1]
        high = losses_along(found, places)
        traces[name] = (STYLES[name].colour, torch.cat([places, high[:, None]], 1).numpy())
    figure = surface_figure(
        heights(found.name, shown.condition, _CELLS),
        found.bounds,
        traces,
        ink=style.text_colour,
        text_size=style.text_size,
        height=HEIGHT,
    )
    st.plotly_chart(figure, key="loss_surface", alt=f"The {found.name} loss as a surface.")


def _losses(losses: dict[str, list[float]], step: int) -> None:
    lines = {
        name: [(i, loss if loss > _LEAST else 0.0) for i, loss in enumerate(row) if loss < math.inf]
        for name, row in losses.items()
    }
    page.show_lines(
        "race_losses",
        lines,
        STYLES,
        page.Axis("steps", (0, _STEPS)),
        page.Axis("loss above the lowest", (1e-6, 100.0), True, (1e-6, 1e-4, 1e-2, 1, 100)),
        now=step,
        is_small=True,
        height=HEIGHT - 10,
    )
