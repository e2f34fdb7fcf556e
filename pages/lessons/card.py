"""A lesson as a card among others, and in full: start, link for the class, teacher's sheet."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.shared.classroom.lesson_place import PLACE, Place
from pages.shared.lessons.bar import step_link
from pages.shared.lessons.completion import check_code, show_code
from pages.shared.lessons.lesson_file import Lesson
from pages.shared.lessons.sheet import draw_sheet, sheet_html
from pages.shared.turns import fragment
from pages.shared.ui.addresses import for_others, link_to, this_server
from pages.shared.ui.controls import follow_link
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.markdown import escaped

_IN_A_ROW = 3
TEACHER = "teacher"  # parameter of a link to a lesson with its sheet


def draw_cards(lessons: Mapping[str, Lesson]) -> None:
    """Draw lessons by their names, row by row, so that a phone keeps the order."""
    named = list(lessons.items())
    for first in range(0, len(named), _IN_A_ROW):
        row = named[first : first + _IN_A_ROW]
        for column, (name, lesson) in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column, st.container(border=True, height="stretch", gap="xsmall"):
                st.markdown(f"**{escaped(lesson.title)}**")
                st.caption(_facts(lesson))
                st.markdown(escaped(lesson.aim))
                with st.container(horizontal=True):
                    _start(name, lesson)
                    if st.button("Sheet and link", key=f"open_{name}", type="tertiary"):
                        follow_link(teacher_link(name))


def teacher_link(name: str) -> str:
    """Return the link to a lesson with its sheet, which the class's link does not show."""
    return link_to("lessons", {PLACE[0]: name, TEACHER: 1})


def draw_lesson(name: str, lesson: Lesson, *, is_teacher: bool) -> None:
    """Draw one lesson: to a class its aim and its start, to a teacher the sheet with the answers as well."""
    with st.container(border=True, key="chosen_lesson"):
        st.header(escaped(lesson.title), anchor=False)
        st.caption(_facts(lesson))
        if is_teacher:
            _for_teachers(name, lesson)
            return
        st.markdown(escaped(lesson.aim))
        _start(name, lesson, key="chosen")
        show_code(name, lesson)


def _for_teachers(name: str, lesson: Lesson) -> None:
    link = for_others(link_to("lessons", {PLACE[0]: name}))
    with st.container(horizontal=True):
        _start(name, lesson, key="chosen")
        st.download_button(
            "Teacher's sheet, to print",
            partial(sheet_html, lesson, this_server(), link),
            f"lesson-{name}.html",
            "text/html",
            icon=":material/print:",
            key="sheet_html",
        )
    st.markdown("**One link for the class.** It shows no answers.")
    st.code(link, language=None, wrap_lines=True)
    st.markdown("**The teacher's link**, to this sheet.")
    st.code(for_others(teacher_link(name)), language=None, wrap_lines=True)
    fragment(_sheet)(lesson)
    fragment(check_code)(name)


def _sheet(lesson: Lesson) -> None:
    """Draw the fold with the sheet, in a fragment: opened, it draws none of the cards anew."""
    name = "Teacher's sheet: aim, minutes, steps, answers"
    draw_when_open(st.expander(name, key="sheet", on_change="rerun"), partial(draw_sheet, lesson))


def _start(name: str, lesson: Lesson, *, key: str = "") -> None:
    if st.button("Start", type="primary", icon=":material/play_arrow:", key=f"start_{key or name}"):
        follow_link(step_link(lesson, Place(name, 1)))


def _facts(lesson: Lesson) -> str:
    facts = [escaped(lesson.chapter), f"{lesson.minutes} min", f"{len(lesson.steps)} steps"]
    facts += [f"from {lesson.age} years"] if lesson.age else []
    facts += [f"needs {escaped(', '.join(lesson.known))}"] if lesson.known else []
    return " · ".join(facts)
