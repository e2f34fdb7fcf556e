"""One unit over the text: the text in the colour of its activation, and the activation as a line."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_activations import CELL, HIDDEN
from pages.inside_a_writer.subject import TEXTS_READ, Subject
from pages.inside_a_writer.units import NAMES, Unit, unit_name
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.components.texts import ANSWER, GUESS, MASKED, ON, Tint, tinted_text
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict
from pages.shared.units.unit_charts import Mark, activation_chart, activation_table

STRONGEST = 80
_AROUND = 12
_READ_LAST = "writer_read_last"
_QUESTION = "The last quotation mark is never closed. How far will this unit stay on?"


class Unclosed(NamedTuple):
    """What is asked about a quotation that is never closed."""

    start: int  # its first character
    ends: dict[str, int]  # where the unit could switch off, by the answer
    answer: str  # the one nearest to where it does
    off: int  # where it does


class _Picture(NamedTuple):
    """What is drawn of a unit, however far the text is read."""

    subject: Subject
    unit: Unit
    masked_from: int | None  # the character from which on the answer waits
    # off and guess: where the unit switches off and where a visitor expected it, once that may be
    # drawn
    off: int | None
    guess: int | None


def one_unit(screen: page.FirstScreen, subject: Subject, unit: Unit) -> None:
    """Draw one unit, word by word as it is read, and ask how far it stays on."""
    with screen.beside:
        drawn = _asked(subject, unit)
    page.note_beside(screen, _measured(subject, unit))

    finding = _finding(subject, unit)
    with screen.picture:
        st.markdown(f"**{finding}**")
        picture = st.container(gap="xsmall")

    def draw(word: int) -> None:
        read = subject.word_ends[word]
        with picture:  # above the buttons
            _text(drawn, read)
            if not page.is_presenting():  # where large type leaves room for one picture
                _line(drawn, read, finding)

    n_words = len(subject.word_ends)
    if st.session_state.get(_READ_LAST, subject.name) != subject.name:
        page.go_to("read", n_words - 1)  # another text is read whole
    st.session_state[_READ_LAST] = subject.name
    with screen.picture:
        page.playback_bar("read", n_words, draw, label="Words read", start=n_words - 1)


def _asked(subject: Subject, unit: Unit) -> _Picture:
    """Ask how far the unit stays on, where there is a quotation that is never closed."""
    unclosed = _unclosed(subject, unit)
    if unclosed is None:
        return _Picture(subject, unit, None, None, None)
    prediction = predict_then_reveal(f"unclosed_{subject.name}", _QUESTION, list(unclosed.ends))
    if not prediction.revealed:
        return _Picture(subject, unit, unclosed.ends["to the comma"], None, None)
    _verdict(subject, unclosed, prediction)
    guess = unclosed.ends[prediction.guess] if prediction.guess else None
    return _Picture(subject, unit, None, unclosed.off, guess)


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


def _finding(subject: Subject, unit: Unit) -> str:
    name = f"Unit {unit_name(subject.meta, unit.number)}"
    activation = subject.of_unit(unit)
    if unit.kind is None:
        return (
            f"{name}: its {NAMES[unit.part]} lies between {activation.min():.1f} and"
            f" {activation.max():.1f} on this text."
        )
    target = KINDS[unit.kind](subject.text)
    high = target > target.mean()
    if set(np.unique(target)) <= {0.0, 1.0} and high.any() and not high.all():
        return (
            f"{name}: {activation[high].mean():+.1f} {unit.kind}, {activation[~high].mean():+.1f}"
            f" elsewhere ({NAMES[unit.part]})"
        )
    return f"{name} goes with {unit.kind}: {NAMES[unit.part]} from {activation.min():+.1f} to {activation.max():+.1f}"


def _measured(subject: Subject, unit: Unit) -> str:
    found = subject.results.found(unit.number, unit.part)
    if found is None:
        return _not_found(subject, unit)
    scores, best = found
    n = int(subject.results.provenance["characters"]) // 2
    return (
        f"A *unit* is one number that the network carries along. On {n:,} characters of the book"
        " that it never read and by which no unit was chosen, so that the figure is no lucky find,"
        f" this one is on at **{percent(best.on_inside)}** of the places"
        f" {_with_preposition(scores.kind)} and at **{percent(best.on_outside)}** of the others;"
        f" correlation {best.held_out:+.2f}, by chance {scores.chance:.2f}."
    )


def _not_found(subject: Subject, unit: Unit) -> str:
    """Say that the number drawn goes with nothing, and whether the unit's other number does."""
    drawn, other = NAMES[unit.part], HIDDEN if unit.part == CELL else CELL
    said = (
        f"On the book the {drawn} of this unit is among the best for none of the kinds of place"
        " that were tried, so it has no name here."
    )
    if found := subject.results.found(unit.number, other):
        scores, best = found
        return (
            f"{said} Its {NAMES[other]} is one of the best for “{scores.kind}” (correlation"
            f" {best.held_out:+.2f}): choose it under *More*."
        )
    return f"{said} *Find* compares all units with a span that you paint."


