"""A unit held at a value: the next character, and the text that follows, with and without."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.unit_activations import Clamp
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from pages.inside_a_writer.quotation_mark import TEMPERATURE, from_here, until_next_mark
from pages.inside_a_writer.subject import Subject
from pages.inside_a_writer.units import NAMES, Unit, unit_name
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.components.texts import generation_strip
from pages.shared.numbers import percent
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.markdown import as_code

_WRITTEN = 240  # characters that each of the two goes on for
_AT_ONCE = 60
_SHOWN_BEFORE = 40  # characters that are shown of what both go on from
_OFF, _ON = "Off", "On"


class Continued(NamedTuple):
    """What follows a text."""

    next_character: np.ndarray  # shape (V,): its probabilities
    generation: TextGeneration  # from the last character that was read on; read it, never change it


def choose_seed() -> int:
    """Draw the seed of both texts, and return it."""
    return page.number("seed", "Seed of both texts", 1, 999, 1)


def clamped(screen: page.FirstScreen, subject: Subject, unit: Unit, place: int, seed: int) -> None:
    """Draw the prediction and the text that follows, with the unit free and held."""
    with screen.beside:
        held = page.segments("clamp", "Hold the unit", (_OFF, _ON))
    value = unit.levels.on if held == _ON else unit.levels.off
    identity = (subject.meta.name, subject.meta.weights_sha256, subject.text[:place])
    own = float(subject.of_unit(unit)[place - 1])
    clamp = Clamp(unit.number, value, unit.part)
    with screen.picture:
        free, with_clamp = (_continued(*identity, c, seed) for c in (None, clamp))
        name = f"Unit {unit_name(subject.meta, unit.number)}"
        st.markdown(
            f"**{name} held at {value:+.1f} from here on; it was {own:+.1f} after"
            f" “{visible(subject.text[max(0, place - 14) : place])}”**"
        )
        for column, title, continued, key in zip(
            st.columns(2, gap="medium"),
            ("Left alone", f"Held at {value:+.1f}"),
            (free, with_clamp),
            ("free", "held"),
            strict=True,
        ):
            with column:
                st.markdown(f"**{title}**")
                if not is_presenting():  # the heading names the place, and the text needs the room
                    st.caption(
                        f"The model continues …{as_code(visible(subject.text[max(0, place - _SHOWN_BEFORE) : place]))}"
                    )
                _written(subject, continued, key)
    with screen.beside:
        _next_character(subject, free, with_clamp, title=f"{name} held")
    page.note_beside(
        screen,
        "So that only this unit makes a difference, both texts use the same random numbers (seed"
        f" {seed}, temperature {TEMPERATURE:g}). From the last character on, the"
        f" {NAMES[unit.part]} of this one unit is replaced at every step; all the others are"
        f" computed from that.{_on_the_book(subject, unit)}",
    )
    until_next_mark(subject, place, clamp, seed)


def _written(subject: Subject, continued: Continued, key: str) -> None:
    generation_strip(
        continued.generation,
        subject.vocabulary.spell(continued.generation.ids),
        key=f"writer_written_{key}",
        label=f"What the model writes, unit {key}",
        is_growing=False,
        follow=False,
        fills_place=is_presenting(),
    )


def _next_character(
    subject: Subject, free: Continued, with_clamp: Continued, *, title: str
) -> None:
    table = prediction_table(
        subject.vocabulary.symbols,
        {"": with_clamp.next_character},
        before=free.next_character,
        most=4 if is_presenting() else 6,
    )
    symbols = [visible(symbol) for symbol in subject.vocabulary.symbols]
    best = np.argsort(-np.maximum(free.next_character, with_clamp.next_character))[:3]
    outlined = "Outline: with the unit left alone."
    # Presented, the picture's heading names the unit, and one line less leaves the bars their room.
    said = f"Next character. {outlined}" if is_presenting() else f"Next character, {title.lower()}"
    st.markdown(f"**{said}**")
    page.show_chart(
        prediction_bars(table),
        key="writer_next",
        alt="; ".join(
            f"{symbols[i]} {percent(free.next_character[i])} before,"
            f" {percent(with_clamp.next_character[i])} held"
            for i in best.tolist()
        ),
        name="next-character",
    )
    if not is_presenting():
        st.caption(outlined)


def _on_the_book(subject: Subject, unit: Unit) -> str:
    """Return what the clamp did inside quotations of held-out text, if this unit was measured."""
    measured = subject.results.clamp
    if (unit.number, unit.part) != (measured.unit, measured.part):
        return ""
    (free, off) = (measured.marks[name] for name in ("free", "off"))
    n = sum(free)
    return (
        f"\n\nInside {measured.places} quotations of the held-out book, {n} texts: left alone, the next"
        f" mark closes in **{percent(free.closes / n)}** and opens in {percent(free.opens / n)};"
        " held off, it closes"
        f" in **{percent(off.closes / n)}** and opens in {percent(off.opens / n)}. The unit alone"
        " was changed, so what it holds has a part in the choice."
    )


@st.cache_resource(max_entries=24, show_spinner=False)
def _continued(
    name: str, weights_sha256: str, text: str, clamp: Clamp | None, seed: int
) -> Continued:
    """Return what follows a text, the clamp in force from its last character on: for a whole class once."""
    readable, last, _ = from_here(name, weights_sha256, text, clamp)
    with page.model_calls:
        generation = TextGeneration.begin(readable, last, SamplingSettings(TEMPERATURE), seed)
    prediction = generation.chain_trace().stages[0].probabilities.numpy()
    for _ in range(0, _WRITTEN, _AT_ONCE):
        with page.model_calls:
            generation.write(_AT_ONCE)
    return Continued(prediction, generation)
