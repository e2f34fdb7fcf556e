"""The visitor's text in the making: kept in the session, so that no widget can interrupt it."""

import json
from dataclasses import astuple
from typing import Any

import streamlit as st

from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import GeneratedToken, TextGeneration
from pages.shared import page
from pages.shared.ui.kept import keep_state, kept_state, name_in_tab
from pages.war_and_peace.generation_session import GenerationSession, pace_of
from pages.war_and_peace.opening import Identity, Opening

_KEY, _LEFT = "writing_session", "war-and-peace.text"


def open_session(opening: Opening, settings: SamplingSettings) -> GenerationSession:
    """Return this visit's session, a new one if model, prompt or seed are others than before."""
    session = current_session()
    if session is None or session.opening_identity != opening.identity:
        # A class that opens one link gets one text: what was written once is read by each.
        generation = first_text(opening, settings)
        session = st.session_state[_KEY] = GenerationSession(
            opening.identity, opening.vocabulary, generation, pace=pace_of(opening.meta)
        )
    _bring_back(session, opening, settings)
    session.adopt(settings)
    return session


def keep_text(session: GenerationSession) -> None:
    """Keep a text in which a hand has picked for the visitor's tab: its link has what the model writes alone."""
    name, now = name_in_tab(_LEFT), session.generation.ids
    if not (name and session.picks) or session.is_live or session.kept == now:
        return
    session.kept = now
    written = [astuple(token) for token in session.generation.written]
    keep_state(name, {"of": session.opening_identity, "picks": session.picks, "written": written})


def _bring_back(session: GenerationSession, opening: Opening, settings: SamplingSettings) -> None:
    """Go on where the visitor left this text before a reload, unless they have begun anew since."""
    left = kept_state(_LEFT, name_in_tab(_LEFT), dict[str, Any])
    if not left or session.past or session.is_live:
        return
    st.session_state[_LEFT] = {}
    if left["of"] != json.loads(json.dumps(opening.identity)):
        return
    written = [GeneratedToken(*token) for token in left["written"]]
    with page.model_calls:
        session.generation = TextGeneration.resume(
            opening.model, opening.ids, settings, opening.seed, written
        )
    session.picks, session.kept = left["picks"], session.generation.ids


def first_text(opening: Opening, settings: SamplingSettings) -> TextGeneration:
    """Return what every new visit finds on the page, a text of its own."""
    written = _first_text(opening.identity, settings, opening)
    with page.model_calls:
        return TextGeneration.resume(opening.model, opening.ids, settings, opening.seed, written)


@st.cache_resource(max_entries=24, show_spinner=False)
def _first_text(
    identity: Identity, settings: SamplingSettings, _opening: Opening
) -> tuple[GeneratedToken, ...]:
    """Return the tokens alone: a text holds its model and all that the model remembers, megabytes."""
    session = _begun(_opening, settings)
    session.write_words(session.pace.first[_opening.vocabulary.unit])
    return session.generation.written


def continuation(opening: Opening, settings: SamplingSettings, n: int) -> tuple[int, ...]:
    """Return an opening and n tokens that its model writes, once for all who ask for them."""
    return _continuation(opening.identity, settings, n, opening)


@st.cache_data(max_entries=128, show_spinner="Writing")
def _continuation(
    identity: Identity, settings: SamplingSettings, n: int, _opening: Opening
) -> tuple[int, ...]:
    session = _begun(_opening, settings)
    session.write(n)
    return session.generation.ids


def _begun(opening: Opening, settings: SamplingSettings) -> GenerationSession:
    with page.model_calls:
        generation = TextGeneration.begin(opening.model, opening.ids, settings, opening.seed)
    pace = pace_of(opening.meta)
    return GenerationSession(opening.identity, opening.vocabulary, generation, pace=pace)


def current_session() -> GenerationSession | None:
    """Return this visit's session; None before the text was drawn for the first time."""
    return st.session_state.get(_KEY)
