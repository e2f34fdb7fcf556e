"""The presenter view of one of *More views*: it takes the place of the text that is written on."""

from collections.abc import Callable

import streamlit as st

from pages.shared.models.book_models import unit_of
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Prediction
from pages.war_and_peace.class_screen import class_views
from pages.war_and_peace.greedy import greedy_verdict
from pages.war_and_peace.next_token import choose_other_settings, choose_temperature
from pages.war_and_peace.opening import (
    Opening,
    choose_model,
    choose_prompt,
    choose_seed,
    choose_snapshot,
    opening_of,
)
from pages.war_and_peace.session import open_session

VIEWS = (
    "Temperatures",
    "1,000 draws",
    "During training",
    "Beam search",
    "Models compared",
)


def choose_view(label: str = "More views") -> str | None:
    """Draw the choice of a view, and return the chosen one."""
    return control(
        st.segmented_control,
        "view",
        label,
        (*VIEWS, *class_views()),
        label_visibility="collapsed",
    )


def is_view_screen() -> bool:
    """Return whether the projector, where only the first screen is seen, shows a view in it."""
    return is_presenting() and st.session_state.get("view", st.query_params.get("view")) in VIEWS


def view_screen(
    draw: Callable[[str | None, Opening], None], predict: Callable[[str], Prediction]
) -> None:
    """Draw the view that was chosen; where none is any more, the page has its own text again."""
    screen = first_screen(picture=3.1, beside=1.0)
    with screen.controls:
        view = choose_view("View")
        with st.popover("More", icon=":material/tune:"):
            name, prompt = choose_model(), choose_prompt()
            unit = unit_of(name)
            temperature = choose_temperature(unit)
            meta, seed = choose_snapshot(name), choose_seed()
            settings = choose_other_settings(temperature, unit)
    with screen.picture:
        opening = opening_of(meta, prompt, seed)
        open_session(opening, settings)
        draw(view, opening)
    with screen.beside:
        prediction = predict(unit)
        if prediction.revealed:
            greedy_verdict(opening, prediction)
