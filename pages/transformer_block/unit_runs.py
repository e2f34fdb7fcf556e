"""All feed-forward units over a text, how they go with a pattern, and where the book turns them on: computed once."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.feed_forward_units import Peaks, read_peaks, read_units, units_per_layer
from lm_core.analysis.unit_search import correlations
from lm_core.text.training_text import load_book
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.pretrained import PRETRAINED
from pages.shared.models.read_sentences import Sentence, sentence_of, snapshots, transformer
from pages.shared.turns import model_calls, page_turns
from pages.shared.units.search import Scored, UnitsRead, score_units

BOOK_TOKENS, BOOK_TOKENS_PRETRAINED = 8_192, 1_024
"""Of the held-out part of the book, read for the passages that turn a unit on: a pretrained model takes longer."""


def book_tokens(model: str) -> int:
    """Return how many tokens of the book a model of a name reads."""
    return BOOK_TOKENS_PRETRAINED if model == PRETRAINED else BOOK_TOKENS


def unit_name(per_layer: int, number: int) -> str:
    """Return a unit's layer and place, both from 1."""
    layer, place = divmod(number, per_layer)
    return f"{layer + 1}.{place + 1}"


def units_over(sentence: Sentence) -> UnitsRead:
    """Return all units at each token of a text."""
    name_of = partial(unit_name, units_per_layer(sentence.config))
    activations = _activations(*sentence.key)
    return UnitsRead(sentence.symbols, activations, name_of, "after its activation", "token")


class Found(NamedTuple):
    """How all units go with a pattern on a text."""

    correlations: np.ndarray
    """Of every unit over the whole text, (units,)."""
    scored: Scored | None
    """The best, found on one part and scored on the other; None where there is nothing to score on."""


def units_found(sentence: Sentence, target: np.ndarray, *, is_painted: bool) -> Found:
    """Return how all units go with a pattern, computed once for all visitors."""
    return _found(*sentence.key, target, is_painted)


@st.cache_data(max_entries=64, show_spinner=False)
def _found(
    name: str, weights_sha256: str, text: str, target: np.ndarray, is_painted: bool
) -> Found:
    units = units_over(sentence_of(name, text))
    units = units._replace(activations=units.activations.astype(np.float32))
    with page_turns.lent():
        return Found(
            correlations(units.activations, target),
            score_units(units, target, is_painted=is_painted),
        )


@st.cache_resource(max_entries=6, show_spinner=False)
def _activations(name: str, weights_sha256: str, text: str) -> np.ndarray:
    """Return all units over a text, shared by all visitors, in 16 bits: of a long text they are ten megabytes."""
    units = read_units(
        transformer(name, weights_sha256),
        sentence_of(name, text).ids.numpy(),
        model_turn=lambda: model_calls,
    )
    return units.astype(np.float16)


@st.cache_resource(max_entries=3, show_spinner=False)
def book_peaks(name: str, weights_sha256: str) -> tuple[Peaks, list[str]]:
    """Return where each unit is on most in held-out text of the book, and that text's tokens."""
    meta = [*snapshots(name).values()][-1]
    vocabulary = vocabulary_of(meta)
    ids = load_book(vocabulary).validation[: book_tokens(name)]
    bar = st.progress(0.0, f"Reading {len(ids):,} tokens of the book")
    try:
        model = transformer(name, weights_sha256)
        peaks = read_peaks(model, ids, model_turn=lambda: model_calls, on_progress=bar.progress)
    finally:
        bar.empty()
    return peaks, vocabulary.spell(ids)
