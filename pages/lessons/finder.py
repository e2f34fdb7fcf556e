"""Which lessons suit a class, and which pages that are taught in ten minutes: by minutes, age, and what it knows."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from pages.shared.counts import counted
from pages.shared.lessons.lesson_file import Lesson
from pages.shared.registry import LESSONS, PageSpec, chapters
from pages.shared.ten_minutes import MINUTES, teaching_steps
from pages.shared.ui.markdown import escaped

_YOUNGEST, _OLDEST = 10, 20
_NOTHING = "nothing of this"
_TEN = sum(MINUTES)


class Wishes(NamedTuple):
    """What a teacher has entered; what is empty leaves nothing out."""

    minutes: int | None
    age: int | None
    knows: frozenset[str]

    def suits(self, minutes: int, lesson: Lesson) -> bool:
        """Return whether so many minutes suit the class, with the age and the knowledge that a lesson needs."""
        return (
            minutes <= (self.minutes or minutes)
            and lesson.age <= (self.age or lesson.age)
            and (not self.knows or self.knows.issuperset(lesson.known))
        )


def enter_wishes(lessons: Mapping[str, Lesson]) -> Wishes:
    """Draw the fields of the finder, and return what is entered."""
    known = sorted({what for lesson in lessons.values() for what in lesson.known})
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_finder"):
        minutes = st.segmented_control(
            "Minutes",
            sorted({_TEN, *(lesson.minutes for lesson in lessons.values())}),
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
    return Wishes(minutes, age, frozenset(knows))


def find_lessons(lessons: Mapping[str, Lesson], wishes: Wishes) -> dict[str, Lesson]:
    """Return the lessons that suit a class, and say how many do not."""
    found = {
        name: lesson for name, lesson in lessons.items() if wishes.suits(lesson.minutes, lesson)
    }
    if n := len(lessons) - len(found):
        st.caption(f"{counted(n, 'lesson')} left out, because of what you have entered.")
    return found


def draw_teachings(lessons: Mapping[str, Lesson], wishes: Wishes) -> None:
    """Draw the pages that are taught in ten minutes and suit a class, once something has been entered."""
    found = find_teachings(lessons, wishes) if any(wishes) else {}
    if not found:
        return
    st.header("One page in ten minutes", anchor=False)
    st.markdown(
        "Each of these pages ends with *Teach this page in 10 minutes*: three questions, what is"
        " likely to be answered wrongly, and what to say. Age and knowledge are those of its chapter's"
        " lesson, because the page is a part of it."
    )
    for chapter, specs in found.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{escaped(chapter)}**", width=150)
            for spec in specs:
                st.page_link(spec.path, label=spec.term, icon=spec.icon)


def find_teachings(lessons: Mapping[str, Lesson], wishes: Wishes) -> dict[str, list[PageSpec]]:
    """Return the pages that are taught in ten minutes, by chapter, whose chapter's shortest lesson suits a class."""
    of_chapter: dict[str, Lesson] = {}
    for lesson in lessons.values():  # the short ones first
        of_chapter.setdefault(lesson.chapter, lesson)
    return {
        chapter: [spec for spec in specs if teaching_steps(spec.address)]
        for chapter, specs in chapters(LESSONS).items()
        if chapter in of_chapter and wishes.suits(_TEN, of_chapter[chapter])
    }
