"""The presenter view of a class's trainings: their ranking, or what they write, as high as the screen."""

import streamlit as st

from lm_core.experiments.war_and_peace.experiment import NAME
from pages.shared.classroom.class_trainings import show_class_trainings
from pages.shared.ui.controls import ROOM, control, is_presenting
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.visitor import visitor
from pages.war_and_peace.next_token import choose_temperature
from pages.war_and_peace.opening import choose_prompt, choose_seed
from pages.war_and_peace.training import VIEW
from pages.war_and_peace.whose_text import VIEW as WHOSE
from pages.war_and_peace.whose_text import whose_text


def class_views() -> tuple[str, ...]:
    """Return the views that are about trainings: those of a class as well, in a room."""
    return (VIEW, WHOSE) if ROOM in st.query_params else (VIEW,)


def is_class_screen() -> bool:
    """Return whether the projector shows a class's trainings in place of this page's own text."""
    view = st.session_state.get("view", st.query_params.get("view"))
    return is_presenting() and ROOM in st.query_params and view in class_views()


def class_screen() -> None:
    """Draw what was chosen of the two; where neither is, the page has its own text again."""
    screen = first_screen(picture=1.0, beside=0.001)
    with screen.controls:
        view = control(
            st.segmented_control, "view", "View", class_views(), label_visibility="collapsed"
        )
        if view == WHOSE:
            with st.popover("Prompt", icon=":material/tune:"):
                prompt, temperature = choose_prompt(), choose_temperature("character")
                seed = choose_seed()
    with screen.beside:  # it cannot be seen, but would take room of the picture
        who = visitor()
    with screen.picture:
        if view == WHOSE:
            whose_text(prompt, temperature, seed)
        else:
            show_class_trainings(NAME, who, "character")
