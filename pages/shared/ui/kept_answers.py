"""Guesses and drawn answers, found again in the same tab: after a reload, Back, or a lost connection.

A new tab begins anew: a teacher who has prepared a lesson finds its questions open in class.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pages.shared.ui.controls import current_page
from pages.shared.ui.kept import keep_state, kept_state, name_in_tab

_ANSWERS = "lab_answers"


class LeftAnswer(NamedTuple):
    """What a visitor left at a question."""

    guess: str | None
    is_revealed: bool
    asked: Sequence[str]  # the question and its options
    # the answers that held when the guess was judged; None until then
    holding: Sequence[str] | None = None


def left_answer(name: str) -> LeftAnswer | None:
    """Return what the visitor left at a question of this page, in this tab; None if nothing."""
    left = _answers().get(_key(name))
    return None if left is None else LeftAnswer(*left)


def keep_answer(name: str, answer: LeftAnswer) -> None:
    """Keep what the visitor has done at a question of this page."""
    answers, plain = _answers(), [*answer]
    if answers.get(_key(name)) != plain:
        answers[_key(name)] = plain
        keep_state(name_in_tab("answers"), answers)


def _answers() -> dict[str, list[Any]]:
    empty: dict[str, list[Any]] = {}
    return kept_state(_ANSWERS, name_in_tab("answers"), lambda: empty)


def _key(name: str) -> str:
    return f"{current_page()}.{name}"
