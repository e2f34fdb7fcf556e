"""What comes next? A model that has read War and Peace writes on, one character at a time."""

import streamlit as st
from pages.war_and_peace.session import current_session, open_session

from lm_core.generation.logit_transforms import apply_temperature, keep_top_k, keep_top_p
from lm_core.generation.sampling import run_chain
from lm_core.generation.text_generation import TextGeneration
from pages.shared.ui.controls import control
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.war_and_peace.beams import beams
from pages.war_and_peace.comparison import comparison
from pages.war_and_peace.draws import draws
from pages.war_and_peace.explanation import explain
from pages.war_and_peace.library import folder_of
from pages.war_and_peace.opening import Opening, choose_opening
from pages.war_and_peace.repetition import greedy_repetition
from pages.war_and_peace.same_seed import same_seed
from pages.war_and_peace.sampling_controls import desk_controls, settings_note
from pages.war_and_peace.time_machine import time_machine
from pages.war_and_peace.training import train_your_own
from pages.war_and_peace.writing import next_character_panel, text_panel

CLOSER_LOOKS = (
    "Temperatures",
    "1,000 draws",
    "Time machine",
    "Beam search",
    "Models compared",
    "Train your own",
)

page_header(
    "war-and-peace",
    "A network that has read *War and Peace* writes on from your words, one character or one part of a word at a time.",
)

# Controls and picture -------------------------------------------------------------------------
opening = choose_opening()
unit = opening.vocabulary.unit


def desk(opening: Opening, was_live: bool) -> None:
    """Draw the settings, the text and its next character; redrawn every second while it grows."""
    settings, shortest_copy = desk_controls(opening.vocabulary.unit)
    session = open_session(opening, settings)
    session.catch_up()
    if was_live and not session.is_live:
        st.rerun()
    with st.container(key="live_desk"):
        left, right = st.columns([1.3, 1], gap="medium")
    with left:
        text_panel(session, shortest_copy)
    with right:
        next_character_panel(session)
    explain(session)


session = current_session()
is_live = session is not None and session.is_live
st.fragment(desk, run_every=1.0 if is_live else None)(opening, is_live)

# Predict --------------------------------------------------------------------------------------
kind = "" if unit == "character" else ", here a part of a word,"
prediction = predict_then_reveal(
    "greedy",
    f"At temperature 0 the most probable {unit}{kind} is always taken."
    " Will the text ever repeat itself?",
    ("Never: the book does not either", "Yes, word for word, over and over"),
)
if prediction.revealed:
    greedy_repetition(opening)

# A closer look --------------------------------------------------------------------------------
st.subheader("A closer look", anchor=False)
look = control(
    st.segmented_control,
    "look",
    "A closer look",
    CLOSER_LOOKS,
    default=CLOSER_LOOKS[0],
    label_visibility="collapsed",
)


@st.fragment
def closer_look(look: str | None, opening: Opening) -> None:
    """Draw the picture that was asked for, under the desk's settings of this moment."""
    session = current_session()
    if look in ("Temperatures", "Time machine"):
        settings_note(session.generation.settings)
    if look == "Temperatures":
        same_seed(opening, session.generation.settings)
    elif look == "1,000 draws":
        draws(session, opening.seed)
    elif look == "Time machine":
        time_machine(opening, session.generation.settings)
    elif look == "Beam search":
        beams(opening, session.generation.written)
    elif look == "Models compared":
        comparison()


if look == "Train your own":
    train_your_own(opening.meta)
else:
    closer_look(look, opening)

# Code and suggestions -------------------------------------------------------------------------
show_source(run_chain, apply_temperature, keep_top_k, keep_top_p, TextGeneration)
folder = folder_of(opening.meta)
if folder:
    download_checkpoint(folder)
try_this(
    [
        "Move the temperature from 0.2 to 1.5 while the text is being written, and watch the tint"
        f" of the {unit}s fade.",
        f"Click a {unit} in the middle of a {'word' if unit == 'character' else 'sentence'}, pick another one by hand, and let the model go"
        " on from there.",
        "Set top-k to 1, then top-p to 0.05: why is the result the same?",
        "Choose the first moment of the time machine. What has the network learned after so few"
        " steps?",
    ]
)
