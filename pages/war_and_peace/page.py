"""What comes next? A model that has read War and Peace writes on, one character at a time."""

import streamlit as st

from lm_core.generation.logit_transforms import apply_temperature, keep_top_k, keep_top_p
from lm_core.generation.sampling import run_chain
from lm_core.generation.text_generation import TextGeneration
from pages.shared.models.book_models import folder_of, unit_of
from pages.shared.models.language_models import name_damaged
from pages.shared.turns import fragment
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import (
    Prediction,
    page_header,
    predict_then_reveal,
    provenance,
    show_source,
    try_this,
)
from pages.war_and_peace.class_screen import class_screen, is_class_screen
from pages.war_and_peace.comparison import comparison
from pages.war_and_peace.continuations import beams, during_training, same_seed
from pages.war_and_peace.greedy import REPEATS, explain_greedy, greedy_verdict
from pages.war_and_peace.next_token import (
    choose_other_settings,
    choose_temperature,
    draws,
    next_character_panel,
    pick_by_hand,
    sampling_chain,
    settings_note,
)
from pages.war_and_peace.opening import (
    Opening,
    choose_model,
    choose_prompt,
    choose_seed,
    choose_snapshot,
    opening_of,
)
from pages.war_and_peace.session import current_session, keep_text, open_session
from pages.war_and_peace.text import (
    choose_shortest_match,
    describe_memorised,
    explain,
    finding,
    inspection_buttons,
    loop_note,
    surprisal,
    text_panel,
    writing_buttons,
)
from pages.war_and_peace.training import VIEW, open_own_training, train_your_own
from pages.war_and_peace.view_screen import choose_view, is_view_screen, view_screen
from pages.war_and_peace.whose_text import VIEW as WHOSE
from pages.war_and_peace.whose_text import whose_text

page_header(
    "war-and-peace",
    "A network trained on *War and Peace* continues your text, one character or one piece of a word at a time.",
)

name_damaged()

_OPENING = "writing_opening"

# Controls, picture, prediction -----------------------------------------------------------------


def generation(was_live: bool) -> None:
    """Draw the settings, the text and its next character; redrawn every second while it grows."""
    screen = first_screen(picture=3.1, beside=1.0)
    with screen.controls:
        name = choose_model()
        prompt = choose_prompt()
        unit = unit_of(name)
        temperature = choose_temperature(unit)
        with st.popover("More", icon=":material/tune:"):
            meta, seed = choose_snapshot(name), choose_seed()
            settings = choose_other_settings(temperature, unit)
            shortest_match = choose_shortest_match()
    with screen.picture:
        opening = opening_of(meta, prompt, seed)
        session = open_session(opening, settings)
        session.catch_up()
        drawn_for = st.session_state.get(_OPENING)
        st.session_state[_OPENING] = opening
        if was_live and not session.is_live:
            st.rerun()
        if drawn_for is not None and drawn_for.identity != opening.identity:
            st.rerun()  # what is below the text is drawn for another opening
        st.markdown(f"**{finding(session)}**")
        writing_buttons(session)
        with st.container(key="live_text"):
            left, right = st.columns([1.35, 1], gap="medium")
        with left:
            memorised = text_panel(session, shortest_match)
        with right:
            next_character_panel(session)
            inspection_buttons(session)
        keep_text(session)
    with screen.beside:
        loop_note(session)
        prediction = predict(unit)
        if prediction.revealed:
            greedy_verdict(opening, prediction)
    if not is_presenting():
        if memorised.finder:
            st.caption(describe_memorised(memorised))
        provenance(opening.meta)
        pick_by_hand(session)
        sampling_chain(session)
        explain(session)
        surprisal(session)
        if prediction.revealed:
            explain_greedy(opening)


def predict(unit: str) -> Prediction:
    """Ask whether a text that is not drawn at random repeats itself."""
    kind = "" if unit == "character" else ", here a part of a word,"
    return predict_then_reveal(
        "greedy",
        f"At temperature 0 the most probable {unit}{kind} is always taken."
        " Will the text ever repeat itself?",
        REPEATS,
    )


# More views --------------------------------------------------------------------------------


def more_views(opening: Opening) -> None:
    """Draw the choice of a view, and what was chosen."""
    st.header("More views", anchor=False)
    who = open_own_training()
    view = choose_view()
    if view == VIEW:
        train_your_own(opening.meta, who)
    elif view == WHOSE and (session := current_session()) is not None:
        temperature = session.generation.settings.temperature
        whose_text(st.session_state["prompt"], temperature, opening.seed)
    else:
        chosen_view(view, opening)


@fragment
def chosen_view(view: str | None, opening: Opening) -> None:
    """Draw the picture that was asked for, under the present settings."""
    session = current_session()
    if session is None:
        return
    if view in ("Temperatures", "During training") and not is_presenting():
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


# Code and suggestions -------------------------------------------------------------------------


def code_and_suggestions(opening: Opening) -> None:
    """Draw the page's end."""
    unit = opening.vocabulary.unit
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


def draw() -> None:
    """Draw the text with all that follows, or nothing below a text that cannot be drawn."""
    st.session_state.pop(_OPENING, None)
    session = current_session()
    is_live = session is not None and session.is_live
    fragment(generation, run_every=1.0 if is_live else None)(is_live)
    if opening := st.session_state.get(_OPENING):
        more_views(opening)
        code_and_suggestions(opening)


if is_class_screen():
    class_screen()
elif is_view_screen():
    view_screen(chosen_view, predict)
else:
    draw()
