"""What a visitor has done of a lesson, as a code that they hand in, and the field where a teacher checks one."""

import time
from datetime import UTC, datetime
from secrets import token_bytes

import streamlit as st

from lm_core.classroom.completion import (
    Completion,
    completion,
    completion_code,
    kept_secret,
    read_completion_code,
)
from lm_core.errors import LessonError
from lm_core.jobs.run_folder import home
from pages.shared.classroom.lesson_place import Place
from pages.shared.counts import counted
from pages.shared.lessons.lesson_file import Lesson
from pages.shared.ui.messages import show_error

_PROGRESS, _CODES = "lab_lesson_progress", "lab_lesson_codes"


def note_step(place: Place) -> None:
    """Remember that a step of a lesson was opened, and when the first one was."""
    begun = st.session_state.setdefault(_PROGRESS, {})
    begun.setdefault(place.name, (time.monotonic(), set()))[1].add(place.step)


def show_code(name: str, lesson: Lesson) -> None:
    """Draw the code of a visitor who has opened steps of a lesson; the same one as long as nothing is added."""
    begun_at, opened = st.session_state.get(_PROGRESS, {}).get(name, (0.0, set()))
    if not opened:
        return
    codes = st.session_state.setdefault(_CODES, {})
    if (name, len(opened)) not in codes:
        seconds, today = time.monotonic() - begun_at, datetime.now(UTC).date()
        done = completion(len(opened), len(lesson.steps), seconds, today)
        codes[name, len(opened)] = done, completion_code(done, name, _secret())
    done, code = codes[name, len(opened)]
    st.markdown(
        f"**Your completion code.** It says that {_said(done)}. It holds no name, so hand it in with yours."
    )
    st.code(code, language=None, wrap_lines=True)


def check_code(name: str) -> None:
    """Draw the field where a teacher reads what a student's code says."""
    code = st.text_input(
        "Check a completion code", key="completion_code", max_chars=80,
        help="A student who has walked through the lesson gets a code at its last step. Only this server"
             " can make it, so a code that was invented is refused. A code that two students hand in"
             " was copied, because each has a serial number of its own.",
    )  # fmt: skip
    if not code.strip():
        return
    try:
        done = read_completion_code(code, name, _secret())
    except LessonError as error:
        show_error(error, st.warning)
        return
    st.success(
        f"On {done.day:%d %B %Y}, {_said(done)}. Serial number {done.serial}.",
        icon=":material/verified:",
    )


def _said(done: Completion) -> str:
    return (
        f"{done.steps} of {counted(done.of, 'step')} were opened within"
        f" {counted(max(done.minutes, 1), 'minute')}"
    )


@st.cache_data(show_spinner=False)
def _secret() -> bytes:
    try:
        return kept_secret(home() / "completion.key")
    except OSError:  # where nothing can be kept, codes can be checked as long as this server runs
        return token_bytes(32)
