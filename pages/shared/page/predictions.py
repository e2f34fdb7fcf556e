"""A guess before its answer is drawn: asked for, remembered for this visit, and judged once."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Unpack

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.classroom.numbered import in_words
from lm_core.classroom.questions import checked_answer
from lm_core.classroom.records import Question
from lm_core.errors import RoomError
from pages.shared.classroom import asking
from pages.shared.classroom.class_answers import show_class_counts
from pages.shared.classroom.following import note_open, note_revealed
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.kept_answers import LeftAnswer, keep_answer, left_answer

_ANSWER = "A"  # the key that draws the answer
_SHORT = 12  # characters of an answer of which several fit into one line beside a picture


class Prediction(NamedTuple):
    """What a visitor guessed, and what their class did."""

    # as a class's answers are written: the option itself, or numbers of the options; None if they did not
    guess: str | None
    revealed: bool  # whether the answer may be drawn
    # how many of the class chose each answer, where a class was asked and has been shown it
    class_counts: Mapping[str, int] | None = None
    question_id: int | None = None  # by which the class's room knows the question then
    name: str = ""  # of the question to which the guess was given; empty without a guess
    # where the question and the guess stand again once the answer is drawn
    said: DeltaGenerator | None = None
    asked: Question | None = None  # what was asked; None where nothing was


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


def predict(asked_of: Question, **drawn: Unpack[Drawn]) -> Prediction:
    """Ask for a guess before the answer is drawn; remember both for this visit.

    A guess belongs to its question: where the same name asks in other words, or among other answers,
    the answer stays drawn and nobody has guessed.

    In a class room the presenter can ask the class: all answer in the class's bar, and the presenter
    reveals it for all. A link with ``reveal=NAME`` skips the question, and so does the visitor who would rather see.

    Parameters
    ----------
    asked_of : Question, a choice, several or an order; its name is unique on the page
    """
    name, words = asked_of.name, (asked_of.text, *asked_of.options)
    key = f"revealed_{name}"
    asked = asking.class_prediction(name)
    if asked is not None and asked.counts is None:
        st.session_state.pop(key, None)
        return _left_to_class(asked_of, asked.own)
    guessed = st.session_state.get(key)
    is_led_to = name in st.query_params.get("reveal", "").split(",")
    if asked is None and guessed is None and is_led_to:
        asked = asking.revealed_before(name)
    if asked is not None and (
        guessed is None or guessed.prediction.question_id != asked.question_id
    ):
        own = asked.own if _is_answer(asked_of, asked.own) else None
        guessed = _Guessed(Prediction(own, True, asked.counts, asked.question_id), words)
    elif guessed is None and is_led_to:
        guessed = _Guessed(Prediction(None, True), words)
    elif guessed is None:
        guessed = _before_reload(asked_of)
    if guessed is not None:
        st.session_state[key] = guessed
        note_revealed(name)
        return _remembered(guessed, asked_of, words)._replace(asked=asked_of)
    note_open(name)
    key_of_answer = _ANSWER if drawn.get("has_key", True) and not asking.class_waits() else None
    with st.container(border=True, key=f"predict_{name}"):
        guess = _field(asked_of)
        with st.container(horizontal=True):
            revealed = st.button(
                drawn.get("button", "Reveal"),
                type="primary",
                disabled=guess is None,
                key=f"reveal_{name}",
                shortcut=None if guess is None else key_of_answer,
            )
            asking.ask_button(asked_of)
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


def _field(asked_of: Question) -> str | None:
    """Draw what is chosen from, and return the guess; None as long as it is none."""
    label, options, key = (
        f"Predict: {asked_of.text}",
        asked_of.options,
        f"guess_{asked_of.name}",
    )
    if asked_of.kind == "choice":
        is_short = all(len(option) <= _SHORT for option in options)
        return st.radio(label, options, index=None, horizontal=is_short, key=key)
    if asked_of.kind == "order":
        chosen = st.multiselect(label, options, placeholder="Tap the first one", key=key)
    else:
        chosen = st.pills(label, options, selection_mode="multi", key=key)
    numbers = ", ".join(str(options.index(option) + 1) for option in chosen)
    return checked_answer(asked_of, numbers) if _is_answer(asked_of, numbers) else None


def _is_answer(asked_of: Question, value: str | None) -> bool:
    with suppress(RoomError):
        return value is not None and bool(checked_answer(asked_of, value))
    return False


def _chosen(asked_of: Question, value: str) -> str | list[str]:
    """Return an answer as the field holds it."""
    if asked_of.kind == "choice":
        return value
    return [asked_of.options[int(number) - 1] for number in value.split(", ")]


def _before_reload(asked_of: Question) -> _Guessed | None:
    """Return the answer that was drawn in this tab before a reload; choose again what was guessed."""
    name = asked_of.name
    left = left_answer(name)
    if left is None:
        return None
    if left.is_revealed:
        holding = None if left.holding is None else frozenset(left.holding)
        return _Guessed(Prediction(left.guess, True), tuple(left.asked), holding=holding)
    if _is_answer(asked_of, left.guess) and not st.session_state.get(f"guess_{name}"):
        st.session_state[f"guess_{name}"] = _chosen(asked_of, left.guess or "")
    return None


def _remembered(guessed: _Guessed, asked_of: Question, words: tuple[str, ...]) -> Prediction:
    """Return what was guessed, if this is what was asked, and say both again."""
    if words != guessed.asked:
        return Prediction(None, True)
    if guessed.prediction.guess is None:
        return guessed.prediction
    said = st.empty()
    said.caption(f"{words[0]} You said: **{in_words(asked_of, guessed.prediction.guess)}**.")
    return guessed.prediction._replace(name=asked_of.name, said=said)


def _left_to_class(asked_of: Question, own: str | None) -> Prediction:
    """Say that a question has gone to the class; its answer is nobody's to draw yet."""
    with st.container(border=True, key="predict_class"):
        options = (f"- {said}" for said in asked_of.options)
        st.markdown("\n".join([f"**Predict: {asked_of.text}**\n", *options]))
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
        prediction = Prediction(None, True, asked=prediction.asked)
    verdict = ""
    if prediction.guess is not None:
        is_right = prediction.guess in holding
        verdict = ":green-badge[:material/check: Right]" if is_right else _NOT_RIGHT
    st.markdown(f"{verdict} {reason}".strip())
    if prediction.question_id is not None:
        asking.note_right(prediction.question_id, holding)
    if prediction.class_counts is not None and prediction.asked is not None:
        show_class_counts(prediction.asked, prediction.class_counts, prediction.guess, holding)


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
