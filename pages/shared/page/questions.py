"""A question of a page: asked beside the picture, judged there, and drawn into the picture as a guess."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Required, TypeAlias, TypeVar, Unpack

import streamlit as st

from lm_core.classroom.numbered import places
from lm_core.classroom.records import Kind, Question
from pages.shared.charts.lines import Guesses, Waiting
from pages.shared.classroom.asking import answer_class_if_asked
from pages.shared.page.predictions import (
    Answer,
    Drawn,
    Prediction,
    answer_of,
    nearest_answer,
    predict,
    show_verdict,
    tap_cell,
)
from pages.shared.ui.first_screen import FirstScreen

Value = TypeVar("Value")
Right: TypeAlias = str | Collection[str] | float | tuple[int, int] | None
"""An answer, all answers that hold, or a number, which the answer of the nearest number says; of an order all
answers in the right one, of a picture its row and column, from 0."""
Reason: TypeAlias = str | Callable[[str | None], str]
AskedKind: TypeAlias = Literal["choice", "several", "order"]
Cell: TypeAlias = tuple[int, int]
"""Row and column of a picture, from 0."""


@dataclass(frozen=True)
class Asked(Generic[Value]):
    """What has become of a question; without a prediction nothing is asked."""

    prediction: Prediction | None = None
    answers: Mapping[str, Value] = field(default_factory=dict)  # with the value that each means
    kind: Kind = "choice"

    @property
    def masks(self) -> bool:
        """Whether the answer must not be drawn yet."""
        return self.prediction is not None and not self.prediction.revealed

    @property
    def guess(self) -> str | None:
        """The answer that was guessed, once the right one is drawn; its numbers where several make one."""
        return self.prediction.guess if self.prediction and not self.masks else None

    @property
    def chosen(self) -> Value | None:
        """What the guess so far means, while the right answer is not drawn yet."""
        guess = self.prediction.guess if self.prediction and self.masks else None
        return None if guess is None else self._meaning(guess)

    @property
    def value(self) -> Value | None:
        """What the guess means, once the right answer is drawn."""
        return None if self.guess is None else self._meaning(self.guess)

    def _meaning(self, said: str) -> Any:
        if self.kind == "number":
            return float(said)
        if self.kind == "cell":
            return tuple(int(number) - 1 for number in said.split(", "))
        return self.answers[said]

    def hides(self, *names: str) -> frozenset[str]:
        """Return these names, of lines or columns, as long as the answer must not be drawn."""
        return frozenset(names if self.masks else ())

    def at(self, place: Callable[[Value], tuple[float, float] | None]) -> Guesses | None:
        """Return where the guesses, also those of a class, stand: the place of what an answer means, if it has one."""
        if self.prediction is None or self.masks:
            return None
        own = None if self.guess is None else place(self.answers[self.guess])
        chosen = (self.prediction.class_counts or {}).items()
        placed = [(place(self.answers[said]), n) for said, n in chosen if said in self.answers]
        return Guesses(own, [(*at, count) for at, count in placed if at is not None])

    def judge(self, right: Right | Callable[[], Right], reason: Reason) -> None:
        """Say here what holds, and whether the guess does, once the answer is drawn, as `ask` has it."""
        if self.masks:
            return
        words = reason(self.guess) if callable(reason) else reason
        written = self._written(right() if callable(right) else right)
        show_verdict(self.prediction or Prediction(None, True), right=written, reason=words)

    def _written(self, right: Any) -> str | Collection[str] | None:
        """Return what holds as answers are written."""
        if self.kind == "number":
            return f"{right:.10g}"
        if self.kind == "cell":
            return _written_cell(right)
        if isinstance(right, float | int):
            return _answer_to(right, self.answers)
        if self.kind == "choice":
            return right
        return places(self.kind, list(self.answers), [*(right or ())])

    def waiting(self, name: str, at: float) -> Waiting | None:
        """Return the sign that a line waits for the guess, where it is asked for."""
        return Waiting(name, at) if self.masks else None


def ask(
    screen: FirstScreen | None,
    name: str,
    question: str,
    answers: Mapping[str, Value] | Sequence[Value],
    *,
    right: Right | Callable[[], Right] = None,
    reason: Reason = "",
    when: bool = True,
    kind: AskedKind = "choice",
    **drawn: Unpack[Drawn],
) -> Asked[Value]:
    """Ask beside the picture, and judge the guess there once the answer is drawn.

    Parameters
    ----------
    screen : FirstScreen, optional; by default it is asked where this is called
    name : str, unique on the page; links that show the answer have it
    answers : mapping of str to what each means, or sequence of str, which mean themselves, at least two
    right : answer, answers, number, or callable that returns one
        What holds. To a number holds the answer whose number is nearest, or of those that are `Answer`,
        largest first, the first whose least value it reaches.
    reason : str, or callable of the guess that returns it
        What holds and why, with the numbers on screen, in Markdown. Without it nothing is judged here:
        whoever asks calls `Asked.judge` where and when that can be said.
    kind : str
        Whether one answer is chosen, or several that hold together, or all of them are put in an order. Of an
        order at least three are on offer, in another order than the right one, and as plain text.
    when : bool, whether the question belongs to what is chosen; else nothing is asked and nothing masked
    **drawn : how the question is drawn
    """
    meanings: Mapping[str, Any] = (
        answers if isinstance(answers, Mapping) else {str(said): said for said in answers}
    )
    of = Question(kind, question, tuple(meanings), name=name)
    return _ask(screen, of, meanings, right=right, reason=reason, when=when, **drawn)


class Judged(Drawn, total=False):
    """What `ask` is told about the answer, and how the question is drawn."""

    right: Required[Right | Callable[[], Right]]
    reason: Required[Reason]
    when: bool


def ask_number(
    screen: FirstScreen | None,
    name: str,
    question: str,
    ends: tuple[float, float],
    tolerance: float,
    **judged: Unpack[Judged],
) -> Asked[float]:
    """Ask for a number, as `ask` has it.

    Parameters
    ----------
    ends : pair of float, between which the number lies
    tolerance : float, how far from the right number a guess still holds
    """
    low, high = ends
    of = Question("number", question, lowest=low, highest=high, tolerance=tolerance, name=name)
    return _ask(screen, of, {}, **judged)


def ask_cell(
    screen: FirstScreen | None,
    name: str,
    question: str,
    sides: Mapping[str, Sequence[str]],
    tapped: Cell | None,
    **judged: Unpack[Judged],
) -> Asked[Cell]:
    """Ask for a cell of a picture, which is tapped there or named beside it, as `ask` has it.

    Parameters
    ----------
    sides : mapping of two str to sequence of str
        What the rows are called and the name of each, and the same of the columns.
    tapped : pair of int, optional, the cell that was tapped in the picture last
    """
    (rows, columns), axes = sides.values(), tuple(sides)
    of = Question("cell", question, tuple(rows), axes=axes, partners=tuple(columns), name=name)
    taken = f"lab_tapped_{name}"
    if judged.get("when", True) and tapped is not None and st.session_state.get(taken) != tapped:
        tap_cell(name, tapped)
        answer_class_if_asked(name, _written_cell(tapped))
    st.session_state[taken] = tapped
    return _ask(screen, of, {}, **judged)


def _ask(
    screen: FirstScreen | None,
    of: Question,
    meanings: Mapping[str, Any],
    *,
    right: Right | Callable[[], Right],
    reason: Reason,
    when: bool = True,
    **drawn: Unpack[Drawn],
) -> Asked[Any]:
    if not when:
        return Asked(None, meanings, of.kind)
    with screen.beside if screen else nullcontext():
        asked: Asked[Any] = Asked(predict(of, **drawn), meanings, of.kind)
        if reason:
            asked.judge(right, reason)
    return asked


def _written_cell(cell: Cell) -> str:
    return ", ".join(str(number + 1) for number in cell)


def _answer_to(value: float, answers: Mapping[str, Any]) -> str:
    if isinstance(next(iter(answers.values())), Answer):
        return answer_of(value, answers)
    return nearest_answer(value, answers)
