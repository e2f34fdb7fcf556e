"""The loss of a training, and where a snapshot was taken."""

import math
from collections.abc import Sequence

import streamlit as st

from lm_core.experiments.published import WORD_LOSSES, WORD_VOCABULARY
from lm_core.experiments.word2vec.experiment import short_text_run
from lm_core.experiments.word2vec.negative_sampling_training import NegativeSamplingConfig
from lm_core.experiments.word2vec.short_text import Snapshot, TrainingRecord
from pages.shared import page
from pages.shared.charts.palette import PURPLE
from pages.shared.counts import counted
from pages.shared.frame.normal_losses import Yardsticks, yardsticks
from pages.word2vec.text import Material

_POINTS = 160


def draw_losses(material: Material, training: TrainingRecord, snapshot: Snapshot) -> None:
    """Draw the loss by step, and what chance would have."""
    chance, named = _chance(material)
    points = _thinned(training.losses)
    reached, when = len(training.losses), "at the end" if training.is_done else "so far"
    now = ""
    if 0 < snapshot.step < reached:
        now = f", at this snapshot {_near(training.losses, snapshot.step):.2f}"
    st.markdown(f"**Loss: {_near(training.losses, reached):.2f} {material.unit} {when}{now}**")
    held_to = _other_seeds(material, training.n_steps)
    drawn = page.line_chart(
        {"loss": points},
        {"loss": page.LineStyle(PURPLE)},
        page.Axis("step", (0.0, float(training.n_steps))),
        page.Axis(f"loss ({material.unit})", (0.0, float(math.ceil(max(chance, points[0][1]))))),
        bands={"loss": held_to.band},
        references={f"chance: {named}": [(0, chance), (training.n_steps, chance)]},
        now=float(snapshot.step),
        height=170,
    )
    page.show_chart(
        drawn,
        lambda: drawn.data.query("name != ''")[["name", "x", "y"]].dropna(),
        key="snapshot_loss",
        alt=f"Loss from {points[0][1]:.2f} to {points[-1][1]:.2f} nats; chance is {chance:.2f}.",
        name="training-loss",
    )
    if held_to.note:
        st.caption(held_to.note)
    if isinstance(material.config, NegativeSamplingConfig):
        st.caption(
            "A pair is a centre word and one true context word. Its loss is a sum over this word and"
            f" {counted(material.config.negatives, 'random one')}, so it cannot be compared with"
            " CBOW's, nor with another number of negative samples."
        )
        return
    st.caption(
        f"Published on WikiText-2: {WORD_LOSSES[0]:.3f} nats in the first pass, {WORD_LOSSES[-1]:.3f} in"
        f" the seventh; chance is ln {WORD_VOCABULARY:,} = {math.log(WORD_VOCABULARY):.3f}.",
        help="Blog series, part II, and its notebook.",
    )


def _other_seeds(material: Material, steps: int) -> Yardsticks:
    """Return where the losses of other seeds lay, which are known of the synthetic text."""
    asked = (material.text, material.short, material.kept.minimum_count, material.config)
    return yardsticks(short_text_run(*asked, corpus=material.kind), steps)


def _chance(material: Material) -> tuple[float, str]:
    """Return the loss of whoever knows nothing, and as a formula."""
    if isinstance(material.config, NegativeSamplingConfig):
        asked = 1 + material.config.negatives
        return asked * math.log(2), f"{asked} ln 2"
    n_words = len(material.short.vocabulary)
    return math.log(n_words), f"ln {n_words}"


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
