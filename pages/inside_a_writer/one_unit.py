"""One unit over the text: the text in the colour of its activation, and the activation as a line."""

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_activations import CELL, HIDDEN
from pages.inside_a_writer.asked_of_a_unit import Picture, ask_of_unit
from pages.inside_a_writer.subject import Subject
from pages.inside_a_writer.units import NAMES, Unit, unit_name
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.components.texts import ANSWER, GUESS, MASKED, ON, Tint, tinted_text
from pages.shared.numbers import percent
from pages.shared.units.unit_charts import Mark, activation_chart, activation_table

STRONGEST = 80
_AROUND = 12
_READ_LAST = "writer_read_last"


def one_unit(screen: page.FirstScreen, subject: Subject, unit: Unit) -> None:
    """Draw one unit, word by word as it is read, and ask how far it stays on."""
    with screen.beside:
        drawn = ask_of_unit(subject, unit)
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
        page.playback_bar("read", n_words, draw, label="Words read", seconds_per_step=0.8)


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


def _text(drawn: Picture, read: int) -> None:
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


def _line(drawn: Picture, read: int, finding: str) -> None:
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
    page.show_chart(
        activation_chart(
            table,
            n_characters=len(activation),
            domain=(min(low, 0.0), max(high, 0.0)),
            title=unit.part,
            is_reversed=unit.levels.is_reversed,
            spans=[*subject.quotations, *((place, place) for place in subject.paragraphs)],
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
