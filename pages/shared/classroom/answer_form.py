"""How a student answers: one form for each kind of question."""

from functools import partial

import streamlit as st

from lm_core.classroom.questions import LONGEST_TOKEN, LONGEST_WORD, point
from lm_core.classroom.records import AskedQuestion, Question
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.membership import Membership
from pages.shared.components.point_pad import point_pad
from pages.shared.ui.markdown import as_code, escaped

_STEPS = 100
"""Into which an axis is divided."""


def text_of(question: Question) -> str:
    """Return a question as Markdown: a page's own is Markdown, a teacher's is text."""
    return f"**{question.text if question.page else escaped(question.text)}**"


def option_of(question: Question, option: str) -> str:
    """Return an option as Markdown."""
    return option if question.page else escaped(option)


def written(question: Question) -> str:
    """Return a question with what may be answered as Markdown, for the presenter's screen."""
    options = [f"- {option_of(question, option)}" for option in question.options]
    return "\n".join([text_of(question), "", *options])


def draw(here: Membership, asked: AskedQuestion, *, has_picture: bool) -> None:
    """Draw the form of a running question, with what this student has answered so far.

    Parameters
    ----------
    here : Membership
    asked : AskedQuestion
    has_picture : bool
        Whether the page has the question in its own picture: there a point is put into that one.
    """
    own = here.own_answer(asked.id)
    with st.container(key="class_question", border=True, gap="small"):
        if asked.question.kind == "choice":
            _choice(here, asked, own)
        elif asked.question.kind == "point":
            st.markdown(text_of(asked.question))
            if not has_picture:
                _point(here, asked, own)
            if own is None:
                st.caption(f"Tap {'the picture ' if has_picture else ''}where you expect it.")
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
        args=(here, asked, key),
    )


def _form(here: Membership, asked: AskedQuestion, own: str | None) -> None:
    question = asked.question
    key = f"class_value_{asked.id}"
    if question.kind == "number":
        _slider(question, own, key)
    else:
        is_token = question.kind == "token"
        st.text_input(
            "The next token" if is_token else "Your word",
            own or "",
            max_chars=LONGEST_TOKEN if is_token else LONGEST_WORD,
            key=key,
        )
    st.form_submit_button("Send", type="primary", on_click=_send, args=(here, asked, key))


def _slider(question: Question, value: str | None, key: str) -> None:
    low, high = question.lowest, question.highest
    middle = (low + high) / 2
    step = (high - low) / _STEPS
    if low.is_integer() and high.is_integer() and high - low >= _STEPS:
        step, middle = 1.0, float(round(middle))
    st.slider(
        "Your number",
        low,
        high,
        middle if value is None else float(value),
        step,
        format="%g",
        key=key,
    )


def _point(here: Membership, asked: AskedQuestion, own: str | None) -> None:
    question = asked.question
    point_pad(
        None if own is None else point(question, own),
        axes=question.axes,
        ends=(question.lowest, question.highest),
        key=f"class_point_{asked.id}",
        on_put=partial(_answer, here, asked),
    )


def _send(here: Membership, asked: AskedQuestion, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None:
        _answer(here, asked, str(value))


def _answer(here: Membership, asked: AskedQuestion, value: str) -> None:
    attempt(here.answer, asked.id, value)


def _shown(question: Question, own: str) -> str:
    if question.kind == "token":
        return as_code(own)
    return f"**{option_of(question, own)}**"
