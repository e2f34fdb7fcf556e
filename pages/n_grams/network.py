"""Counting as a network: one layer is trained until its softmax meets the counts, step by step."""

import numpy as np
import streamlit as st

from lm_core.experiments.n_grams.results import NAMES, SYMBOLS_OF
from lm_core.experiments.n_grams.training import NGramTrainingConfig, target
from lm_core.models.ngram_network import NGramNetworkConfig
from pages.n_grams.network_pictures import (
    Training,
    counts_of,
    draw_network,
    trained,
    without_smoothing,
)
from pages.shared import page
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.numbers import significant
from pages.shared.trainings.training_requests import train_button
from pages.shared.ui.markdown import as_code
from pages.shared.ui.playback import play

FRAME = "network_frame"  # name of the control that says which step is shown


_ANSWERS = {"0": 0.0, "−5": -5.0, "No weight does": None}


def _choose_added() -> float:
    """Draw what is added to every count, and return it."""
    return page.segments(
        "network_k", "Added to each count", (1.0, 0.1, 0.0), format_func="{:g}".format
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
    training = trained(config)
    with screen.controls:
        if train_button("n_grams_train", help=f"{config.steps} steps, each over all counts."):
            play(FRAME, len(training.frames))
    question = _ask(screen, training)
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(training.frames),
            lambda i: draw_network(training, i, question),
            label="Frame of the training",
        )
    if not question.masks:
        page.note_beside(screen, _explained(training))
    if not page.is_presenting():
        _one_context(training)


def _ask(screen: page.FirstScreen, training: Training) -> page.Asked:
    step, lowest = without_smoothing(training).lowest[-1]
    return page.ask(
        screen,
        "n_grams_weight",
        "A pair of letters was never seen. Which weight makes its softmax exactly 0, as its count is?",
        _ANSWERS,
        right="No weight does",
        reason="Only minus infinity would, because e to any other number is above 0. Without"
        f" smoothing the lowest weight is **{lowest:.1f}** after {step} steps, and"
        " further ones would lower it, by less and less.",
    )


def _explained(training: Training) -> str:
    config = training.config
    rows = 27 ** (config.network.n - 1)
    first, last = training.differences[0][1], training.differences[-1][1]
    unseen = int((counts_of(config.network.n).sum(1) == 0).sum())
    no_count = (
        f" {unseen} contexts were never seen, so without smoothing their rows have no gradient and"
        " keep their random first weights."
        if unseen and config.k == 0
        else ""
    )
    return (
        f"The context is a *one-hot vector* of {rows} numbers, so the product with the {rows} × 27"
        " weights picks one row; the softmax of that row predicts. The loss is least where that"
        " row is, up to a constant, the logarithm of the counts with k added, because its softmax is"
        " then their shares. From random weights the largest difference falls"
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
    counts, last = counts_of(n), training.frames[-1]
    wanted = np.nan_to_num(target(counts[row : row + 1], training.config.k)[0])
    found = last.probabilities[row].astype(float)
    table = prediction_table(letters, {"": found}, before=wanted, most=6)
    st.markdown(f"**After {as_code(first)}, seen {int(counts[row].sum()):,} times**")
    page.show_chart(
        prediction_bars(table, unit="letter"),
        key="n_grams_context",
        alt=f"After {first}: the largest difference is {significant(np.abs(found - wanted).max(), 2)}.",
        name="network-beside-counts",
    )
    st.caption("Bars: the network at the end. Outlines: the counts.")
