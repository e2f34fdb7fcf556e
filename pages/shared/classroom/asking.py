"""A page's own prediction as a question to the class."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.records import AskedQuestion, Question
from lm_core.classroom.summaries import Summary, summarise
from lm_core.errors import LMCoreError
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.following import note_drawn, page
from pages.shared.rooms.membership import Membership, membership
from pages.shared.rooms.store import answers_to, last_revealed, store


class ClassPrediction(NamedTuple):
    """What a class has said to a page's prediction."""

    question_id: int
    own: str | None  # this visitor's own answer
    summary: Summary | None  # what all said; None until it is revealed

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
        return _prediction(here, asked)
    except LMCoreError:  # the page goes on without the class, whose bar says why
        return None


def revealed_before(name: str) -> ClassPrediction | None:
    """Return what the class said to a prediction that was revealed while others were asked since.

    Who opens the page only now sees what everybody else has seen.
    """
    here = membership()
    if here is None:
        return None
    try:
        asked = last_revealed(store().rooms, here.code, page(), name, here.state.revealed_count)
        return None if asked is None else _prediction(here, asked)
    except LMCoreError:  # as above
        return None


def _prediction(here: Membership, asked: AskedQuestion) -> ClassPrediction:
    return ClassPrediction(asked.id, here.own_answer(asked.id), _summary(here, asked))


def _summary(here: Membership, asked: AskedQuestion) -> Summary | None:
    if not asked.is_revealed:
        return None
    removed = here.state.removed_count
    return summarise(asked.question, answers_to(store().rooms, asked.id, removed))


def class_waits() -> bool:
    """Return whether this visit presents to a class that is answering a question just now.

    The key that reveals an answer then reveals the class's, and nothing else.
    """
    here = membership()
    if here is None or not here.member.is_presenter:
        return False
    with suppress(LMCoreError):
        asked = here.state.asked
        return asked is not None and not asked.is_revealed
    return False


def note_right(question_id: int, holding: Collection[str]) -> None:
    """Tell the class which answers hold, once the presenter's page has drawn them."""
    here = membership()
    if here is None or not here.member.is_presenter or not holding:
        return
    with suppress(LMCoreError):  # the picture is drawn; the class learns it at the next draw
        asked = here.state.asked
        if asked is not None and asked.id == question_id and not asked.question.holding:
            store().rooms.note_right(here.code, here.visitor, question_id, holding)
            here.changed()


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


def ask_of_lesson(question: Callable[[], Question]) -> None:
    """Ask the class the question of a lesson's step; call it in a callback.

    Parameters
    ----------
    question : callable, returns it, or raises what speaks against it
    """
    here = membership()
    if here is not None:
        attempt(lambda: ask_own(here, question()))


def ask_own(here: Membership, question: Question) -> None:
    """Ask a room a question of the teacher's own, about the page that is open.

    Raises RoomError if it may not be asked.
    """
    ask(here, replace(question, link=page()))


def answer_class(question_id: int, value: str) -> None:
    """Answer what the class was asked; call it before the page's own question is drawn."""
    here = membership()
    if here is not None:
        attempt(here.answer, question_id, value)


def answer_class_if_asked(name: str, value: str) -> None:
    """Answer a prediction of this page, as a student whom the class's question waits for."""
    asked = class_prediction(name)
    if asked is not None and asked.counts is None and not may_ask():
        answer_class(asked.question_id, value)


def ask(here: Membership, question: Question) -> None:
    """Ask a room a question; raises RoomError if it may not be asked."""
    store().rooms.ask(here.code, here.visitor, question)
    here.changed()
