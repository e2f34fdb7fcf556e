"""What is asked of a unit: what it does where a quotation is not closed."""

from typing import NamedTuple

from lm_core.analysis.text_spans import KINDS
from pages.inside_a_writer.subject import TEXTS_READ, Subject
from pages.inside_a_writer.units import Unit
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict

_QUESTION = "The last quotation mark is never closed. How far will this unit stay on?"


class Unclosed(NamedTuple):
    """What is asked about a quotation that is never closed."""

    start: int  # its first character
    ends: dict[str, int]  # where the unit could switch off, by the answer
    answer: str  # the one nearest to where it does
    off: int  # where it does


class Picture(NamedTuple):
    """What is drawn of a unit, however far the text is read."""

    subject: Subject
    unit: Unit
    masked_from: int | None  # the character from which on the answer waits
    # off and guess: where the unit switches off and where a visitor expected it, once that may be
    # drawn
    off: int | None
    guess: int | None


def ask_of_unit(subject: Subject, unit: Unit) -> Picture:
    """Ask how far the unit stays on, where there is a quotation that is never closed."""
    unclosed = _unclosed(subject, unit)
    if unclosed is None:
        return Picture(subject, unit, None, None, None)
    prediction = predict_then_reveal(f"unclosed_{subject.name}", _QUESTION, list(unclosed.ends))
    if not prediction.revealed:
        return Picture(subject, unit, unclosed.ends["to the comma"], None, None)
    _verdict(subject, unclosed, prediction)
    guess = unclosed.ends[prediction.guess] if prediction.guess else None
    return Picture(subject, unit, None, unclosed.off, guess)


def _unclosed(subject: Subject, unit: Unit) -> Unclosed | None:
    """Return the question about the text's last quotation; None for another text or another kind of unit."""
    if subject.text != TEXTS_READ[0] or unit.kind != next(iter(KINDS)):
        return None
    text = subject.text
    start = text.rindex('\n"') + 1
    ends = {
        "to the comma": text.index(",", start) + 1,
        "to the full stop": text.index(".", start) + 1,
        "to the end of the paragraph": text.index("\n", start),
        "to the end of the text": len(text),
    }
    is_off = unit.levels.share(subject.of_unit(unit)[start:]) < 0.5
    off = start + (int(is_off.argmax()) if is_off.any() else len(is_off))
    answer = min(ends, key=lambda name: abs(ends[name] - off))
    return Unclosed(start, ends, answer, off)


def _verdict(subject: Subject, unclosed: Unclosed, prediction: Prediction) -> None:
    n = unclosed.off - unclosed.start
    stays = unclosed.off == len(subject.text)
    show_verdict(
        prediction,
        right=unclosed.answer,
        reason=f"It stays on for **{n} characters**, {unclosed.answer}"
        + (
            ", because here nothing but a closing quotation mark switches it off."
            if stays
            else ", and then it switches off without a closing mark, so it does not wait for one."
        ),
    )
