"""A question of a page: asked beside the picture, judged there, and drawn into the picture as a guess."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from pages.shared.charts.lines import Guesses, Waiting
from pages.shared.ui import lesson
from pages.shared.ui.first_screen import FirstScreen

Value = TypeVar("Value")
Right: TypeAlias = str | Collection[str] | float | None
"""An answer, all answers that hold, or a number, which the answer of the nearest number says."""


@dataclass(frozen=True)
class Asked(Generic[Value]):
    """What has become of a question; without a prediction nothing is asked."""

    prediction: lesson.Prediction | None = None
    answers: Mapping[str, Value] = field(default_factory=dict)  # with the value that each means

    @property
    def masks(self) -> bool:
        """Whether the answer must not be drawn yet."""
        return lesson.answer_is_masked(self.prediction)

    @property
    def guess(self) -> str | None:
        """The answer that was guessed, once the right one is drawn."""
        shown = self.prediction is not None and self.prediction.revealed
        return self.prediction.guess if self.prediction is not None and shown else None

    def hides(self, *names: str) -> frozenset[str]:
        """Return these names, of lines or columns, as long as the answer must not be drawn."""
        return frozenset(names if self.masks else ())

    def at(self, place: Callable[[Value], tuple[float, float] | None]) -> Guesses | None:
        """Return where the guesses stand in a picture, from the place of the value that an answer means."""
        return lesson.guesses_in_picture(self.prediction, lambda said: place(self.answers[said]))

    def waiting(self, name: str, at: float) -> Waiting | None:
        """Return the sign that a line waits for the guess, where it is asked for."""
        return Waiting(name, at) if self.masks else None


def ask(
    screen: FirstScreen,
    name: str,
    question: str,
    answers: Mapping[str, Value] | Sequence[str],
    *,
    right: Right | Callable[[], Right],
    reason: str | Callable[[str | None], str],
    when: bool = True,
    has_key: bool = True,
) -> Asked[Value]:
    """Ask beside the picture, and judge the guess there once the answer is drawn.

    Parameters
    ----------
    name : str, unique on the page; links that show the answer have it
    answers : mapping of str to what each means, or sequence of str, at least two
    right : answer, answers, number, or callable that returns one
        What holds. To a number holds the answer whose number is nearest, or of those that are `Answer`,
        largest first, the first whose least value it reaches.
    reason : str, or callable of the guess that returns it
        What holds and why, with the numbers on screen, in Markdown.
    when : bool
        Whether the question belongs to what is chosen; else nothing is asked and nothing masked.
    has_key : bool
        Whether the key A draws the answer; of the questions that are on screen only one may have it.
    """
    meanings: Mapping[str, Any] = (
        answers if isinstance(answers, Mapping) else dict.fromkeys(answers)
    )
    if not when:
        return Asked(None, meanings)
    with screen.beside:
        prediction = lesson.predict_then_reveal(name, question, list(meanings), has_key=has_key)
        if prediction.revealed:
            holds = right() if callable(right) else right
            words = reason(prediction.guess) if callable(reason) else reason
            if isinstance(holds, float | int):
                holds = _answer_to(holds, meanings)
            lesson.show_verdict(prediction, right=holds, reason=words)
    return Asked(prediction, meanings)


def _answer_to(value: float, answers: Mapping[str, Any]) -> str:
    if isinstance(next(iter(answers.values())), lesson.Answer):
        return lesson.answer_of(value, answers)
    return lesson.nearest_answer(value, answers)
