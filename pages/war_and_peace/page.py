"""What comes next? A model that has read War and Peace writes on, one character at a time."""

import streamlit as st

from lm_core.generation.logit_transforms import apply_temperature, keep_top_k, keep_top_p
from lm_core.generation.sampling import run_chain
from lm_core.generation.text_generation import TextGeneration
from pages.shared.models import name_damaged
from pages.shared.turns import fragment
from pages.shared.ui.controls import control
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.war_and_peace.comparison import comparison
from pages.war_and_peace.continuations import beams, during_training, greedy_repetition, same_seed
from pages.war_and_peace.next_token import (
    draws,
    next_character_panel,
    sampling_chain,
    sampling_controls,
    settings_note,
)
from pages.war_and_peace.opening import Opening, choose_opening, folder_of
from pages.war_and_peace.session import current_session, open_session
from pages.war_and_peace.text import explain, text_panel
from pages.war_and_peace.training import train_your_own

VIEWS = (
    "Temperatures",
    "1,000 draws",
    "During training",
    "Beam search",
    "Models compared",
    "Train your own",
)

page_header(
    "war-and-peace",
    "A network that has read *War and Peace* writes on from your words, one character or one part of a word at a time.",
)

name_damaged()

# Controls and picture -------------------------------------------------------------------------
opening = choose_opening()
unit = opening.vocabulary.unit


def generation(opening: Opening, was_live: bool) -> None:
    """Draw the settings, the text and its next character; redrawn every second while it grows."""
    settings, shortest_match = sampling_controls(opening.vocabulary.unit)
    session = open_session(opening, settings)
    session.catch_up()
    if was_live and not session.is_live:
        st.rerun()
    with st.container(key="live_text"):
        left, right = st.columns([1.3, 1], gap="medium")
    with left:
        text_panel(session, shortest_match)
    with right:
        next_character_panel(session)
    sampling_chain(session)
    explain(session)


session = current_session()
is_live = session is not None and session.is_live
fragment(generation, run_every=1.0 if is_live else None)(opening, is_live)

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

# More views --------------------------------------------------------------------------------
st.subheader("More views", anchor=False)
view = control(
    st.segmented_control,
    "view",
    "More views",
    VIEWS,
    default=VIEWS[0],
    label_visibility="collapsed",
)


@fragment
def chosen_view(view: str | None, opening: Opening) -> None:
    """Draw the picture that was asked for, under the present settings."""
    session = current_session()
    if view in ("Temperatures", "During training"):
        settings_note(session.generation.settings)
    if view == "Temperatures":
        same_seed(opening, session.generation.settings)
    elif view == "1,000 draws":
        draws(session, opening.seed)
    elif view == "During training":
        during_training(opening, session.generation.settings)
    elif view == "Beam search":
        beams(opening, session.generation.written)
    elif view == "Models compared":
        comparison()


if view == "Train your own":
    train_your_own(opening.meta)
else:
    chosen_view(view, opening)

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
        "Choose the first training step. What has the network learned after so few steps?",
    ]
)
