"""Units of the LSTM found by example: a kind of place or a painted span, here and on the book."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_search import correlations
from pages.inside_a_writer.subject import Subject
from pages.inside_a_writer.units import NAMES, PICKED, Unit, unit_name
from pages.shared import page
from pages.shared.units import search
from pages.shared.units.painting import begun_span, choose_painted, paint

_PAINTED = "in a span that you paint"


class Wanted(NamedTuple):
    """What the units are compared with."""

    name: str
    target: np.ndarray  # shape (T,)
    is_measured: bool  # whether it was measured on the book, too


def choose_kind() -> str:
    """Draw where a unit should be on, and return it."""
    return page.choice("kind", "A unit that is on …", [*KINDS, _PAINTED], width=230)


def choose_wanted(subject: Subject, kind: str) -> Wanted:
    """Return what the units are compared with; draw the control of the painted words for it."""
    if kind in KINDS:
        return Wanted(kind, KINDS[kind](subject.text), True)
    return Wanted("in the painted spans", choose_painted(subject), False)


def find_units_by_example(
    screen: page.FirstScreen, subject: Subject, unit: Unit, wanted: Wanted
) -> None:
    """Draw the units that go best with what is wanted, here and on the book."""
    read = search.UnitsRead(
        list(subject.text),
        subject.activations.of(unit.part),
        partial(unit_name, subject.meta),
        NAMES[unit.part],
        "character",
    )
    picked = None
    with screen.picture:
        text, matrix = st.container(gap="xsmall"), st.container(gap="xsmall")
        if wanted.is_measured:
            text, matrix = matrix, text
        # A projector has room for one of the two: the text where the room paints it.
        if wanted.is_measured or not page.is_presenting():
            with matrix:
                found = correlations(read.activations, wanted.target)
                picked = search.units_matrix(read, wanted.target, found, wanted.name, unit.number)
        if not (wanted.is_measured and page.is_presenting()):
            with text:
                _painted_text(subject, read, wanted)
    with screen.beside:
        if wanted.is_measured:
            _on_the_book(subject, read, unit, wanted)
        else:
            scored = search.score_units(read, wanted.target, is_painted=True)
            search.painted_units(read, scored, unit.number, taken=PICKED)
    if picked is not None:
        st.session_state[PICKED] = picked
        st.rerun()


def _painted_text(subject: Subject, read: search.UnitsRead, wanted: Wanted) -> None:
    is_painted = not wanted.is_measured
    begun = begun_span(subject) if is_painted else None
    clicked = search.pattern_text(read, wanted.target, is_painted=is_painted, begun=begun)
    if clicked is not None and is_painted:
        paint(subject, wanted.target, clicked)


def _on_the_book(subject: Subject, read: search.UnitsRead, unit: Unit, wanted: Wanted) -> None:
    """Draw the best units as they were measured on held-out text."""
    scores = subject.results.of_kind(wanted.name, unit.part)
    n = int(subject.results.provenance["characters"]) // 2
    caption = f"Found on {n:,} characters of the held-out tenth, scored on the next {n:,}."
    scored = search.Scored(scores.units, scores.chance, caption)
    search.best_units(read, scored, unit.number, title="Best on the book", taken=PICKED)
