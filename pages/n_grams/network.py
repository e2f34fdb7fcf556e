"""Counting as a network: one layer is trained until its softmax meets the counts, step by step."""

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
from lm_core.models.ngram_network import NGramNetworkConfig
from pages.n_grams.count_matrix_chart import count_frame, count_matrix, count_picture
from pages.n_grams.counted import results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import guesses_in_picture
from pages.shared.ui.markdown import as_code
from pages.shared.ui.playback import play

FRAME = "network_frame"
"""Name of the control that says which step is shown."""

_FRAMES = (0, 1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 65, 80, 100, 130, 160, 200, 250)
"""Steps that are shown."""

_ANSWERS = ("0", "−5", "No weight does")
_GUESSED = {"0": 0.0, "−5": -5.0}
_LOWEST = "lowest weight"
_HEIGHT = 235


class Training(NamedTuple):
    """A training with the steps that are shown, and of all steps what is drawn as a line."""

    config: NGramTrainingConfig
    frames: tuple[NGramSnapshot, ...]
    differences: tuple[tuple[int, float], ...]
    lowest: tuple[tuple[int, float], ...]


def _choose_added() -> float:
    """Draw what is added to every count, and return it."""
    return float(
        page.segments(
            "network_k", "Added to each count", (1.0, 0.1, 0.0), format_func="{:g}".format
        )
    )


def _choose_network() -> tuple[int, int]:
    """Draw n and the seed of the first weights, and return both."""
    n = page.segments("network_n", "n", (2, 3))
    seed = page.number("network_seed", "Seed of the first weights", 0, 999, 0)
    return int(n), int(seed)


def as_a_network(screen: page.FirstScreen) -> None:
    """Draw the network beside the counts at a step of its training."""
    with screen.controls:
        k = _choose_added()
        with st.popover("More", icon=":material/tune:"):
            n, seed = _choose_network()
    config = NGramTrainingConfig(NGramNetworkConfig(27, n), k, seed=seed)
    training = _trained(config)
    with screen.controls:
        st.button(
            "Train",
            icon=":material/model_training:",
            type="primary",
            key="n_grams_train",
            on_click=play,
            args=(FRAME, len(training.frames)),
            help=f"{config.steps} steps, each over all counts.",
        )
    question = _ask(screen, training)
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(training.frames),
            lambda i: _draw(training, i, question),
            label="Frame of the training",
            start=len(training.frames) - 1,
            seconds_per_step=0.5,
        )
    if not question.masks:
        page.note_beside(screen, _explained(training))
    if not page.is_presenting():
        _one_context(training)


@st.cache_resource(max_entries=16, show_spinner="Training")
def _trained(config: NGramTrainingConfig) -> Training:
    """Return a training, done once for all visitors."""
    frames, differences, lowest = [], [], []
    counts = _counts(config.network.n)
    with model_calls:
        for snapshot in train_on_counts(config, counts):
            differences.append((snapshot.step, snapshot.difference))
            lowest.append((snapshot.step, float(snapshot.weight.min())))
            if snapshot.step in _FRAMES:
                frames.append(snapshot)
    return Training(config, tuple(frames), tuple(differences), tuple(lowest))


def _counts(n: int) -> np.ndarray:
    return results().tables[NAMES][n - 1].row(np.arange(27 ** (n - 1)))


def _without_smoothing(training: Training) -> Training:
    """Return the same training on the counts as they are."""
    network, seed = training.config.network, training.config.seed
    return _trained(NGramTrainingConfig(network, 0.0, seed=seed))


def _ask(screen: page.FirstScreen, training: Training) -> page.Asked:
    step, lowest = _without_smoothing(training).lowest[-1]
    return page.ask(
        screen,
        "n_grams_weight",
        "A pair of letters was never seen. Which weight makes its softmax exactly 0, as its count is?",
        _ANSWERS,
        right=_ANSWERS[-1],
        reason="Only minus infinity would, because e to any other number is above 0. Without"
        f" smoothing the lowest weight is **{lowest:.1f}** after {step} steps, and every"
        " further step lowers it, by less and less.",
    )


