"""A guess before its answer is drawn: asked for, remembered for this visit, and judged once."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict, Unpack

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.classroom.numbered import in_words
from lm_core.classroom.questions import checked_answer, number_step
from lm_core.classroom.records import Question
from lm_core.classroom.summaries import is_right
from lm_core.errors import RoomError
from pages.shared.classroom import asking
from pages.shared.classroom.answer_form import written
from pages.shared.classroom.class_answers import show_class_counts
from pages.shared.classroom.following import note_open, note_revealed
from pages.shared.ui.controls import current_page, is_presenting
from pages.shared.ui.kept_answers import LeftAnswer, keep_answer, left_answer

_ANSWER = "A"  # the key that draws the answer
_TOUCHED = "lab_touched"
_SHORT = 12  # characters of an answer of which several fit into one line beside a picture


class Prediction(NamedTuple):
    """What a visitor guessed, and what their class did."""

    # as a class's answers are written: the option itself, a number, or numbers of the options; None if they did not
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
    asked: tuple[str, ...]  # the question and what is on offer
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
    asked_of : Question, a choice, several, an order, a number or a cell; its name is unique on the page
    """
    name, words = asked_of.name, (asked_of.text, *asked_of.options, *asked_of.partners)
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
    if guess is not None or revealed or skipped or _is_touched(name):
        keep_answer(name, LeftAnswer(guess, revealed or skipped, list(words)))
    if revealed or skipped:
        st.session_state[key] = _Guessed(Prediction(guess, True), words)
        st.rerun()
    return Prediction(guess, False)


def _field(asked_of: Question) -> str | None:
    """Draw what is chosen from, and return the guess; None as long as it is none."""
    label, options, key = f"Predict: {asked_of.text}", asked_of.options, _key(asked_of.name)
    touched: dict[str, Any] = {"on_change": _touch, "args": (asked_of.name,)}
    if asked_of.kind == "choice":
        is_short = all(len(option) <= _SHORT for option in options)
        return st.radio(label, options, index=None, horizontal=is_short, key=key, **touched)
    if asked_of.kind == "number":
        low, high, step = asked_of.lowest, asked_of.highest, number_step(asked_of)
        ends = f"from {low:g} to {high:g}"
        number = st.number_input(
            label, low, high, None, step, format="%g", placeholder=ends, key=key, **touched
        )
        said = "" if number is None else str(number)
    elif asked_of.kind == "cell":
        st.markdown(label)
        said = ", ".join(str(number) for number in _cell_field(asked_of, touched) if number)
    else:
        if asked_of.kind == "order":
            chosen = st.multiselect(
                label, options, placeholder="Tap the first one", key=key, **touched
            )
        else:
            chosen = st.pills(label, options, selection_mode="multi", key=key, **touched)
        said = ", ".join(str(options.index(option) + 1) for option in chosen)
    return checked_answer(asked_of, said) if _is_answer(asked_of, said) else None


def _cell_field(asked_of: Question, touched: Mapping[str, Any]) -> list[int | None]:
    """Draw what names a cell, for whoever does not tap it, and return its row and column from 1."""
    sides = zip(asked_of.axes, (asked_of.options, asked_of.partners), strict=True)
    with st.container(horizontal=True):
        return [
            st.selectbox(
                axis,
                range(1, len(names) + 1),
                index=None,
                format_func=lambda number, names=names: names[number - 1],  # type: ignore[misc]
                placeholder="",
                key=f"{_key(asked_of.name)}_{side}",
                width=150,
                **touched,
            )
            for side, (axis, names) in enumerate(sides)
        ]


def tap_cell(name: str, cell: tuple[int, int]) -> None:
    """Choose the cell of a picture, its row and column from 0, that a question asks for."""
    for side, number in enumerate(cell):
        st.session_state[f"{_key(name)}_{side}"] = number + 1
    _touch(name)


def _key(name: str) -> str:
    return f"guess_{name}"


def _touch(name: str) -> None:
    """Note that a guess was chosen or taken back in this visit: what was left before is no more."""
    st.session_state[f"{_TOUCHED}_{name}"] = current_page()


def _is_touched(name: str) -> bool:
    is_drawn = _key(name) in st.session_state or f"{_key(name)}_0" in st.session_state
    return is_drawn and st.session_state.get(f"{_TOUCHED}_{name}") == current_page()


def _is_answer(asked_of: Question, value: str | None) -> bool:
    with suppress(RoomError):
        return value is not None and bool(checked_answer(asked_of, value))
    return False


def _choose(asked_of: Question, value: str) -> None:
    """Put an answer into its field."""
    key = _key(asked_of.name)
    if asked_of.kind == "choice":
        st.session_state[key] = value
    elif asked_of.kind == "number":
        st.session_state[key] = float(value)
    elif asked_of.kind == "cell":
        row, column = map(int, value.split(", "))
        tap_cell(asked_of.name, (row - 1, column - 1))
    else:
        st.session_state[key] = [asked_of.options[int(n) - 1] for n in value.split(", ")]


def _before_reload(asked_of: Question) -> _Guessed | None:
    """Return the answer that was drawn in this tab before a reload; choose again what was guessed."""
    name = asked_of.name
    left = left_answer(name)
    if left is None:
        return None
    if left.is_revealed:
        holding = None if left.holding is None else frozenset(left.holding)
        return _Guessed(Prediction(left.guess, True), tuple(left.asked), holding=holding)
    if _is_answer(asked_of, left.guess) and not _is_touched(name):
        _choose(asked_of, left.guess or "")
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
        st.markdown(
            written(replace(asked_of, text=f"Predict: {asked_of.text}", page=current_page()))
        )
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
        holds = _holds(prediction, holding)
        verdict = ":green-badge[:material/check: Right]" if holds else _NOT_RIGHT
    st.markdown(f"{verdict} {reason}".strip())
    if prediction.question_id is not None:
        asking.note_right(prediction.question_id, holding)
    if prediction.class_counts is not None and prediction.asked is not None:
        show_class_counts(prediction.asked, prediction.class_counts, prediction.guess, holding)


def _holds(prediction: Prediction, holding: Collection[str]) -> bool:
    """Return whether a guess is among the answers that hold, a number within its tolerance of one."""
    asked, guess = prediction.asked, prediction.guess
    if asked is None or asked.kind != "number" or guess is None:
        return guess in holding
    return any(is_right(replace(asked, right=right), guess) for right in holding)


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
