"""Which lessons suit a class: by its minutes, its age, and what it knows."""

from collections.abc import Mapping

import streamlit as st

from pages.shared.counts import counted
from pages.shared.lessons.lesson_file import Lesson

_YOUNGEST, _OLDEST = 10, 20
_NOTHING = "nothing of this"


def find_lessons(lessons: Mapping[str, Lesson]) -> dict[str, Lesson]:
    """Draw the fields, and return the lessons that suit what is entered; all of them at first."""
    known = sorted({what for lesson in lessons.values() for what in lesson.known})
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_finder"):
        minutes = st.segmented_control(
            "Minutes",
            sorted({lesson.minutes for lesson in lessons.values()}),
            format_func=lambda most: f"up to {most}",
            key="find_minutes",
        )
        age = st.number_input(
            "Age of the class",
            _YOUNGEST,
            _OLDEST,
            None,
            placeholder="any",
            key="find_age",
            width=150,
        )
        knows = st.multiselect(
            "The class knows",
            [_NOTHING, *known],
            placeholder="not asked",
            help="Lessons that need something else are left out. Choose nothing to see all.",
            key="find_known",
            width=340,
        )
    found = {
        name: lesson
        for name, lesson in lessons.items()
        if lesson.minutes <= (minutes or lesson.minutes)
        and lesson.age <= (age or lesson.age)
        and (not knows or set(lesson.known) <= set(knows))
    }
    if n := len(lessons) - len(found):
        st.caption(f"{counted(n, 'lesson')} left out, because of what you have entered.")
    return found
