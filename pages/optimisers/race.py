"""All optimisers from one start, on losses of two parameters: contours or a surface, and loss by step."""

import math

import pyarrow as pa
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
from lm_core.experiments.published import SLIDES
from pages.optimisers.loss_surface_chart import surface_figure
from pages.optimisers.scene import (
    FIRST_CONDITION,
    HEIGHT,
    STYLES,
    Shown,
    choose_condition,
    draw_plane,
    heights,
    shown_landscape,
)
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.components.plane_panels import Pair
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, answer_is_masked, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar

METHODS = (*RUNNERS, LINE_SEARCH, NEWTON)
_FIRST = ["GD", "momentum", "Adam", "Newton"]
_STEPS = 60
_MOST = 6
_FLOOR = 1e-6
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_CELLS = 60


def choose_race(screen: FirstScreen) -> tuple[Shown, list[str], float]:
    """Draw the choice of loss, methods and start, and return them with a factor of all rates."""
    with screen.controls:
        name = control(st.selectbox, "landscape", "Loss", NAMES, width=150)
        with st.popover("More", icon=":material/tune:"):
            methods = control(
                st.multiselect,
                "methods",
                "Optimisers",
                METHODS,
                default=_FIRST,
                max_selections=_MOST,
            )
            condition = choose_condition() if name == QUADRATIC else FIRST_CONDITION
            factor = control(st.select_slider, "rate_factor", "Learning rates, times", _RATES, 1.0)
            shown = shown_landscape(name, condition)
            control(st.toggle, "surface", "Three dimensions")
    return shown, list(methods), float(factor)


@st.cache_data(max_entries=256, show_spinner=False)
def _way(name: str, condition: int, start: Pair, method: str, factor: float) -> torch.Tensor:
    """Return a descent, made once for all visitors who ask for the same."""
    scene = landscape(name, float(condition))
    loss = scene.loss
    with model_calls:
        if method == NEWTON:
            return descend_by_newton(loss, start, _STEPS)
        if method == LINE_SEARCH:
            return descend_by_line_search(loss, start, _STEPS)
        runner = RUNNERS[method]
        return descend(loss, start, runner.rule, factor * runner.rate_on(scene), _STEPS)


def race(screen: FirstScreen, chosen: tuple[Shown, list[str], float]) -> None:
    """Draw the ways of all chosen optimisers, step by step."""
    shown, methods, factor = chosen
    if not methods:
        screen.picture.info("No optimiser is chosen: choose some under *More*.")
        methods = _FIRST[:1]
    ways = {
        method: _way(shown.landscape.name, shown.condition, shown.start, method, factor)
        for method in methods
    }
    with screen.beside:
        prediction = _ask(shown, ways, factor)
    with screen.picture:
        st.markdown(f"**{_finding(shown, ways, prediction)}**")
        playback_bar(
            "step",
            _STEPS + 1,
            lambda step: _draw(shown, ways, step, prediction),
            label="Steps",
            start=_STEPS // 2,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "Each step goes against the *gradient*, the direction of steepest rise: downhill, but rarely towards"
        " the lowest point. **Drag the white circle** to start elsewhere, and step back and forth.",
    )
    if not is_presenting():
        _formulas(shown, factor)


def _is_first(shown: Shown, factor: float) -> bool:
    found = shown.landscape
    is_given = found.name == QUADRATIC and shown.condition == FIRST_CONDITION
    return is_given and shown.start == found.start and factor == 1.0


def _ask(shown: Shown, ways: dict[str, torch.Tensor], factor: float) -> Prediction | None:
    """Ask for Newton's way; None where something else is on screen."""
    if not _is_first(shown, factor) or NEWTON not in ways:
        return None
    answers = ("One", "About ten", "About fifty")
    prediction = predict_then_reveal(
        "race",
        "Newton's method knows the curvature as well. How many steps does it need on a quadratic?",
        answers,
    )
    if prediction.revealed:
        others = {name: _steps_until(shown, way) for name, way in ways.items() if name != NEWTON}
        said = ", ".join(
            f"{name} {'more than ' if steps is None else ''}{steps or _STEPS}"
            for name, steps in others.items()
        )
        show_verdict(
            prediction,
            right=answers[0],
            reason=f"**One**: a quadratic is its own second-order approximation. Until the loss is a"
            f" thousandth: {said}.",
        )
    return prediction


