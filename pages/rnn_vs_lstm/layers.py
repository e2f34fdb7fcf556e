"""Stacked layers: LSTMs of one to four layers with about equally many weights, on the book."""

import statistics
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.stacked_layers.results import StackedLayers, StackedLayersResults
from lm_core.experiments.stacked_layers.training import EVERY, LAYERS, SEEDS, TRAINING
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION
from pages.shared.counts import counted

_STYLES = {
    counted(layers, "layer"): page.LineStyle(colour, dash)
    for layers, colour, dash in zip(
        LAYERS, (BLUE, GREEN, ORANGE, VERMILLION), (0, 1, 2, 1), strict=True
    )
}

_LAST = TRAINING.steps - EVERY  # the last step at which the held-out text was read


class Chosen(NamedTuple):
    """Which step of the training is read off."""

    read_at: int = page.field(page.slider, "Training step", EVERY, _LAST, _LAST, EVERY, width=240)


layers_results = partial(page.shipped, StackedLayersResults)
"""Returns what was measured; ResultError where it is missing."""


def layers(screen: page.FirstScreen) -> None:
    """Draw the held-out loss by training step; of deeper networks it waits for the guess."""
    chosen = page.controls(Chosen, screen)
    found = {n: layers_results().of(n) for n in LAYERS}
    losses = {n: statistics.fmean(one.loss for one in trained) for n, trained in found.items()}
    sizes = [trained[0].parameters for trained in found.values()]
    asked = page.ask(
        screen,
        "layers",
        f"Four LSTMs have about {round(min(sizes), -3):,} weights each, in one to four layers: the more layers, the narrower."
        " Which has the lowest loss after the same short training?",
        {counted(n, "layer"): losses[n] for n in LAYERS},
        right=counted(min(losses, key=losses.__getitem__), "layer"),
        reason=lambda _: _reason(found, losses),
    )
    with screen.picture:
        _draw(found, asked.hides(*list(_STYLES)[1:]), chosen.read_at)
    page.note_beside(screen, _explained(is_masked=asked.masks))


def _draw(
    found: dict[int, tuple[StackedLayers, ...]], hidden: frozenset[str], read_at: int
) -> None:
    lines, rings = {}, {}
    for n, trained in found.items():
        name = counted(n, "layer")
        if name not in hidden:
            by_step = list(enumerate(zip(*(one.curve for one in trained), strict=True), 1))
            lines[name] = [(EVERY * step, statistics.fmean(each)) for step, each in by_step]
            rings[name] = [(EVERY * step, loss) for step, each in by_step for loss in each]
    now = ", ".join(f"{name} {dict(line)[read_at]:.2f}" for name, line in lines.items())
    st.markdown(f"**Loss after {read_at:,} steps: {now}**")
    page.show_lines(
        "stacked_layers",
        lines,
        _STYLES,
        page.Axis("training step", (EVERY, _LAST)),
        page.Axis("loss on held-out text, nats a character", (1.5, 3.2)),
        rings=rings,
        now=read_at,
        height=310,
    )


def _reason(found: dict[int, tuple[StackedLayers, ...]], losses: dict[int, float]) -> str:
    said = [
        f"{counted(n, 'layer')} of {found[n][0].width} units {loss:.2f}"
        for n, loss in losses.items()
    ]
    return (
        f"On the last tenth of the book the losses are **{', '.join(said)}** nats a character. At the start deep"
        " networks hardly learn, probably because the gradient reaches the lower layers only through those above, which"
        " have not learned yet; and each further layer makes all of them narrower."
    )


def _explained(*, is_masked: bool) -> str:
    said = (
        "In a *stacked* network the hidden vectors of one layer are the inputs of the next, so each layer can build on what the"
        f" one below has found. A line is the mean of {len(SEEDS)} trainings, a ring one of them."
    )
    if is_masked:
        return said
    return (
        f"{said} It is a short training of {TRAINING.steps:,} steps, and no rate was tuned, so the picture does not say that"
        " depth never helps: the published network of the book has four layers, and has read 400 times as many characters."
    )
