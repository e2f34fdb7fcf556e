"""Minibatches: gradient descent on a few examples at a time, and what the batch size changes."""

import streamlit as st
import torch

from lm_core.experiments.optimisers.descent import descend_by_minibatches, losses_along
from lm_core.experiments.optimisers.landscapes import N_EXAMPLES, QUADRATIC
from pages.optimisers.scene import HEIGHT, draw_beside, shown_landscape
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION
from pages.shared.components.plane_panels import Pair
from pages.shared.counts import counted
from pages.shared.numbers import significant

SIZES = (1, 4, 16, N_EXAMPLES)
_LINES = (LineStyle(VERMILLION), LineStyle(ORANGE, 1), LineStyle(GREEN, 2), LineStyle(BLUE))
_STYLES = {f"B = {size}": style for size, style in zip(SIZES, _LINES, strict=True)}
_STEPS = 100
_RATE = 0.05
_CONDITION = 10
_FLOOR = 1e-6
_STAYS = "It goes up and down, and falls no further"


def minibatches(screen: page.FirstScreen) -> None:
    """Draw the way of one batch size, and the loss of all."""
    with screen.controls:
        size = page.pick("batch_size", "Examples in a batch, B", SIZES, 4, width=200)
    with page.more(screen):
        shown = shown_landscape(QUADRATIC, _CONDITION)
        seed = page.number("seed", "Seed of the batches", 0, 999, 1)
    ways = _ways(shown.condition, shown.start, seed)
    losses = {n: losses_along(shown.landscape, way).tolist() for n, way in ways.items()}

    def reason(_: str | None) -> str:
        one, every = (sum(losses[n][-20:]) / 20 for n in (1, N_EXAMPLES))
        return (
            f"It falls no further, because at the lowest point of all {N_EXAMPLES} examples each single one still"
            f" pulls its own way. The mean loss of the last 20 steps is {significant(one, 2)} for B = 1"
            f" and {significant(every, 1)} for all."
        )

    asked = page.ask(
        screen,
        "minibatches",
        "With one example a step, what does the loss do after the first fast fall?",
        ("It falls on to 0", _STAYS, "It rises without end"),
        right=_STAYS,
        reason=reason,
    )

    def draw(step: int) -> None:
        with draw_beside(shown, {"GD": ways[size]}, step, "minibatches"):
            _losses(losses, step, asked)

    with screen.picture:
        st.markdown(
            f"**{_STEPS} steps of {counted(size, 'example')} each: {size * _STEPS:,} gradients of one"
            " example**"
        )
        page.playback_bar("batch_step", _STEPS + 1, draw, label="Steps")
    page.note_beside(
        screen,
        f"This quadratic is a linear regression on {N_EXAMPLES} examples. The mean gradient of a few of"
        " them points only roughly downhill, but takes that much less work, so more steps can be made:"
        " this is *stochastic gradient descent*.",
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _ways(condition: int, start: Pair, seed: int) -> dict[int, torch.Tensor]:
    with page.model_calls:
        return {
            size: descend_by_minibatches(float(condition), start, _RATE, size, _STEPS, seed)
            for size in SIZES
        }


def _losses(losses: dict[int, list[float]], step: int, asked: page.Asked[str]) -> None:
    lines = {name: list(enumerate(losses[n])) for n, name in zip(SIZES, _STYLES, strict=True)}
    if asked.masks:
        first = next(iter(lines))
        lines[first] = lines[first][:10]
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
