"""Before the hour: the way in on the wall, who has come, and the lesson that all of them begin."""

import streamlit as st

from lm_core.classroom.records import Attendance
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.following import start_leading
from pages.shared.classroom.lesson_place import Place
from pages.shared.counts import counted
from pages.shared.lessons.bar import step_link
from pages.shared.lessons.kept import shipped_lessons
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store
from pages.shared.turns import fragment
from pages.shared.ui.addresses import code_for_phones, for_others, link_to
from pages.shared.ui.controls import follow_link
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place

_LOOKS_EVERY_S = 2.0
_NO_LESSON = ""


def draw_lobby(here: Membership) -> None:
    """Draw the class's code for the back row, the students as they come in, and how the lesson begins."""
    link = for_others(link_to("join", {"code": here.code}))
    image, words = st.columns([1, 1.4], gap="large", vertical_alignment="center")
    image.image(code_for_phones(link), width="stretch", alt="Code for phones: it joins this class.")
    with words:
        with st.container(key="lobby_code"):
            st.markdown(here.code)
        with st.container(key="lobby_link"):
            st.code(link, language=None, wrap_lines=True)
        fragment(_who_is_here, run_every=_LOOKS_EVERY_S)(here)
        _begin(here)


def _who_is_here(here: Membership) -> None:
    with errors_in_place():
        came = store().rooms.attendance(here.code, here.visitor)
        n_left = sum(not student.is_here for student in came)
        heading = f"**{counted(len(came) - n_left, 'student')} here**"
        st.markdown(heading + (f", {n_left} left" if n_left else ""))
        with st.container(key="lobby_names"):
            st.markdown(" · ".join(map(_named, came)) or "Nobody has come in yet.")


def _named(student: Attendance) -> str:
    alias = escaped(student.alias)
    return alias if student.is_here else f":gray[{alias}, left]"


def _begin(here: Membership) -> None:
    """Draw the choice of a lesson, and the button that leads the class to its first step."""
    lessons = shipped_lessons().lessons
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Lesson",
            [*lessons, _NO_LESSON],
            format_func=lambda name: (
                f"{lessons[name].title} ({lessons[name].minutes} min)" if name else "none yet"
            ),
            key="lobby_lesson",
            width="stretch",
        )
        begins = st.button(
            "Begin",
            type="primary",
            icon=":material/play_arrow:",
            key="lobby_begin",
            help="Opens the first page for you and for all phones, which follow you from there on.",
        )
    if begins:
        attempt(start_leading, here)
        follow_link(step_link(lessons[name], Place(name, 1)) if name else link_to(""))