def _draw(training: Training, i: int, question: page.Asked) -> None:
    snapshot = training.frames[i]
    title = (
        f"After {snapshot.step} steps the largest difference from the counts is"
        f" {significant(snapshot.difference, 2)}"
    )
    st.markdown(f"**{title}**")
    drawn = [
        partial(_matrix, training, None),
        partial(_matrix, training, i),
        partial(_lowest, training, snapshot.step, question),
    ]
    if (
        page.is_presenting()
    ):  # two have room for letters that carry: what is asked about comes with its answer
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
        values = np.nan_to_num(target(_counts(config.network.n), config.k))
    else:
        values = _trained(config).frames[i].probabilities
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
    show_chart(
        count_matrix(frame, picture, SYMBOLS_OF[NAMES], titles=titles, form=".3f", height=_HEIGHT),
        frame,
        key=f"n_grams_{name}",
        alt=f"Probabilities of the {name}, by context: the stronger the colour, the more probable.",
        name=f"{name}-matrix",
        is_small=True,
    )


def _difference(training: Training, step: int) -> None:
    show_chart(
        line_chart(
            {"difference": training.differences},
            {"difference": LineStyle(BLUE)},
            Axis("step", (0, training.config.steps)),
            Axis("largest difference", (1e-5, 1.0), True, (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)),
            references={"0.001": [(0, 1e-3), (training.config.steps, 1e-3)]},
            now=step,
            has_names=False,
            height=170,
        ),
        pd.DataFrame(training.differences, columns=["step", "difference"]),
        key="n_grams_difference",
        alt=f"{significant(training.differences[step][1], 2)} after {step} steps,"
        f" {significant(training.differences[-1][1], 2)} at the end",
        name="difference-by-step",
    )


def _lowest(training: Training, step: int, question: page.Asked) -> None:
    """Draw the lowest weight: with smoothing it comes to rest, without it falls."""
    lines = {f"k = {training.config.k:g}": training.lowest}
    if not question.masks and training.config.k > 0:
        lines["k = 0"] = _without_smoothing(training).lowest
    guess = guesses_in_picture(
        question.prediction,
        lambda said: (training.config.steps, _GUESSED[said]) if said in _GUESSED else None,
    )
    if question.masks and training.config.k == 0:
        lines = {"k = 0": training.lowest[:1]}
    st.markdown("**Lowest weight**")
    show_chart(
        line_chart(
            lines,
            {name: LineStyle(BLUE if name != "k = 0" else ORANGE, 0) for name in lines},
            Axis("step", (0, training.config.steps)),
            Axis(_LOWEST, (-14.0, 0.0)),
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


def _explained(training: Training) -> str:
    config = training.config
    rows = 27 ** (config.network.n - 1)
    first, last = training.differences[0][1], training.differences[-1][1]
    unseen = int((_counts(config.network.n).sum(1) == 0).sum())
    no_count = (
        f" {unseen} contexts were never seen, so without smoothing their rows have no gradient and"
        " keep their random first weights."
        if unseen and config.k == 0
        else ""
    )
    return (
        f"The context is a *one-hot vector* of {rows} numbers, so the product with the {rows} × 27"
        " weights picks one row; the softmax of that row predicts. The loss is least where that"
        " row is the logarithm of the counts. From random weights the largest difference falls"
        f" from {first:.2f} to **{significant(last, 2)}**.{no_count}"
    )


def _one_context(training: Training) -> None:
    """Draw the prediction after one context, the network's beside that of the counts."""
    n = training.config.network.n
    st.header("After one context", anchor=False)
    letters = SYMBOLS_OF[NAMES]
    first = page.control(st.selectbox, "network_context", "Letter before", letters, 17, width=140)
    row = letters.index(first)
    if n == 3:
        second = page.control(st.selectbox, "network_second", "and then", letters, 21, width=140)
        row = 27 * row + letters.index(second)
        first += second
    counts, last = _counts(n), training.frames[-1]
    wanted = np.nan_to_num(target(counts[row : row + 1], training.config.k)[0])
    found = last.probabilities[row].astype(float)
    table = prediction_table(letters, {"": found}, before=wanted, most=6)
    st.markdown(f"**After {as_code(first)}, seen {int(counts[row].sum()):,} times**")
    show_chart(
        prediction_bars(table, unit="letter"),
        table,
        key="n_grams_context",
        alt=f"After {first}: the largest difference is {significant(np.abs(found - wanted).max(), 2)}.",
        name="network-beside-counts",
    )
    st.caption("Bars: the network at the end. Outlines: the counts.")
