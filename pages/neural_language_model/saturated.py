"""Saturated units: what the tanh layer responds while it learns, from careless and from careful starts."""

import math

import pandas as pd
import streamlit as st

from lm_core.analysis.saturation import SATURATED
from lm_core.experiments.neural_language_model.study import TrainedNetwork
from lm_core.models.mlp import NORMAL, SCALED, SMALL_OUTPUT
from lm_core.text.names import SYMBOLS
from pages.neural_language_model.activations_chart import response_histogram, response_table
from pages.neural_language_model.every_batch import every_batch
from pages.neural_language_model.saturated_notes import (
    BEFORE_1,
    STARTS,
    over_training,
    saturated_notes,
)
from pages.neural_language_model.shipped import results
from pages.shared import page
from pages.shared.numbers import percent

FRAME = "saturation_frame"  # name of the control that says which step of the training is shown


_ANSWERS = {"0": 0.0, "3.3, as by chance": math.log(len(SYMBOLS)), "8": 8.0, "More than 15": 24.0}
_CHANCE = "log 27"

_HEIGHT = 300


def _choose_start() -> str:
    """Draw which start the careless one is compared with, and return it."""
    return page.segments(
        "weight_start",
        "Beside all normal",
        (SMALL_OUTPUT, SCALED),
        SCALED,
        format_func=lambda start: STARTS[start].title,
    )


def saturated_units(screen: page.FirstScreen) -> None:
    """Draw the responses of the hidden units from two starts, step by step, and the losses."""
    with screen.controls:
        compared = _choose_start()
    by_start = {t.config.network.initialisation: t for t in results().starts}
    networks = {start: by_start[start] for start in (NORMAL, compared)}
    asked = _ask(screen, networks[NORMAL])
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(networks[NORMAL].snapshots),
            lambda i: _draw(networks, i, asked),
            label="Frame of the training",
            start=0,
        )
    if not asked.masks:
        page.note_beside(screen, _explained(networks))
    if not page.is_presenting():
        over_training(networks)
        every_batch(NORMAL if compared == SMALL_OUTPUT else compared)
        saturated_notes(by_start)


def _ask(screen: page.FirstScreen, normal: TrainedNetwork) -> page.Asked:
    first = normal.snapshots[0].loss
    return page.ask(
        screen,
        "saturation",
        "Before the first step all weights are random, from a normal distribution. What is the"
        " loss, in nats a letter?",
        _ANSWERS,
        right=first,
        reason=f"**{first:.1f}**. A network that gives all 27 symbols the same probability has log 27"
        f" = {_chance():.4f}. This one has large random outputs, so it is sure of letters that"
        " are wrong.",
    )


def _chance() -> float:
    return math.log(len(SYMBOLS))


def _draw(networks: dict[str, TrainedNetwork], i: int, asked: page.Asked) -> None:
    step = networks[NORMAL].snapshots[i].step
    shares = ", ".join(
        f"{STARTS[start].title} {percent(trained.snapshots[i].saturation.saturated)}"
        for start, trained in networks.items()
    )
    st.markdown(f"**Responses beyond ±{SATURATED} after {step:,} steps: {shares}**")
    left, middle, right = st.columns([1, 1, 1.3], gap="small")
    for column, (start, trained) in zip((left, middle), networks.items(), strict=True):
        with column:
            _histogram(start, trained, i)
    with right:
        st.markdown("**Loss on held-out names**")
        _losses(networks, step, asked)


def _histogram(start: str, trained: TrainedNetwork, i: int) -> None:
    found = trained.snapshots[i].saturation
    table = response_table(found.histogram)
    st.markdown(f"**{STARTS[start].title.capitalize()}**")
    page.show_chart(
        response_histogram(table, colour=STARTS[start].style.colour, height=_HEIGHT),
        key=f"saturation_{start.replace('-', '_')}",
        alt=f"{percent(found.saturated, 1)} of the responses are saturated, {percent(found.dead, 1)}"
        " of the units dead",
        name=f"responses-{start}",
        is_small=True,
    )


def _losses(networks: dict[str, TrainedNetwork], step: int, asked: page.Asked) -> None:
    """Draw the losses by step; those of the careless start wait for the guess."""
    shown = {s: t for s, t in networks.items() if s != NORMAL or not asked.masks}
    lines = {
        STARTS[start].title: [(max(s.step, BEFORE_1), s.loss) for s in trained.snapshots]
        for start, trained in shown.items()
    }
    last = networks[NORMAL].config.steps
    guess = asked.at(lambda value: (BEFORE_1, value))
    page.show_chart(
        page.line_chart(
            lines,
            {start.title: start.style for start in STARTS.values()},
            page.Axis("step", (BEFORE_1, last), True, (1, 100, 10_000), ",~s"),
            page.Axis("loss (nats per letter)", (2.0, 30.0), True, (2, 3, 5, 10, 20, 30)),
            references={_CHANCE: [(BEFORE_1, _chance()), (last, _chance())]},
            guess=guess,
            now=max(step, BEFORE_1),
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [
                (STARTS[start].title, s.step, s.loss, s.saturation.saturated, s.saturation.dead)
                for start, trained in shown.items()
                for s in trained.snapshots
            ],
            columns=["start", "step", "loss", "saturated", "dead"],
        ),
        key="saturation_losses",
        alt="; ".join(
            f"{name}: {pairs[0][1]:.2f} to {pairs[-1][1]:.2f}" for name, pairs in lines.items()
        ),
        name="loss-by-start",
        is_small=True,
    )


def _explained(networks: dict[str, TrainedNetwork]) -> str:
    normal, (compared, other) = networks[NORMAL], list(networks.items())[1]
    first = normal.snapshots[0].saturation
    return (
        "A unit near ±1 is *saturated*: the derivative of tanh is 1 − h², so its weights hardly move. A"
        f" *dead* unit is saturated for every input. At the start: **{percent(first.saturated)}** saturated,"
        f" {percent(first.dead, 1)} dead; {STARTS[compared].title}:"
        f" {percent(other.snapshots[0].saturation.saturated)}. At the end the losses are"
        f" {normal.validation:.3f} and **{other.validation:.3f}**."
    )
