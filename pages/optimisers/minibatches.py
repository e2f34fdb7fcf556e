"""Minibatches: gradient descent on a few examples at a time, and what the batch size changes."""

import streamlit as st
import torch

from lm_core.experiments.optimisers.descent import descend_by_minibatches, losses_along
from lm_core.experiments.optimisers.landscapes import N_EXAMPLES, QUADRATIC
from pages.optimisers.scene import HEIGHT, Shown, draw_plane, shown_landscape
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION
from pages.shared.components.plane_panels import Pair
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar

SIZES = (1, 4, 16, N_EXAMPLES)
_NAMES = {size: f"B = {size}" for size in SIZES}
_STYLES = dict(
    zip(
        _NAMES.values(),
        (
            LineStyle(VERMILLION),
            LineStyle(ORANGE, 1),
            LineStyle(GREEN, 2),
            LineStyle(BLUE),
        ),
        strict=True,
    )
)
_STEPS = 100
_RATE = 0.05
_CONDITION = 10
_FLOOR = 1e-6
_GRADIENT = "GD"
_ANSWERS = ("It falls on to 0", "It stays about where it is", "It rises without end")


def choose_batch(screen: FirstScreen) -> tuple[Shown, int, int]:
    """Draw the choice of the batch size, and return it with the quadratic and the seed."""
    with screen.controls:
        size = control(
            st.select_slider, "batch_size", "Examples in a batch, B", SIZES, 4, width=200
        )
        with st.popover("More", icon=":material/tune:"):
            shown = shown_landscape(QUADRATIC, _CONDITION)
            seed = control(st.number_input, "seed", "Seed of the batches", 0, 999, 1)
    return shown, int(size), int(seed)


@st.cache_data(max_entries=64, show_spinner=False)
def _ways(condition: int, start: Pair, seed: int) -> dict[int, torch.Tensor]:
    with model_calls:
        return {
            size: descend_by_minibatches(float(condition), start, _RATE, size, _STEPS, seed)
            for size in SIZES
        }


def minibatches(screen: FirstScreen, chosen: tuple[Shown, int, int]) -> None:
    """Draw the way of one batch size, and the loss of all."""
    shown, size, seed = chosen
    ways = _ways(shown.condition, shown.start, seed)
    with screen.beside:
        prediction = _ask(shown, ways)
    with screen.picture:
        seen = size * _STEPS
        st.markdown(
            f"**{_STEPS} steps of {size} example{'s' if size > 1 else ''} each: {seen:,} gradients of one"
            " example**"
        )
        playback_bar(
            "batch_step",
            _STEPS + 1,
            lambda step: _draw(shown, size, ways, step, prediction),
            label="Steps",
            start=_STEPS,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        f"This quadratic is a linear regression on {N_EXAMPLES} examples. The mean gradient of a few of them"
        " points only roughly downhill, and costs that much less: *stochastic gradient descent*.",
    )


def _ask(shown: Shown, ways: dict[int, torch.Tensor]) -> Prediction:
    prediction = predict_then_reveal(
        "minibatches",
        "With one example a step, what does the loss do after the first fast fall?",
        _ANSWERS,
    )
    if prediction.revealed:
        last = {
            size: float(losses_along(shown.landscape, way)[-20:].mean())
            for size, way in ways.items()
        }
        show_verdict(
            prediction,
            right=_ANSWERS[1],
            reason=f"It stays: at the lowest point of all {N_EXAMPLES} examples each single one still pulls"
            f" its own way. Mean of the last 20 steps: {significant(last[1], 2)} for B = 1,"
            f" {significant(last[N_EXAMPLES], 1)} for all.",
        )
    return prediction


def _draw(
    shown: Shown,
    size: int,
    ways: dict[int, torch.Tensor],
    step: int,
    prediction: Prediction,
) -> None:
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        draw_plane(shown, {_GRADIENT: ways[size]}, step, key="batch_plane", name="minibatches")
    with right:
        _losses(shown, ways, step, is_masked=not prediction.revealed)


def _losses(shown: Shown, ways: dict[int, torch.Tensor], step: int, *, is_masked: bool) -> None:
    losses = {size: losses_along(shown.landscape, way).tolist() for size, way in ways.items()}
    lines = {
        _NAMES[size]: [(float(i), loss) for i, loss in enumerate(row)][
            : 10 if is_masked and size == 1 else None
        ]
        for size, row in losses.items()
    }
    page.show_lines(
        "batch_losses",
        lines,
        _STYLES,
        Axis("steps", (0, _STEPS)),
        Axis("loss", (_FLOOR, 100.0), True, (1e-6, 1e-4, 1e-2, 1, 100)),
        now=step,
        is_small=True,
        height=HEIGHT - 10,
    )
