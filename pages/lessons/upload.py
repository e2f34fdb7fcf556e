"""A teacher's own lesson: brought as a file, checked, and kept under a link."""

import streamlit as st

from lm_core.assets import LESSONS
from lm_core.errors import LessonError, LimitError
from lm_core.text.file_limits import LIMITS
from pages.lessons.card import teacher_link
from pages.shared import page
from pages.shared.lessons import kept
from pages.shared.lessons.brought import read_brought_lesson
from pages.shared.ui.controls import follow_link
from pages.shared.ui.encodings import choose_encoding
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.visitor import address, visitor


def upload_lesson() -> None:
    """Draw the field for a file; keep the lesson in it, or say what to correct."""
    st.header("A lesson of your own", anchor=False)
    st.markdown(
        "A lesson is a plain text file: start from one of ours, change it, bring it here. Anyone"
        " who has its link can read it, so write nothing private into it; nothing but the file is"
        " kept."
    )
    file = st.file_uploader(
        "Lesson", max_upload_size=most_megabytes(LIMITS.lesson), key="lesson_file"
    )
    if file is not None:
        _offer(file.getvalue())
    if shipped := kept.shipped_lessons().lessons:
        example = next(iter(shipped))
        st.download_button(
            "A lesson to start from",
            (LESSONS / f"{example}.md").read_bytes(),
            f"{example}.md",
            "text/plain",
            icon=":material/download:",
            key="example_lesson",
        )


def _offer(content: bytes) -> None:
    """Keep a file's lesson and lead to it; say what must be corrected where it is none."""
    encoding = choose_encoding(content, "lesson_encoding")
    try:
        brought = read_brought_lesson(content, encoding)
        owners = {visitor(): kept.LESSONS_OF_VISITOR, address(): kept.LESSONS_OF_ADDRESS}
        name = kept.keep_lesson(brought.content, owners)
    except (LessonError, LimitError, OSError) as error:
        page.show_error(str(error))
        return
    st.success("Your lesson is kept here, and has a link.", icon=":material/check:")
    page.show_what_was_read(brought.read, "own_lesson")
    if st.button("Open your lesson", type="primary", key="open_uploaded"):
        follow_link(teacher_link(name))
