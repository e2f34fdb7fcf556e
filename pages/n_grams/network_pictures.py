"""One layer in training: its softmax as a matrix, its distance from the counts, and its loss."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.n_grams.results import NAMES, SYMBOLS_OF
from lm_core.experiments.n_grams.training import (
    NGramSnapshot,
    NGramTrainingConfig,
    target,
    train_on_counts,
)
from pages.n_grams.count_matrix_chart import count_frame, count_matrix, count_picture
from pages.n_grams.counted import results
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.counts import counted
from pages.shared.numbers import significant

_FRAMES = (0, 1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 65, 80, 100, 130, 160, 200, 250)
"""Steps that are shown."""
_LOWEST = "lowest weight"
_HEIGHT = 235


class Training(NamedTuple):
    """A training with the steps that are shown, and of all steps what is drawn as a line."""

    config: NGramTrainingConfig
    frames: tuple[NGramSnapshot, ...]
    differences: tuple[tuple[int, float], ...]
    lowest: tuple[tuple[int, float], ...]


@st.cache_resource(max_entries=16, show_spinner="Training")
def trained(config: NGramTrainingConfig) -> Training:
    """Return a training, done once for all visitors."""
    frames, differences, lowest = [], [], []
    counts = counts_of(config.network.n)
    with page.model_calls:
        for snapshot in train_on_counts(config, counts):
            differences.append((snapshot.step, snapshot.difference))
            lowest.append((snapshot.step, float(snapshot.weight.min())))
            if snapshot.step in _FRAMES:
                frames.append(snapshot)
    return Training(config, tuple(frames), tuple(differences), tuple(lowest))


def counts_of(n: int) -> np.ndarray:
    """Return how often each letter came after each context of the names."""
    return results().tables[NAMES][n - 1].row(np.arange(27 ** (n - 1)))


def without_smoothing(training: Training) -> Training:
    """Return the same training on the counts as they are."""
    network, seed = training.config.network, training.config.seed
    return trained(NGramTrainingConfig(network, 0.0, seed=seed))


def draw_network(training: Training, i: int, question: page.Asked) -> None:
    """Draw a step of the training: its softmax, its distance from the counts, and its loss."""
    snapshot = training.frames[i]
    title = (
        f"After {counted(snapshot.step, 'step')} the largest difference from the counts is"
        f" {significant(snapshot.difference, 2)}"
    )
    st.markdown(f"**{title}**")
    drawn = [
        partial(_matrix, training, None),
        partial(_matrix, training, i),
        partial(_lowest, training, snapshot.step, question),
    ]
    # Two have room for letters that carry: what is asked about comes with its answer.
    if page.is_presenting():
        drawn = drawn[1:] if not question.masks else drawn[:2]
    for place, draw in zip(st.columns(len(drawn), gap="small"), drawn, strict=True):
        with place:
            draw()
    if not page.is_presenting():
        _difference(training, snapshot.step)


@st.cache_data(max_entries=96, show_spinner=False)
def _picture(config: NGramTrainingConfig, i: int | None) -> tuple[str, pd.DataFrame]:
    """Return the counts' probabilities as a picture, or those of the network at a frame."""
    if i is None:
        values = np.nan_to_num(target(counts_of(config.network.n), config.k))
    else:
        values = trained(config).frames[i].probabilities
    return count_picture(np.maximum(values, 1e-4)), count_frame(
        values.astype(float), SYMBOLS_OF[NAMES]
    )


def _matrix(training: Training, i: int | None) -> None:
    picture, frame = _picture(training.config, i)
    name = "counts" if i is None else "network"
    st.markdown(f"**{name.capitalize()}**")
    titles = ("letter before", "next letter")
    if training.config.network.n == 3:
        titles = ("first letter", "second; in each square, the next")
    page.show_chart(
        count_matrix(frame, picture, SYMBOLS_OF[NAMES], titles=titles, form=".3f", height=_HEIGHT),
        key=f"n_grams_{name}",
        alt=f"Probabilities of the {name}, by context: the stronger the colour, the more probable.",
        name=f"{name}-matrix",
        is_small=True,
    )


def _difference(training: Training, step: int) -> None:
    page.show_chart(
        page.line_chart(
            {"difference": training.differences},
            {"difference": page.LineStyle(BLUE)},
            page.Axis("step", (0, training.config.steps)),
            page.Axis("largest difference", (1e-5, 1.0), True, (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)),
            references={"0.001": [(0, 1e-3), (training.config.steps, 1e-3)]},
            now=step,
            has_names=False,
            height=170,
        ),
        pd.DataFrame(training.differences, columns=["step", "difference"]),
        key="n_grams_difference",
        alt=f"{significant(training.differences[step][1], 2)} after {counted(step, 'step')},"
        f" {significant(training.differences[-1][1], 2)} at the end",
        name="difference-by-step",
    )


def _lowest(training: Training, step: int, question: page.Asked) -> None:
    """Draw the lowest weight: with smoothing it comes to rest, without it falls."""
    lines = {f"k = {training.config.k:g}": training.lowest}
    if not question.masks and training.config.k > 0:
        lines["k = 0"] = without_smoothing(training).lowest
    guess = question.at(
        lambda lowest: (training.config.steps, lowest) if lowest is not None else None
    )
    if question.masks and training.config.k == 0:
        lines = {"k = 0": training.lowest[:1]}
    st.markdown("**Lowest weight**")
    page.show_chart(
        page.line_chart(
            lines,
            {name: page.LineStyle(BLUE if name != "k = 0" else ORANGE, 0) for name in lines},
            page.Axis("step", (0, training.config.steps)),
            page.Axis(_LOWEST, (-14.0, 0.0)),
            guess=guess,
            now=step,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(name, *pair) for name, pairs in lines.items() for pair in pairs],
            columns=["smoothing", "step", "weight"],
        ),
        key="n_grams_lowest",
        alt="; ".join(f"{name}: {pairs[-1][1]:.1f} at the end" for name, pairs in lines.items()),
        name="lowest-weight-by-step",
        is_small=True,
    )
