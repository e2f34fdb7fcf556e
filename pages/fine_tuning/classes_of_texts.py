"""A class for a passage or a pair of sentences: the heads that read the mean of all vectors."""

import numpy as np
import streamlit as st

from lm_core.experiments.fine_tuning.asking import class_probabilities, read_pair, read_passage
from lm_core.experiments.fine_tuning.settings import AUTHOR, PAIR
from pages.fine_tuning.examples import PAIRS, PASSAGES
from pages.fine_tuning.head_fields import field, say_what_was_read
from pages.fine_tuning.subject import encoder_meta, results, tuned_model, vocabulary
from pages.shared.charts.palette import GREEN
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen
from pages.shared.ui.text_input import read_or_keep

_PAIR = ("first_sentence", "second_sentence")
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def name_author(screen: FirstScreen, n_labelled: int) -> None:
    """Draw who wrote a passage, by its mean vector."""
    typed = field(screen, "passage", "Passage", PASSAGES[0], PASSAGES, height=80)
    with screen.picture:
        say_what_was_read(typed, PASSAGES)
        ids = read_or_keep(
            "passage", typed, lambda text: read_passage(text, vocabulary()), PASSAGES[0]
        )
    _classes(screen, AUTHOR, n_labelled, tuple(map(tuple, ids)), "It sounds like")


def judge_pair(screen: FirstScreen, n_labelled: int) -> None:
    """Draw whether one sentence follows another."""
    examples = [" / ".join(pair) for pair in PAIRS]
    first, second = PAIRS[0]
    typed = (
        field(screen, _PAIR[0], "First sentence", first),
        field(screen, _PAIR[1], "Second sentence", second, examples, _take_pair),
    )
    with screen.picture:
        say_what_was_read("\n".join(typed), ["\n".join(pair) for pair in PAIRS])
        # Each is read beside the other's default: a slip in one keeps what could be read of it.
        ids = (
            read_or_keep(
                _PAIR[0], typed[0], lambda t: read_pair(t, second, vocabulary())[0], first
            ),
            read_or_keep(
                _PAIR[1], typed[1], lambda t: read_pair(first, t, vocabulary())[1], second
            ),
        )
    _classes(screen, PAIR, n_labelled, tuple(map(tuple, ids)), "The second sentence")


def _take_pair(picked: str) -> None:
    for name, sentence in zip(_PAIR, picked.split(" / "), strict=True):
        st.session_state[name] = sentence


def _classes(
    screen: FirstScreen, task: str, n_labelled: int, ids: tuple[tuple[int, ...], ...], said: str
) -> None:
    """Draw the probabilities of a task's classes."""
    found = _class_probabilities(encoder_meta().weights_sha256, task, n_labelled, ids)
    labels = results().tasks[task].labels
    best = int(found.argmax())
    # No tokens, whose spaces are drawn.
    names = [label.replace(" ", _NO_BREAK_SPACE) for label in labels]
    table = prediction_table(names, {"": found}, most=len(names))
    with screen.picture:
        st.markdown(f"**{said}: {labels[best]}, {percentage(float(found[best]))}**")
        show_chart(
            prediction_bars(table, unit="class", colour=GREEN, height=60 + 30 * len(labels)),
            table,
            key="class_bars",
            alt="; ".join(
                f"{name} {percentage(float(p))}" for name, p in zip(labels, found, strict=True)
            ),
            name="classes",
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _class_probabilities(
    sha256: str, task: str, n_labelled: int, ids: tuple[tuple[int, ...], ...]
) -> np.ndarray:
    del sha256  # part of the key
    model = tuned_model(task, n_labelled)
    with model_calls:
        return class_probabilities(model, [ids])[0]
