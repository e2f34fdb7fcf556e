"""What is read and by which model, and every stage on the way to the next token: once for all visitors."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.residual_stream import Trace, trace
from pages.shared import page
from pages.shared.charts.palette import numbered
from pages.shared.models.head_links import most_tokens
from pages.shared.models.read_sentences import (
    MODEL,
    MOST_CHARACTERS,
    Sentence,
    readable,
    sentence_of,
    snapshots,
    titles,
    transformer,
)
from pages.shared.turns import model_calls
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.text_input import read_or_keep
from pages.shared.ui.what_was_read import show_what_was_changed

START = "Natasha came to Prince Andrew, and he kissed her"


def choose_sentence(screen: page.FirstScreen) -> tuple[Sentence, DeltaGenerator]:
    """Draw the sentence and, behind *More*, the model; return what is read of it, and that place.

    What could be read last stands in for a sentence that cannot be, beside the reason.
    """
    models = titles()
    with screen.controls:
        typed = page.text(
            "sentence",
            "Sentence",
            START,
            placeholder=f"2 to {MOST_CHARACTERS} characters",
            width=240,
        )
    more = page.more(screen)
    with more:
        name = page.choice("model", "Model", models, MODEL)
    meta = [*snapshots(name).values()][-1]
    with screen.picture:
        text, was_read = read_or_keep(
            "sentence", typed, partial(readable, meta, most=most_tokens(name)), START
        )
        show_what_was_changed(was_read, "sentence")
    return Sentence(meta, text), more


def choose_token(sentence: Sentence, more: DeltaGenerator) -> int:
    """Draw after which token is predicted, the last one at first, and return its place from 0."""
    names = numbered(sentence.symbols)
    begin_anew("token", sentence.text, len(names) - 1)
    with more:
        return page.pick("token", "What comes after", dict(enumerate(names)), len(names) - 1)


def trace_of(sentence: Sentence) -> Trace:
    """Return every stage of a sentence, shared by all visitors: read it, never change it."""
    return _trace(*sentence.key)


@st.cache_resource(max_entries=12, show_spinner=False)
def _trace(name: str, weights_sha256: str, text: str) -> Trace:
    with model_calls:
        return trace(transformer(name, weights_sha256), sentence_of(name, text).ids)
