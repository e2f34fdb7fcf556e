"""A page's own prediction as a question to the class."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.questions import Summary, summarise
from lm_core.classroom.records import AskedQuestion, Question
from lm_core.errors import LMCoreError
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.following import note_drawn, page
from pages.shared.classroom.membership import Membership, membership
from pages.shared.classroom.store import answers_to, store
from pages.shared.ui.messages import show_error


class ClassPrediction(NamedTuple):
    """What a class has said to a page's prediction.

    Attributes
    ----------
    question_id : int
    own : str or None
        This visitor's own answer.
    summary : Summary or None
        What all said; None until it is revealed.
    """

    question_id: int
    own: str | None
    summary: Summary | None

    @property
    def counts(self) -> Mapping[str, int] | None:
        """How many gave each answer; None until it is revealed."""
        return None if self.summary is None else self.summary.counts


def class_prediction(name: str) -> ClassPrediction | None:
    """Return what the class has said to a prediction of this page; None if it was not asked last."""
    here = membership()
    if here is None:
        return None
    try:
        asked = here.state.asked
        if asked is None or (asked.question.page, asked.question.name) != (page(), name):
            return None
        note_drawn(asked.id)
        return ClassPrediction(asked.id, here.own_answer(asked.id), _summary(asked))
    except LMCoreError as error:  # the page goes on without the class
        show_error(error, st.caption)
        return None


def _summary(asked: AskedQuestion) -> Summary | None:
    if not asked.is_revealed:
        return None
    return summarise(asked.question, answers_to(store().rooms, asked.id))


def may_ask() -> bool:
    """Return whether this visit may ask a class."""
    here = membership()
    return here is not None and here.member.is_presenter


def ask_button(question: Question, label: str = "Ask the class") -> None:
    """Draw the button that asks the class a prediction of this page, for those who may ask it."""
    if may_ask():
        st.button(
            label,
            icon=":material/groups:",
            key=f"ask_{question.name}",
            on_click=attempt,
            args=(_ask_class, question),
        )


def _ask_class(question: Question) -> None:
    here = membership()
    if here is not None:
        ask(here, replace(question, page=page()))


def answer_class(question_id: int, value: str) -> None:
    """Answer what the class was asked; call it in a callback."""
    here = membership()
    if here is not None:
        attempt(here.answer, question_id, value)


def ask(here: Membership, question: Question) -> None:
    """Ask a room a question.

    Raises
    ------
    RoomError
        If it may not be asked.
    """
    store().rooms.ask(here.code, here.visitor, question)
    here.changed()
