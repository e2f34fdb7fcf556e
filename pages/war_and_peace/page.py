"""What comes next? A model that has read War and Peace writes on, one character at a time."""

import streamlit as st

from lm_core.generation.logit_transforms import apply_temperature, keep_top_k, keep_top_p
from lm_core.generation.sampling import run_chain
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.recurrent_language_model import RecurrentLanguageModel
from pages.shared import page
from pages.shared.models.book_models import folder_of, unit_of
from pages.shared.models.language_models import name_damaged
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import page_header, provenance, show_source, try_this
from pages.war_and_peace import next_token, surprisal, text
from pages.war_and_peace import opening as openings
from pages.war_and_peace.greedy import ask_whether_it_repeats, explain_greedy
from pages.war_and_peace.memorised import choose_shortest_match, describe_memorised
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.session import current_session, keep_text, open_session
from pages.war_and_peace.settings import choose_other_settings, choose_temperature
from pages.war_and_peace.views import more_views, screen_of_a_view

_OPENING = "writing_opening"


def generation(was_live: bool) -> None:
    """Draw the settings, the text and its next character; redrawn every second while it grows."""
    screen = page.first_screen(picture=3.1, beside=1.0)
    with screen.controls:
        name, prompt = openings.choose_model(), openings.choose_prompt()
        unit = unit_of(name)
        temperature = choose_temperature(unit)
    with page.more(screen):
        meta, seed = openings.choose_snapshot(name), openings.choose_seed()
        settings = choose_other_settings(temperature, unit)
        shortest_match = choose_shortest_match()
    with screen.picture:
        opening = openings.opening_of(meta, prompt, seed)
        session = open_session(opening, settings)
        session.catch_up()
        drawn_for = st.session_state.get(_OPENING)
        st.session_state[_OPENING] = opening
        if was_live and not session.is_live:
            st.rerun()
        if drawn_for is not None and drawn_for.identity != opening.identity:
            st.rerun()  # what is below the text is drawn for another opening
        st.markdown(f"**{text.finding(session)}**")
        text.writing_buttons(session, opening)
        with st.container(key="live_text"):
            left, right = st.columns([1.35, 1], gap="medium")
        with left:
            memorised = text.text_panel(session, shortest_match)
        with right:
            next_token.next_character_panel(session)
            text.inspection_buttons(session)
        keep_text(session)
    with screen.beside:
        surprisal.loop_note(session)
        asked = ask_whether_it_repeats(opening)
    if not page.is_presenting():
        if memorised.finder:
            st.caption(describe_memorised(memorised))
        provenance(opening.meta)
        next_token.pick_by_hand(session)
        next_token.sampling_chain(session)
        surprisal.explain(session)
        surprisal.surprisal(session)
        if not asked.masks:
            explain_greedy(opening)


def code_and_suggestions(opening: Opening) -> None:
    """Draw the page's end."""
    show_source(
        run_chain, apply_temperature, keep_top_k, keep_top_p, TextGeneration, RecurrentLanguageModel
    )
    if folder := folder_of(opening.meta):
        download_checkpoint(folder)
    try_this()


def draw() -> None:
    """Draw the text with all that follows, or nothing below a text that cannot be drawn."""
    st.session_state.pop(_OPENING, None)
    session = current_session()
    is_live = session is not None and session.is_live
    page.fragment(generation, run_every=1.0 if is_live else None)(is_live)
    if opening := st.session_state.get(_OPENING):
        more_views(opening)
        code_and_suggestions(opening)


# Its text is drawn in a fragment, first screen and all, once a second while it grows: so it is no table of parts.
page_header(
    "war-and-peace",
    "A network has learned from *War and Peace* which character, or piece of a word, is likely to come"
    " next. So it can continue your text, one of them at a time.",
)
name_damaged()
if not screen_of_a_view():
    draw()
