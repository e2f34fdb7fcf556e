"""A guess before its answer is drawn: asked for, remembered for this visit, and judged once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Unpack

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.classroom.records import Question
from pages.shared.classroom import asking
from pages.shared.classroom.class_answers import show_class_counts
from pages.shared.classroom.following import note_open, note_revealed
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.kept_answers import LeftAnswer, keep_answer, left_answer

_ANSWER = "A"  # the key that draws the answer
_SHORT = 12  # characters of an answer of which several fit into one line beside a picture


class Prediction(NamedTuple):
    """What a visitor guessed, and what their class did."""

    guess: str | None  # None if they did not
    revealed: bool  # whether the answer may be drawn
    # how many of the class chose each answer, where a class was asked and has been shown it
    class_counts: Mapping[str, int] | None = None
    question_id: int | None = None  # by which the class's room knows the question then
    name: str = ""  # of the question to which the guess was given; empty without a guess
    # where the question and the guess stand again once the answer is drawn
    said: DeltaGenerator | None = None


@dataclass
class _Guessed:
    """A guess, the question to which it was given, and how it was judged."""

    prediction: Prediction
    asked: tuple[str, ...]  # the question and its options
    # the answers that held when it was judged; None until then
    holding: frozenset[str] | None = None


class Answer(NamedTuple):
    """What an answer says of a quantity: the least value for which it holds, and a typical one."""

    least: float
    typical: float


def answer_of(value: float, answers: Mapping[str, Answer]) -> str:
    """Return the answer that holds for a value, of several with the largest first."""
    return next(said for said, answer in answers.items() if value >= answer.least)


def nearest_answer(value: float, answers: Mapping[str, float]) -> str:
    """Return the answer whose number is nearest to a value."""
    return min(answers, key=lambda said: abs(answers[said] - value))


def answer_meaning(value: Any, answers: Mapping[str, Any]) -> str | None:
    """Return the answer that stands for a value; None if none does."""
    return next((said for said, meant in answers.items() if meant == value), None)


class Drawn(TypedDict, total=False):
    """How a question is drawn."""

    # whether the key A draws the answer, with a guess or without one, as by default; of a page's
    # questions only one may have it
    has_key: bool
    button: str  # what draws the answer is called: by default *Reveal*


def predict(name: str, question: str, options: Sequence[str], **drawn: Unpack[Drawn]) -> Prediction:
    """Ask for a guess before the answer is drawn; remember both for this visit.

    A guess belongs to its question: where the same name asks in other words, or among other answers,
    the answer stays drawn and nobody has guessed.

    In a class room the presenter can ask the class: all answer in the class's bar, and the presenter
    reveals it for all. A link with ``reveal=NAME`` skips the question, and so does the visitor who would rather see.

    Parameters
    ----------
    name : str, unique on the page
    options : sequence of str, at least two answers
    """
    key, words = f"revealed_{name}", (question, *options)
    asked = asking.class_prediction(name)
    if asked is not None and asked.counts is None:
        st.session_state.pop(key, None)
        return _left_to_class(question, options, asked.own)
    guessed = st.session_state.get(key)
    is_led_to = name in st.query_params.get("reveal", "").split(",")
    if asked is None and guessed is None and is_led_to:
        asked = asking.revealed_before(name)
    if asked is not None and (
        guessed is None or guessed.prediction.question_id != asked.question_id
    ):
        own = asked.own if asked.own in options else None
        guessed = _Guessed(Prediction(own, True, asked.counts, asked.question_id), words)
    elif guessed is None and is_led_to:
        guessed = _Guessed(Prediction(None, True), words)
    elif guessed is None:
        guessed = _before_reload(name, options)
    if guessed is not None:
        st.session_state[key] = guessed
        note_revealed(name)
        return _remembered(guessed, name, words)
    note_open(name)
    key_of_answer = _ANSWER if drawn.get("has_key", True) and not asking.class_waits() else None
    with st.container(border=True, key=f"predict_{name}"):
        guess = st.radio(
            f"Predict: {question}",
            options,
            index=None,
            horizontal=all(len(option) <= _SHORT for option in options),
            key=f"guess_{name}",
        )
        with st.container(horizontal=True):
            revealed = st.button(
                drawn.get("button", "Reveal"),
                type="primary",
                disabled=guess is None,
                key=f"reveal_{name}",
                shortcut=None if guess is None else key_of_answer,
            )
            asking.ask_button(Question("choice", question, tuple(options), name=name))
            skipped = st.button(
                "Show without a guess",
                type="tertiary",
                key=f"skip_{name}",
                shortcut=key_of_answer if guess is None else None,
            )
    if guess is not None or revealed or skipped:
        keep_answer(name, LeftAnswer(guess, revealed or skipped, list(words)))
    if revealed or skipped:
        st.session_state[key] = _Guessed(Prediction(guess, True), words)
        st.rerun()
    return Prediction(guess, False)


def _before_reload(name: str, options: Sequence[str]) -> _Guessed | None:
    """Return the answer that was drawn in this tab before a reload; choose again what was guessed."""
    left = left_answer(name)
    if left is None:
        return None
    if left.is_revealed:
        holding = None if left.holding is None else frozenset(left.holding)
        return _Guessed(Prediction(left.guess, True), tuple(left.asked), holding=holding)
    if left.guess in options and st.session_state.get(f"guess_{name}") is None:
        st.session_state[f"guess_{name}"] = left.guess
    return None


def _remembered(guessed: _Guessed, name: str, words: tuple[str, ...]) -> Prediction:
    """Return what was guessed, if this is what was asked, and say both again."""
    if words != guessed.asked:
        return Prediction(None, True)
    if guessed.prediction.guess is None:
        return guessed.prediction
    said = st.empty()
    said.caption(f"{words[0]} You said: **{guessed.prediction.guess}**.")
    return guessed.prediction._replace(name=name, said=said)


def _left_to_class(question: str, options: Sequence[str], own: str | None) -> Prediction:
    """Say that a question has gone to the class; its answer is nobody's to draw yet."""
    with st.container(border=True, key="predict_class"):
        st.markdown("\n".join([f"**Predict: {question}**\n", *(f"- {said}" for said in options)]))
        if not is_presenting():
            st.caption("The class answers above; the answer is revealed to all at once.")
    return Prediction(own, False)


