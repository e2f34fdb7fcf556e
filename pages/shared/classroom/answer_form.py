"""How a student answers: one form for each kind of question."""

import time
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.numbered import NUMBERED, in_words
from lm_core.classroom.questions import LONGEST_TOKEN, LONGEST_WORD, number_step, point
from lm_core.classroom.records import AskedQuestion, Question
from lm_core.errors import DatabaseError
from pages.shared.classroom.attempts import refusal_of
from pages.shared.classroom.following import settings_link
from pages.shared.classroom.numbered_fields import numbered_fields, typed_numbers
from pages.shared.components.point_pad import point_pad
from pages.shared.rooms.membership import Membership
from pages.shared.ui.controls import drawn_controls
from pages.shared.ui.markdown import as_code, escaped

_UNSENT = "lab_room_unsent"
_SENT_AGAIN_AFTER_S = 5.0


class _Unsent(NamedTuple):
    """An answer that the database did not take."""

    question_id: int
    value: str
    tries: int  # how often this student has given an answer that was not taken
    sent_at: float  # when it was last, by a clock that never jumps


def text_of(question: Question) -> str:
    """Return a question as Markdown: a page's own is Markdown, a teacher's is text."""
    return f"**{question.text if question.page else escaped(question.text)}**"


def option_of(question: Question, option: str) -> str:
    """Return an option as Markdown."""
    return option if question.page else escaped(option)


def written(question: Question) -> str:
    """Return a question with what may be answered as Markdown, for the presenter's screen."""
    if question.kind == "mark":
        return f"{text_of(question)}\n\n{escaped(' '.join(question.options))}"
    if question.kind == "cell":
        return text_of(question)
    offered = [*question.options, *(f"→ {partner}" for partner in question.partners)]
    options = [f"- {option_of(question, option)}" for option in offered]
    return "\n".join([text_of(question), "", *options])


def draw(here: Membership, asked: AskedQuestion, *, has_picture: bool) -> None:
    """Draw the form of a running question, with what this student has answered so far.

    Parameters
    ----------
    has_picture : bool
        Whether the page has the question in its own picture: there a point is put into that one.
    """
    _send_again(here, asked)
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
        elif asked.question.kind == "settings":
            st.markdown(text_of(asked.question))
            _settings(here, asked)
        else:
            st.markdown(text_of(asked.question))
            if has_picture and asked.question.kind == "cell":
                st.caption("Tap it in the picture below, or choose it here.")
            with st.form(f"class_form_{asked.id}", border=False):
                _form(here, asked, own)
        if own is not None:
            st.caption(
                f"You said {shown_answer(asked.question, own)}; change it until it is revealed."
            )
        if unsent := _unsent(asked):
            _say_unsent(here, asked, unsent)


def _unsent(asked: AskedQuestion) -> _Unsent | None:
    unsent = st.session_state.get(_UNSENT)
    return unsent if unsent is not None and unsent.question_id == asked.id else None


def _say_unsent(here: Membership, asked: AskedQuestion, unsent: _Unsent) -> None:
    """Say what has not been taken; it goes on its way again by itself, or at once by a button."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":orange-badge[:material/cloud_off: Not sent] {shown_answer(asked.question, unsent.value)}",
            width="content",
        )
        st.button(
            "Send again", key="class_send_again", on_click=_answer, args=(here, asked, unsent.value)
        )


def _send_again(here: Membership, asked: AskedQuestion) -> None:
    unsent = _unsent(asked)
    if unsent and time.monotonic() - unsent.sent_at >= _SENT_AGAIN_AFTER_S:
        _try(here, asked, unsent)


def _choice(here: Membership, asked: AskedQuestion, own: str | None) -> None:
    question = asked.question
    # Once an answer was not taken, the browser's choice is no longer what is kept: it begins anew.
    unsent = _unsent(asked)
    key = f"class_choice_{asked.id}_{unsent.tries if unsent else 0}"
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
    if question.kind in NUMBERED:
        numbered_fields(question, own, key)
    elif question.kind == "number":
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
    low, high, step = question.lowest, question.highest, number_step(question)
    middle = low + step * round((high - low) / 2 / step)
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


def _settings(here: Membership, asked: AskedQuestion) -> None:
    """Draw the button that sends the page as it is set."""
    has_settings = bool(drawn_controls())
    st.button(
        "Send this page as I have set it",
        type="primary",
        disabled=not has_settings,
        key=f"class_settings_{asked.id}",
        on_click=lambda: _answer(here, asked, settings_link()),
    )
    if not has_settings:
        st.caption("Open the page that your teacher means, set it, and send it from there.")


def _send(here: Membership, asked: AskedQuestion, key: str) -> None:
    is_numbered = asked.question.kind in NUMBERED
    value = typed_numbers(asked.question, key) if is_numbered else st.session_state.get(key)
    if value is not None:
        _answer(here, asked, str(value))


def _answer(here: Membership, asked: AskedQuestion, value: str) -> None:
    before = _unsent(asked)
    _try(here, asked, _Unsent(asked.id, value, 1 + (before.tries if before else 0), 0.0))


def _try(here: Membership, asked: AskedQuestion, answer: _Unsent) -> None:
    """Send an answer, and keep what the database did not take: it goes again until it is confirmed."""
    st.session_state.pop(_UNSENT, None)
    if isinstance(refusal_of(here.answer, asked.id, answer.value), DatabaseError):
        st.session_state[_UNSENT] = answer._replace(sent_at=time.monotonic())


def shown_answer(question: Question, value: str) -> str:
    """Return an answer as Markdown."""
    if question.kind == "token":
        return as_code(value)
    return f"**{option_of(question, in_words(question, value))}**"