def _with_preposition(kind: str) -> str:
    return kind if kind.startswith(("in", "at")) else f"“{kind}”"


def _text(drawn: _Picture, read: int) -> None:
    subject, unit = drawn.subject, drawn.unit
    activation = subject.of_unit(unit)
    strengths = np.round(STRONGEST * unit.levels.share(activation)).astype(int).tolist()
    ends = {drawn.off: ANSWER} | {drawn.guess: GUESS}
    marks = {end - 1: role for end, role in ends.items() if end is not None}
    tints = []
    for i, (value, strength) in enumerate(zip(activation.tolist(), strengths, strict=True)):
        if drawn.masked_from is not None and i >= drawn.masked_from:
            tints.append(Tint((MASKED,), 0, "Is it still on?"))
        elif i >= read:
            tints.append(Tint((), 0, "not read yet"))
        else:
            roles = (ON, marks[i]) if i in marks else (ON,)
            tints.append(Tint(roles, strength, f"activation {value:+.2f}"))
    tinted_text(
        list(subject.text),
        tints,
        key="writer_text",
        legend=[],
        unit="character",
        label="The text, each character in the colour of the unit's activation",
        click_hint="Point at a character: the unit's activation after it was read.",
        fills_place=page.is_presenting(),
    )


def _line(drawn: _Picture, read: int, finding: str) -> None:
    subject, unit = drawn.subject, drawn.unit
    activation = subject.of_unit(unit)
    shown = read if drawn.masked_from is None else min(read, drawn.masked_from)
    table = activation_table(
        range(shown), activation[:shown], around=_contexts(subject.text, shown)
    )
    marks = []
    if drawn.off is not None:
        said = "switches off" if drawn.off < len(activation) else "still on"
        marks.append(Mark(drawn.off, said))
    if drawn.guess is not None:
        marks.append(Mark(drawn.guess, "your guess", True))
    low, high = float(activation.min()), float(activation.max())
    show_chart(
        activation_chart(
            table,
            n_characters=len(activation),
            domain=(min(low, 0.0), max(high, 0.0)),
            title=unit.part,
            is_reversed=unit.levels.is_reversed,
            spans=subject.quotations,
            lines=subject.paragraphs,
            marks=marks,
            height=135,
        ),
        table,
        key="writer_line",
        alt=f"{finding}; {shown} of {len(activation)} characters drawn. Shaded:"
        f" {len(subject.quotations)} quotations.",
        name="unit-over-text",
    )
    st.caption(
        "The stronger a character's colour, the further on is the unit. Grey: inside quotation marks;"
        " dotted: end of a paragraph."
    )


def _contexts(text: str, n: int) -> list[str]:
    """Return for each character what was read last, the character at its end."""
    seen = visible(text)
    return [seen[max(0, i + 1 - _AROUND) : i + 1] for i in range(n)]
