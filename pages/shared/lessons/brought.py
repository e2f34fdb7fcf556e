"""A lesson as a teacher brings it: in whatever encoding their program writes, and with what was read of it."""

from typing import NamedTuple

from lm_core.errors import LessonError, TextError
from lm_core.text.doubts import doubts_about_letters, invisible_characters, without_invisible
from lm_core.text.kinds_of_files import is_marked_up
from lm_core.text.own_text import ENCODINGS, decoded
from lm_core.text.what_was_read import WhatWasRead
from pages.shared.lessons.lesson_file import Lesson, parse_lesson

_SAVE_AS = (
    "A lesson is plain text: save it as such (.txt, UTF-8), or copy its words into a text file."
)


class BroughtLesson(NamedTuple):
    """A lesson, how it is kept, and what was read."""

    lesson: Lesson
    content: bytes  # in UTF-8, without characters that cannot be seen
    read: WhatWasRead


def read_brought_lesson(content: bytes, encoding: str = "") -> BroughtLesson:
    """Read a lesson in any encoding.

    Parameters
    ----------
    encoding : str, name of its codec; recognised where it is empty

    Raises
    ------
    LessonError
        If it is no lesson, or its encoding cannot be recognised.
    """
    if not content.strip():
        raise LessonError("the file is empty: start from the lesson below, and change it")
    if is_marked_up(content):
        raise LessonError(f"this is the source of a web page, or XML, and no lesson. {_SAVE_AS}")
    try:
        raw, read_as, *notes = decoded(content, encoding or None, _SAVE_AS)
    except TextError as error:
        raise LessonError(str(error)) from error
    text = without_invisible(raw.replace("\u2028", " ").replace("\u2029", " "))
    lesson = parse_lesson(text.encode())
    if n := invisible_characters(raw.removeprefix("\ufeff")).total():
        were = (
            "1 character that cannot be seen was"
            if n == 1
            else f"{n:,} characters that cannot be seen were"
        )
        notes.append(f"{were} left out.")
    notes += doubts_about_letters(text, is_known=read_as.startswith("UTF"))
    return BroughtLesson(lesson, text.encode(), _what_was_read(lesson, read_as, notes))


def _what_was_read(lesson: Lesson, read_as: str, notes: list[str]) -> WhatWasRead:
    n_steps, n_asked = len(lesson.steps), sum(bool(step.question) for step in lesson.steps)
    facts = (
        f"a lesson, “{lesson.title}”",
        "1 step" if n_steps == 1 else f"{n_steps} steps",
        f"{lesson.minutes} minutes",
        f"{n_asked or 'no'} question{'' if n_asked < 2 else 's'} for the class",
        ENCODINGS.get(read_as, read_as),
    )
    rows = ((step.title, step.address, str(step.minutes)) for step in lesson.steps)
    return WhatWasRead(facts, tuple(notes), (("step", "page", "minutes"), *rows))
