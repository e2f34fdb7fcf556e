"""Lessons: ways through the lab, step by step, for a class of 45 or 90 minutes."""

import streamlit as st

from pages.lessons.card import TEACHER, draw_cards, draw_lesson
from pages.lessons.finder import draw_teachings, enter_wishes, find_lessons
from pages.lessons.upload import upload_lesson
from pages.shared.classroom.asking import may_ask
from pages.shared.classroom.lesson_place import PLACE
from pages.shared.lessons.kept import lesson_named, shipped_lessons
from pages.shared.rooms.membership import membership
from pages.shared.ui.lesson import page_header
from pages.shared.ui.messages import show_error

page_header(
    "lessons",
    "A lesson leads a class from page to page, each with its settings, so that nobody has to look"
    " for them. A bar says what to do there and what should be seen.",
    shareable=False,
)

# The lesson that the link asks for --------------------------------------------------------------
if name := st.query_params.get(PLACE[0], ""):
    lesson = lesson_named(name)
    if lesson is None:
        st.warning(
            "This lesson is not known here, because it was brought to another server or long ago, or its address has a slip.",
            icon=":material/link_off:",
        )
    else:
        is_teacher = may_ask() or (membership() is None and TEACHER in st.query_params)
        draw_lesson(name, lesson, is_teacher=is_teacher)

# All lessons ------------------------------------------------------------------------------------
st.header("Lessons of this lab", anchor=False)
for message in shipped_lessons().damaged:
    show_error(message, st.warning)
lessons = shipped_lessons().lessons
if name:  # who has opened one looks for none
    draw_cards(lessons)
else:
    wishes = enter_wishes(lessons)
    draw_cards(find_lessons(lessons, wishes))
    draw_teachings(lessons, wishes)
upload_lesson()