def show_verdict(
    prediction: Prediction, *, right: str | Collection[str] | None, reason: str
) -> None:
    """Say whether the guess was right, or without a guess only what holds, and why.

    A guess is judged once. Where the same question has another answer by now, because a control has
    changed the picture, its verdict is gone, and back with the picture for which it was given.

    Parameters
    ----------
    prediction : Prediction, revealed
    right : str, collection of str, or None, the answer that holds, or all that do; None where none of them does
    reason : str, what holds, with the numbers on screen, in Markdown
    """
    holding = frozenset((right,) if isinstance(right, str) else right or ())
    if not _is_judged_by(prediction, holding):
        if prediction.said is not None:
            prediction.said.empty()
        prediction = Prediction(None, True)
    verdict = ""
    if prediction.guess is not None:
        is_right = prediction.guess in holding
        verdict = ":green-badge[:material/check: Right]" if is_right else _NOT_RIGHT
    st.markdown(f"{verdict} {reason}".strip())
    if prediction.question_id is not None:
        asking.note_right(prediction.question_id, holding)
    if prediction.class_counts is not None:
        show_class_counts(prediction.class_counts, prediction.guess, holding)


def _is_judged_by(prediction: Prediction, holding: frozenset[str]) -> bool:
    """Return whether a guess was given to a picture for which these answers hold; the first one counts."""
    guessed = st.session_state.get(f"revealed_{prediction.name}")
    if guessed is None:
        return True
    if guessed.holding is None:
        guessed.holding = holding
        if guessed.prediction.question_id is None:
            left = LeftAnswer(prediction.guess, True, list(guessed.asked), sorted(holding))
            keep_answer(prediction.name, left)
    return guessed.holding == holding


_NOT_RIGHT = ":orange-badge[:material/close: Not quite]"
