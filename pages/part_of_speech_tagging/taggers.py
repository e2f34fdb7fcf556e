"""The shipped taggers, which of them is looked at, and what each makes of a sentence."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.results import COUNTING, TaggingResults
from lm_core.experiments.part_of_speech_tagging.settings import (
    RECURRENT,
    TRANSFORMER,
    WINDOWS,
    window_name,
)
from lm_core.models.tagger import AVERAGED, CONCATENATED
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import percent, significant
from pages.shared.ui.times import duration

KINDS = (CONCATENATED, AVERAGED, RECURRENT, TRANSFORMER)
TITLES = {
    CONCATENATED: "Window, concatenated",
    AVERAGED: "Window, averaged",
    RECURRENT: "Bidirectional LSTM",
    TRANSFORMER: "Transformer",
    COUNTING: "Most frequent tag",
}
COLOURS = {CONCATENATED: GREEN, AVERAGED: VERMILLION, RECURRENT: BLUE, TRANSFORMER: PURPLE}
"""An LSTM and attention have the colours that they have on every page."""


class Chosen(NamedTuple):
    """A kind of tagger, and the window where it has one."""

    kind: str  # of `KINDS`, or `COUNTING`
    window: int

    @property
    def name(self) -> str:
        """Of the recipe."""
        if self.kind in (CONCATENATED, AVERAGED):
            return window_name(self.kind, self.window)
        return self.kind

    @property
    def title(self) -> str:
        """For people."""
        if self.kind not in (CONCATENATED, AVERAGED):
            return TITLES[self.kind]
        return f"Window of {self.window}, {self.kind}" if self.window else "No neighbours"


results = partial(page.shipped, TaggingResults)
"""Returns the shipped results, shared by all visitors."""


def choose_tagger(words_control: str, first_window: int, *, has_counting: bool = False) -> Chosen:
    """Draw which tagger is looked at and how many neighbours it sees, and return it.

    Parameters
    ----------
    words_control : str, name of the control of the neighbours, which begins elsewhere on another part
    first_window : int, where it begins
    has_counting : bool, whether the tagger that only counts is offered too
    """
    kinds = (*KINDS, COUNTING) if has_counting else KINDS
    kind = page.choice("tagger", "Tagger", kinds, format_func=TITLES.__getitem__, width=270)
    window = 0
    if kind in (CONCATENATED, AVERAGED):
        window = page.pick(words_control, "Words to either side", WINDOWS, first_window, width=190)
    return Chosen(str(kind), int(window))


def probabilities(name: str, words: tuple[str, ...]) -> np.ndarray:
    """Return a tagger's probabilities for the words of a sentence, (T, K), once for all visitors."""
    return _probabilities(results().provenance["weights_sha256"], name, words)


@st.cache_data(max_entries=2_048, show_spinner=False)
def _probabilities(weights_sha256: str, name: str, words: tuple[str, ...]) -> np.ndarray:
    del weights_sha256  # part of the key
    with page.model_calls:
        return tag_probabilities(results().models[name].build(), results().vocabulary, words)


def provenance_line(chosen: Chosen) -> None:
    """Show in small type what the chosen tagger is and where it comes from."""
    if chosen.kind == COUNTING:
        return
    score = results().scores_of(chosen.name)[0]
    parts = (
        chosen.title,
        "Brown corpus, 400 of 500 texts",
        f"{score.parameters:,} parameters",
        f"{significant(score.words_seen / 1e6, 2)} M words read in {score.steps:,} steps",
        f"{percent(score.test.every, 2)} of the test's words right",
        f"CPU, {duration(score.seconds)}",
        f"seed {score.seed}",
    )
    st.caption(" · ".join(parts))
