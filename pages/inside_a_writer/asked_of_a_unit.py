"""What is asked of a unit: what it does where a quotation is not closed."""

from typing import NamedTuple

from lm_core.analysis.text_spans import KINDS
from pages.inside_a_writer.subject import TEXTS_READ, Subject
from pages.inside_a_writer.units import Unit
from pages.shared import page

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
    name, reason = f"unclosed_{subject.name}", _reason(subject, unclosed)
    asked = page.ask(None, name, _QUESTION, unclosed.ends, right=unclosed.off, reason=reason)
    if asked.masks:
        return Picture(subject, unit, unclosed.ends["to the comma"], None, None)
    return Picture(subject, unit, None, unclosed.off, asked.value)


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


def _reason(subject: Subject, unclosed: Unclosed) -> str:
    n = unclosed.off - unclosed.start
    why = (
        "because here nothing but a closing quotation mark switches it off."
        if unclosed.off == len(subject.text)
        else "and then it switches off without a closing mark, so it does not wait for one."
    )
    return f"It stays on for **{n} characters**, {unclosed.answer}, {why}"
