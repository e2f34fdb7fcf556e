"""The loss of a training, and where a snapshot was taken."""

import math
from collections.abc import Sequence

import streamlit as st

from lm_core.experiments.published import WORD_LOSSES, WORD_VOCABULARY
from lm_core.experiments.word2vec.short_text import Snapshot, TrainingRecord
from pages.shared import page
from pages.shared.charts.palette import PURPLE
from pages.word2vec.text import Material

_POINTS = 160


def draw_losses(material: Material, training: TrainingRecord, snapshot: Snapshot) -> None:
    """Draw the loss by step, and what chance would have."""
    n_words = len(material.short.vocabulary)
    chance = math.log(n_words)
    points = _thinned(training.losses)
    reached, when = len(training.losses), "at the end" if training.is_done else "so far"
    now = ""
    if 0 < snapshot.step < reached:
        now = f", at this snapshot {_near(training.losses, snapshot.step):.2f}"
    st.markdown(f"**Loss: {_near(training.losses, reached):.2f} nats a word {when}{now}**")
    drawn = page.line_chart(
        {"loss": points},
        {"loss": page.LineStyle(PURPLE)},
        page.Axis("step", (0.0, float(training.n_steps))),
        page.Axis("loss (nats a word)", (0.0, float(math.ceil(max(chance, points[0][1]))))),
        references={f"chance: ln {n_words}": [(0, chance), (training.n_steps, chance)]},
        now=float(snapshot.step),
        height=170,
    )
    page.show_chart(
        drawn,
        lambda: drawn.data.loc[drawn.data["name"] != "", ["name", "x", "y"]],
        key="snapshot_loss",
        alt=f"Loss from {points[0][1]:.2f} to {points[-1][1]:.2f} nats; chance is {chance:.2f}.",
        name="training-loss",
    )
    st.caption(
        f"Published on WikiText-2: {WORD_LOSSES[0]:.3f} nats in the first pass, {WORD_LOSSES[-1]:.3f} in"
        f" the seventh; chance is ln {WORD_VOCABULARY:,} = {math.log(WORD_VOCABULARY):.3f}.",
        help="Blog series, part II, and its notebook.",
    )


def _thinned(losses: Sequence[float]) -> list[tuple[float, float]]:
    """Return at most so many points of a curve, each the mean of its stretch."""
    every = -(-len(losses) // _POINTS)
    stretches = (losses[i : i + every] for i in range(0, len(losses), every))
    return [
        (float(min(len(losses), (i + 1) * every)), sum(part) / len(part))
        for i, part in enumerate(stretches)
    ]


def _near(losses: Sequence[float], step: int) -> float:
    """Return the mean loss of the ten steps before a snapshot: that of one batch says little."""
    nearby = losses[max(0, step - 10) : step]
    return sum(nearby) / len(nearby)
