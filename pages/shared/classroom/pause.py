"""All students' screens rest at one click, so that everybody looks up, and go on at the next."""

from functools import partial

import streamlit as st

from lm_core.classroom.records import RoomState
from pages.shared.classroom.attempts import attempt
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store


def pause_button(here: Membership, state: RoomState) -> None:
    """Draw the presenter's button that lets all screens rest, or go on."""
    pause = partial(store().guidance.pause, here.code, here.visitor, is_paused=not state.is_paused)
    st.button(
        "Screens on" if state.is_paused else "Pause",
        icon=":material/play_arrow:" if state.is_paused else ":material/pause:",
        type="primary" if state.is_paused else "secondary",
        help="The students' screens are dark, so that all look up, until you press this again.",
        key="class_pause",
        on_click=attempt,
        args=(pause,),
    )


def draw_rest() -> None:
    """Cover a student's page, of which nothing is lost: `appearance` hides it from taps, and `front_end.js` from keys."""
    with st.container(key="class_rests"):
        st.header("Look up", anchor=False)
        st.markdown(
            "Your teacher has paused all screens for a moment, so that everybody looks up. What you have typed and set is"
            " still there when they go on."
        )
