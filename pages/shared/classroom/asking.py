"""A page's own prediction as a question to the class."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.questions import summarise
from lm_core.classroom.records import AskedQuestion, Question
from lm_core.errors import LMCoreError
from pages.shared.classroom.following import page
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
    counts : mapping of str to int, or None
        How many chose each option; None until it is revealed.
    """

    question_id: int
    own: str | None
    counts: Mapping[str, int] | None


def class_prediction(name: str) -> ClassPrediction | None:
    """Return what the class has said to a prediction of this page; None if it was not asked last."""
    here = membership()
    if here is None:
        return None
    try:
        asked = here.state.asked
        if asked is None or (asked.question.page, asked.question.name) != (page(), name):
            return None
        own = here.own_answer(asked.id)
        return ClassPrediction(asked.id, own, _counts(asked))
    except LMCoreError as error:  # the page goes on without the class
        show_error(error, st.caption)
        return None


def _counts(asked: AskedQuestion) -> Mapping[str, int] | None:
    if not asked.is_revealed:
        return None
    return summarise(asked.question, answers_to(store().rooms, asked.id)).counts


def may_ask() -> bool:
    """Return whether this visit may ask a class."""
    here = membership()
    return here is not None and here.member.is_presenter


def ask_class(name: str, question: str, options: Sequence[str]) -> None:
    """Ask the class a prediction of this page; call it in a callback."""
    here = membership()
    if here is not None:
        ask(here, Question("choice", question, tuple(options), page=page(), name=name))


def ask(here: Membership, question: Question) -> None:
    """Ask a room a question.

    Raises
    ------
    RoomError
        If it may not be asked.
    """
    store().rooms.ask(here.code, here.visitor, question)
    here.changed()
