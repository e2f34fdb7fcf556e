"""The scores of a text, computed once for all visitors who ask for them."""

import streamlit as st

from lm_core.analysis.surprisal import TextScores, WordSurprisal, score_text, surprisal_by_word
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.turns import model_calls, page_turns
from pages.shared.ui.text_input import reading_bar
from pages.surprisal.readers import Reader

_LONG = 3_000
"""Characters from which on a bar tells how far the model has read."""


def scores_of(reader: Reader, text: str) -> TextScores:
    """Return what the model expected at each token of the text, and what came: read it, never change it.

    Raises CheckpointError if the model cannot be read.
    """
    with page_turns.lent():
        return _scores(reader.meta.name, reader.meta.weights_sha256, text)


@st.cache_resource(max_entries=48, show_spinner=False)
def _scores(name: str, weights_sha256: str, text: str) -> TextScores:
    meta = next(m for m in snapshots_of(name) if m.name == name)
    vocabulary = Reader(meta).vocabulary
    model = model_of(name, weights_sha256)
    with reading_bar(len(text), long=_LONG) as on_progress:
        return score_text(
            model, text, vocabulary, model_turn=lambda: model_calls, on_progress=on_progress
        )


def words_of(scores: TextScores, text: str) -> list[WordSurprisal]:
    """Return the surprisal of each word of the text."""
    return surprisal_by_word(text, scores.by_character)
