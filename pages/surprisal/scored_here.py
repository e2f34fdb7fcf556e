"""Texts of other kinds, scored on this server by a model that is not shipped."""

import streamlit as st

from lm_core.experiments.surprisal.measuring import own_texts, score_kind, texts_by_kind
from lm_core.experiments.surprisal.results import KindScore
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from lm_core.text.library import HELD_OUT_NOVELS
from pages.shared.models.book_models import model_of
from pages.shared.turns import model_calls, page_turns
from pages.surprisal.readers import Reader

_CHARACTERS, _TEXTS = 1_000, 3
_ASKED = "surprisal_scored_here"


def scored_here(reader: Reader) -> dict[str, KindScore]:
    """Draw a button that has a model scored; return its scores by kind, none before it is pressed."""
    needed = (WAR_AND_PEACE.name, *HELD_OUT_NOVELS[:_TEXTS])
    if missing := [name for name in needed if not locate(name)]:
        st.caption(
            f"{reader.meta.title} was scored on no texts of other kinds, and this server lacks"
            f" {', '.join(missing)}."
        )
        return {}
    asked = st.session_state.setdefault(_ASKED, set())
    if reader.meta.weights_sha256 not in asked and st.button(
        "Score it on texts of other kinds",
        icon=":material/query_stats:",
        key="score_kinds",
        help=f"The model writes {2 * _TEXTS} texts and reads {6 * _TEXTS}, of"
        f" {_CHARACTERS:,} characters each: some seconds for a small network.",
    ):
        asked.add(reader.meta.weights_sha256)
        st.rerun()
    return known_scores(reader)


def known_scores(reader: Reader) -> dict[str, KindScore]:
    """Return the scores of a model that this visitor had scored, by kind; none of another."""
    if reader.meta.weights_sha256 not in st.session_state.get(_ASKED, ()):
        return {}
    with page_turns.lent():
        return _scores(reader.meta.name, reader.meta.weights_sha256, reader)


@st.cache_resource(max_entries=8, show_spinner="The model writes and reads")
def _scores(name: str, weights_sha256: str, _reader: Reader) -> dict[str, KindScore]:
    model, vocabulary = model_of(name, weights_sha256), _reader.vocabulary
    own = own_texts(model, vocabulary, _CHARACTERS, _TEXTS, model_turn=lambda: model_calls)
    return {
        kind: score_kind(name, kind, model, vocabulary, texts, model_turn=lambda: model_calls)
        for kind, texts in (own | texts_by_kind(_CHARACTERS, _TEXTS)).items()
    }
