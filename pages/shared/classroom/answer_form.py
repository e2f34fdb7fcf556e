"""How a student answers: one form for each kind of question."""

import streamlit as st

from lm_core.classroom.questions import LONGEST_TOKEN, LONGEST_WORD
from lm_core.classroom.records import AskedQuestion, Question
from pages.shared.charts.palette import visible
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.membership import Membership
from pages.shared.classroom.store import store
from pages.shared.ui.markdown import as_code, escaped

_STEPS = 100
"""Into which an axis is divided."""


def text_of(question: Question) -> str:
    """Return a question as Markdown: a page's own is Markdown, a teacher's is text."""
    return f"**{question.text if question.page else escaped(question.text)}**"


def option_of(question: Question, option: str) -> str:
    """Return an option as Markdown."""
    return option if question.page else escaped(option)


def draw(here: Membership, asked: AskedQuestion) -> None:
    """Draw the form of a running question, with what this student has answered so far."""
    own = store().rooms.own_answer(here.code, here.visitor, asked.id)
    with st.container(key="class_question", border=True, gap="small"):
        if asked.question.kind == "choice":
            _choice(here, asked, own)
        else:
            st.markdown(text_of(asked.question))
            with st.form(f"class_form_{asked.id}", border=False):
                _form(here, asked, own)
        if own is not None:
            st.caption(f"You said {_shown(asked.question, own)}; change it until it is revealed.")


def _choice(here: Membership, asked: AskedQuestion, own: str | None) -> None:
    question = asked.question
    key = f"class_choice_{asked.id}"
    st.radio(
        text_of(question),
        question.options,
        index=None if own is None else question.options.index(own),
        format_func=lambda option: option_of(question, option),
        horizontal=all(len(option) <= 12 for option in question.options),
        key=key,
        on_change=_send,
        args=(here, asked, [key]),
    )


def _form(here: Membership, asked: AskedQuestion, own: str | None) -> None:
    question = asked.question
    key = f"class_value_{asked.id}"
    if question.kind == "number":
        keys = [key]
        _slider(question, "Your number", own, key)
    elif question.kind == "point":
        keys = [f"{key}_0", f"{key}_1"]
        values = [None, None] if own is None else own.split(",")
        for axis, value, its_key in zip(question.axes, values, keys, strict=True):
            _slider(question, escaped(axis), value, its_key)
    else:
        keys = [key]
        is_token = question.kind == "token"
        st.text_input(
            "The next token" if is_token else "Your word",
            own or "",
            max_chars=LONGEST_TOKEN if is_token else LONGEST_WORD,
            key=key,
        )
    st.form_submit_button("Send", type="primary", on_click=_send, args=(here, asked, keys))


def _slider(question: Question, label: str, value: str | None, key: str) -> None:
    low, high = question.lowest, question.highest
    middle = (low + high) / 2
    step = (high - low) / _STEPS
    if low.is_integer() and high.is_integer() and high - low >= _STEPS:
        step, middle = 1.0, float(round(middle))
    st.slider(label, low, high, middle if value is None else float(value), step, key=key)


def _send(here: Membership, asked: AskedQuestion, keys: list[str]) -> None:
    values = [st.session_state.get(key) for key in keys]
    if None not in values:
        answer = store().rooms.answer
        attempt(answer, here.code, here.visitor, asked.id, ", ".join(map(str, values)))


def _shown(question: Question, own: str) -> str:
    if question.kind == "token":
        return as_code(visible(own))
    return f"**{option_of(question, own)}**" if question.kind == "choice" else as_code(own)
