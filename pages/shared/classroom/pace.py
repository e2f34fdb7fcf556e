"""Where a class is in a lesson: counts by step for its presenter, and a step at which all wait for the rest."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

import streamlit as st

from lm_core.classroom.records import Attendance, LessonStep, RoomState
from lm_core.errors import LMCoreError
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.lesson_place import Place
from pages.shared.counts import counted
from pages.shared.rooms.membership import Membership, membership
from pages.shared.rooms.store import store
from pages.shared.turns import fragment
from pages.shared.ui.folds import is_open
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place

_LOOKS_EVERY_S = 2.0
_NOTED = "lab_room_noted_step"
Titles: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the title of a lesson and those of its steps by its name; nothing where it is not known."""


def note_class_step(place: Place | None) -> None:
    """Let the presenter know at which step of a lesson this student is; None outside of lessons."""
    here = membership()
    if here is None or here.member.is_presenter:
        return
    if st.session_state.get(_NOTED, (here.code, None)) == (here.code, place):
        return
    step = None if place is None else LessonStep(*place)
    with suppress(LMCoreError):  # the next run of the page notes it
        store().guidance.note_step(here.code, here.visitor, step)
        st.session_state[_NOTED] = (here.code, place)


def waits_for_rest(place: Place) -> bool:
    """Return whether a student's way ends at this step until the presenter lets the class go on."""
    here = membership()
    if here is None or here.member.is_presenter:
        return False
    with suppress(LMCoreError):
        step = here.state.waits_at
        return step is not None and step.lesson == place.name and place.step >= step.step
    return False


def pace_panel(here: Membership, state: RoomState, titles_of: Titles) -> None:
    """Draw the fold that says how many students are at which step."""
    fold = st.popover("Pace", icon=":material/footprint:", key="class_pace", on_change="rerun")
    if is_open(fold):
        with fold:
            fragment(_pace, run_every=_LOOKS_EVERY_S)(here, state.waits_at, titles_of)


def _pace(here: Membership, waits_at: LessonStep | None, titles_of: Titles) -> None:
    with errors_in_place():
        students = [s for s in store().rooms.attendance(here.code, here.visitor) if s.is_here]
        lessons = Counter(student.step.lesson for student in students if student.step)
        with_names = st.toggle("Names", key="class_pace_names")
        for lesson, _ in lessons.most_common():
            in_lesson = {s: s.step.step for s in students if s.step and s.step.lesson == lesson}
            if len(lessons) > 1:
                st.markdown(f"Lesson **{escaped(next(iter(titles_of(lesson)), lesson))}**")
            last = max(in_lesson.values())
            for step in range(1, last + 1):
                where = _named(LessonStep(lesson, step), titles_of)
                _count(f"S{where[1:]}", [s for s in in_lesson if in_lesson[s] == step], with_names)
            if waits_at is None:
                _wait_button(here, LessonStep(lesson, last), f"Wait for the rest at step {last}")
        _count("In no lesson", [student for student in students if not student.step], with_names)
        if waits_at is not None:
            st.markdown(f"Nobody goes beyond {_named(waits_at, titles_of)}.")
            _wait_button(here, None, "Let them go on")


def _named(step: LessonStep, titles_of: Titles) -> str:
    """Return what a step is called, as Markdown."""
    title = titles_of(step.lesson)[step.step : step.step + 1]
    return f"step {step.step}" + (f", *{escaped(title[0])}*" if title else "")


def _count(where: str, students: Sequence[Attendance], with_names: bool) -> None:
    names = ", ".join(escaped(student.alias) for student in students)
    st.markdown(
        f"{where}: **{counted(len(students), 'student')}**"
        + (f"  \n{names}" if with_names and names else "")
    )


def _wait_button(here: Membership, step: LessonStep | None, label: str) -> None:
    st.button(
        label,
        key=f"class_wait_{step.lesson}" if step else "class_go_on",
        help="Whoever is there cannot go further until you let them, so that the others catch up."
        if step
        else None,
        on_click=attempt,
        args=(store().guidance.wait_at, here.code, here.visitor, step),
    )
