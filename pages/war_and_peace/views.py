"""The views below the text, and the presenter's screens that one of them takes all of."""

import streamlit as st

from lm_core.experiments.war_and_peace.experiment import NAME
from pages.shared import page
from pages.shared.classroom.class_trainings import show_class_trainings
from pages.shared.models.book_models import unit_of
from pages.shared.ui.controls import ROOM
from pages.shared.ui.visitor import visitor
from pages.war_and_peace import opening as openings
from pages.war_and_peace.class_round import VIEW as WHOSE
from pages.war_and_peace.comparison import comparison
from pages.war_and_peace.continuations import beams, same_seed
from pages.war_and_peace.greedy import ask_whether_it_repeats
from pages.war_and_peace.next_token import draws
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.quality import VIEW as QUALITY
from pages.war_and_peace.quality import good_text
from pages.war_and_peace.session import current_session, open_session
from pages.war_and_peace.settings import choose_other_settings, choose_temperature, settings_note
from pages.war_and_peace.snapshots import during_training
from pages.war_and_peace.tolstoy import VIEW as TOLSTOY
from pages.war_and_peace.tolstoy import tolstoy_or_machine
from pages.war_and_peace.training import VIEW, open_own_training, train_your_own
from pages.war_and_peace.whose_text import whose_text

_TEMPERATURES, _DRAWS, _TRAINING = "Temperatures", "1,000 draws", "During training"
_BEAMS, _COMPARED = "Beam search", "Models compared"
_VIEWS = (_TEMPERATURES, _DRAWS, _TRAINING, _BEAMS, _COMPARED, TOLSTOY, QUALITY)
_WIDE = (TOLSTOY, QUALITY)
"""These take the place of the question about the page's text as well; they ask their own."""
_IN_A_ROW = 3


def more_views(opening: Opening) -> None:
    """Draw the choice of a view, and what was chosen."""
    st.header("More views", anchor=False)
    who = open_own_training()
    view = _choose_view((*_VIEWS, *_class_views()), "More views")
    if view == VIEW:
        train_your_own(opening.meta, who)
    elif view == WHOSE and (session := current_session()) is not None:
        temperature = session.generation.settings.temperature
        whose_text(st.session_state["prompt"], temperature, opening.seed)
    else:
        _chosen_view(view, opening)


def screen_of_a_view() -> bool:
    """Draw the view that a presenter has chosen in place of the page's own text, and return whether there is one."""
    view = st.session_state.get("view", st.query_params.get("view"))
    if page.is_presenting() and view in _VIEWS:
        _view_screen()
    elif page.is_presenting() and ROOM in st.query_params and view in _class_views():
        _class_screen()
    else:
        return False
    return True


def _choose_view(views: tuple[str, ...], label: str = "View") -> str | None:
    """Draw the choice; in the presenter view's large type all views do not fit into a row."""
    view: str | None
    if page.is_presenting() and len(views) > _IN_A_ROW:
        view = page.control(
            st.selectbox, "view", label, views, index=None, placeholder="The text itself",
            label_visibility="collapsed", width=230,
        )  # fmt: skip
    else:
        view = page.control(
            st.segmented_control, "view", label, views, label_visibility="collapsed"
        )
    return view


def _class_views() -> tuple[str, ...]:
    """Return the views that are about trainings: those of a class as well, in a room."""
    return (VIEW, WHOSE) if ROOM in st.query_params else (VIEW,)


@page.fragment
def _chosen_view(view: str | None, opening: Opening) -> None:
    """Draw the picture that was asked for, under the present settings."""
    session = current_session()
    if session is None:
        return
    settings = session.generation.settings
    if view in (_TEMPERATURES, _TRAINING) and not page.is_presenting():
        settings_note(settings)
    if view == _TEMPERATURES:
        same_seed(opening, settings)
    elif view == _DRAWS:
        draws(session, opening.seed)
    elif view == _TRAINING:
        during_training(opening, settings)
    elif view == _BEAMS:
        beams(opening, session.generation.written)
    elif view == _COMPARED:
        comparison()
    elif view == TOLSTOY:
        tolstoy_or_machine(opening, settings.temperature)
    elif view == QUALITY:
        good_text()


def _view_screen() -> None:
    """Draw a view; where none is chosen any more, the page has its own text again."""
    is_wide = st.session_state.get("view", st.query_params.get("view")) in _WIDE
    screen = page.first_screen(picture=3.1, beside=0.001 if is_wide else 1.0)
    with screen.controls:
        view = _choose_view((*_VIEWS, *_class_views()))
    with page.more(screen):
        name, prompt = openings.choose_model(), openings.choose_prompt()
        unit = unit_of(name)
        temperature = choose_temperature(unit)
        meta, seed = openings.choose_snapshot(name), openings.choose_seed()
        settings = choose_other_settings(temperature, unit)
    with screen.picture:
        opening = openings.opening_of(meta, prompt, seed)
        open_session(opening, settings)
    if not is_wide:
        with screen.beside:
            ask_whether_it_repeats(opening)
    with screen.picture:
        _chosen_view(view, opening)


def _class_screen() -> None:
    """Draw a class's trainings, or what they write, as high as the screen."""
    screen = page.first_screen(picture=1.0, beside=0.001)
    with screen.controls:
        view = _choose_view(_class_views())
        if view == WHOSE:
            with st.popover("Prompt", icon=":material/tune:"):
                prompt, temperature = openings.choose_prompt(), choose_temperature("character")
                seed = openings.choose_seed()
    with screen.beside:  # it cannot be seen, but would take room of the picture
        who = visitor()
    with screen.picture:
        if view == WHOSE:
            whose_text(prompt, temperature, seed)
        else:
            show_class_trainings(NAME, who, "character")