def _steps_until(shown: Shown, way: torch.Tensor) -> int | None:
    """Return after how many steps the loss is a thousandth of the first one's; None if never."""
    losses = losses_along(shown.landscape, way)
    reached = (losses <= 1e-3 * losses[0]).nonzero()
    return int(reached[0]) if len(reached) else None


def _shown_ways(
    ways: dict[str, torch.Tensor], prediction: Prediction | None
) -> dict[str, torch.Tensor]:
    is_masked = answer_is_masked(prediction)
    return {name: way for name, way in ways.items() if not (is_masked and name == NEWTON)}


def _finding(shown: Shown, ways: dict[str, torch.Tensor], prediction: Prediction | None) -> str:
    last = {
        name: float(losses_along(shown.landscape, way)[_STEPS // 2])
        for name, way in _shown_ways(ways, prediction).items()
    }
    finite = {name: loss for name, loss in last.items() if math.isfinite(loss)}
    if not finite:
        return "All of them have diverged: lower the learning rates"
    best = min(finite, key=lambda name: finite[name])
    worst = max(last, key=lambda name: last[name] if math.isfinite(last[name]) else math.inf)
    said = f"After {_STEPS // 2} steps {best} is lowest, at {_short(last[best])}"
    return said if worst == best else f"{said}; {worst} is at {_short(last[worst])}"


def _short(loss: float) -> str:
    if not math.isfinite(loss):
        return "infinity"
    return "0" if abs(loss) < 1e-12 else significant(loss, 2)


def _draw(
    shown: Shown, ways: dict[str, torch.Tensor], step: int, prediction: Prediction | None
) -> None:
    drawn = _shown_ways(ways, prediction)
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        if st.session_state.get("surface"):
            _surface(shown, drawn, step)
        else:
            draw_plane(shown, drawn, step, key="race_plane", name="descents")
    with right:
        _losses(shown, drawn, step)


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


def _losses(shown: Shown, ways: dict[str, torch.Tensor], step: int) -> None:
    losses = {name: losses_along(shown.landscape, way).tolist() for name, way in ways.items()}
    lines = {
        name: [(float(i), max(loss, _FLOOR)) for i, loss in enumerate(row) if math.isfinite(loss)]
        for name, row in losses.items()
    }
    show_chart(
        line_chart(
            lines,
            STYLES,
            Axis("steps", (0, _STEPS)),
            Axis("loss above the lowest", (_FLOOR, 100.0), True, (1e-6, 1e-4, 1e-2, 1, 100)),
            now=step,
            height=HEIGHT - 10,
        ),
        pa.table({"step": list(range(_STEPS + 1))} | losses),
        key="race_losses",
        alt=f"Step {step}: "
        + "; ".join(f"{name} {_short(row[step])}" for name, row in losses.items()),
        name="loss-by-step",
        is_small=True,
    )


def _formulas(shown: Shown, factor: float) -> None:
    """Show the update of every optimiser, with the learning rate that it has here."""
    lines = ["| optimiser | update | learning rate η |", "|---|---|---|"]
    for name, runner in RUNNERS.items():
        lines.append(
            f"| {name} | ${runner.formula}$ | {significant(factor * runner.rate_on(shown.landscape), 3)} |"
        )
    lines += [
        r"| line search | $\eta = \arg\min_{\eta > 0} \mathcal{L}(\theta - \eta\,g)$ | the best one |",
        r"| Newton | $\theta \leftarrow \theta - H^{-1} g$ | 1 |",
    ]
    st.markdown(f"The loss is ${shown.landscape.formula}$.")
    with st.container(key="sideways_updates"):
        st.markdown("\n".join(lines))
    st.caption(
        f"The momentum of {SLIDES} m ← βm + g, is torch's. EMA momentum, an exponential moving average, is"
        " torch's with dampening = β. Late in a run its m is 1 − β times as large, with β = 0.9 a tenth, so it"
        " needs a higher learning rate; but its first step is as large, because torch takes the first"
        " gradient whole. No learning rate therefore makes the two take the same steps."
    )
