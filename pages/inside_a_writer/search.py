"""Units found by example: a kind of place or a painted span, all units as a matrix, the best beside chance."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.text_spans import KINDS, spans_of
from lm_core.analysis.unit_search import (
    UnitScore,
    chance_correlations,
    correlations,
    find_units,
)
from pages.inside_a_writer.painting import begun_span, choose_painted, paint, split_between
from pages.inside_a_writer.subject import Subject
from pages.inside_a_writer.unit_matrix_chart import matrix_picture, unit_matrix
from pages.inside_a_writer.units import NAMES, PICKED, Unit, n_units, unit_name
from pages.inside_a_writer.units_charts import unit_bars
from pages.shared.components.texts import GUESS, ON, Tint, tinted_text
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen

_PAINTED = "in a span that you paint"
_BEST, _ALL = "The best 60", "All"
_ROWS = 60
_SHIFTS = 24
_MOST_BARS = 6


class Wanted(NamedTuple):
    """What the units are compared with.

    Attributes
    ----------
    name : str
    target : ndarray of shape (T,)
    is_measured : bool
        Whether it was measured on the book, too.
    """

    name: str
    target: np.ndarray
    is_measured: bool


def choose_kind() -> str:
    """Draw where a unit should be on, and return it."""
    return str(control(st.selectbox, "kind", "A unit that is on …", [*KINDS, _PAINTED], width=230))


def choose_wanted(subject: Subject, kind: str) -> Wanted:
    """Return what the units are compared with; draw the control of the painted words for it."""
    if kind in KINDS:
        return Wanted(kind, KINDS[kind](subject.text), True)
    return Wanted("in the painted spans", choose_painted(subject), False)


def find_units_by_example(
    screen: FirstScreen, subject: Subject, unit: Unit, wanted: Wanted
) -> None:
    """Draw the units that go best with what is wanted, here and on the book."""
    with screen.picture:
        found = correlations(subject.activations.of(unit.part), wanted.target)
        text, matrix = st.container(gap="xsmall"), st.container(gap="xsmall")
        if wanted.is_measured:
            text, matrix = matrix, text
        # A projector has room for one of the two: the text where the room paints it.
        if wanted.is_measured or not is_presenting():
            with matrix:
                _matrix(subject, unit, wanted, found)
        if not (wanted.is_measured and is_presenting()):
            with text:
                _painted_text(subject, wanted)
    with screen.beside:
        (_on_the_book if wanted.is_measured else _on_this_text)(subject, unit, wanted)


def _painted_text(subject: Subject, wanted: Wanted) -> None:
    """Draw the text with what is wanted underlined and tinted."""
    largest = max(float(wanted.target.max()), 1e-9)
    tints = [
        Tint(
            (ON, GUESS) if value == largest == 1.0 else (ON,),
            round(60 * value / largest),
            "wanted on" if value else "wanted off",
        )
        for value in wanted.target.tolist()
    ]
    begun = None if wanted.is_measured else begun_span(subject)
    if begun:
        tints[slice(*begun)] = [Tint((GUESS,), 0, "a span begins")] * (begun[1] - begun[0])
    clicked = tinted_text(
        list(subject.text),
        tints,
        key="writer_wanted",
        legend=[(ON, "a unit should be on here")],
        unit="character",
        label="The text, tinted where a unit should be on",
        click_hint="Every unit is compared with this pattern."
        if wanted.is_measured
        else "Tap the last word of the span."
        if begun
        else "Tap the first and the last word of a span to paint it, or a painted span to wipe it away.",
    )
    if clicked is not None and not wanted.is_measured:
        paint(subject, wanted.target, clicked)


def _matrix(subject: Subject, unit: Unit, wanted: Wanted, found: np.ndarray) -> None:
    """Draw the units as rows, from the one that is on with the target to the one that is off with it."""
    n = n_units(subject.meta)
    rows_shown = control(
        st.segmented_control,
        "rows",
        "Units",
        (_BEST, _ALL),
        default=_BEST,
        required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"All {n}" if name == _ALL else name,
    )
    best = np.argsort(-np.abs(found), kind="stable")[: _ROWS if rows_shown == _BEST else n]
    order = best[np.argsort(-found[best], kind="stable")]
    activations = subject.activations.of(unit.part)[:, order]
    centred = activations - activations.mean(0)
    spread = np.maximum(np.abs(centred).max(0), 1e-6)
    largest = max(float(wanted.target.max()), 1e-9)
    picture = matrix_picture((centred / spread).T, wanted.target / largest)
    frame = pd.DataFrame(
        {
            "unit": order,
            "name": [unit_name(subject.meta, int(u)) for u in order],
            "correlation": found[order],
        }
    )
    first, last = frame.iloc[0], frame.iloc[-1]
    selected = show_chart(
        unit_matrix(frame, picture, chosen=unit.number, height=240 if rows_shown == _BEST else n),
        frame,
        key=f"writer_matrix_{'best' if rows_shown == _BEST else 'all'}",
        alt=f"{len(frame)} units by their correlation with the text's places {wanted.name}: on top"
        f" {first['name']} with {first['correlation']:+.2f}, at the foot {last['name']} with"
        f" {last['correlation']:+.2f}.",
        name="units-over-text",
        selectable=True,
    )
    st.caption(
        f"A row a unit, a column a character; orange above the unit's mean, blue below"
        f" ({NAMES[unit.part]}). The black strip is the pattern. Click a row to choose its unit."
    )
    if (picked := _picked_unit(selected)) is not None and picked != unit.number:
        st.session_state[PICKED] = picked
        st.rerun()


def _picked_unit(selected: dict[str, object]) -> int | None:
    """Return the unit of the row that was clicked just now, once."""
    rows = selected.get("row")
    if not isinstance(rows, list) or not rows:
        st.session_state.pop("writer_row", None)
        return None
    picked = int(rows[0]["unit"])
    if st.session_state.get("writer_row") == picked:
        return None
    st.session_state["writer_row"] = picked
    return picked


def _on_the_book(subject: Subject, unit: Unit, wanted: Wanted) -> None:
    """Draw the best units as they were measured on held-out text."""
    scores = subject.results.of_kind(wanted.name, unit.part)
    n = int(subject.results.provenance["characters"])
    _best_units(
        subject,
        unit,
        scores.units,
        scores.chance,
        title="Best on the book",
        caption=f"Found on {n // 2:,} characters of the held-out tenth, scored on the next {n // 2:,}.",
    )


def _on_this_text(subject: Subject, unit: Unit, wanted: Wanted) -> None:
    """Draw the best units of the painted spans: found by the first of them, scored on the others."""
    spans, activations = spans_of(wanted.target), subject.activations.of(unit.part)
    split = split_between(spans)
    if split is None:
        st.info(
            "Paint at least two spans: units are found by those at the beginning and scored on the others,"
            " because one that fits a single span is found in any network."
        )
        return
    chance = chance_correlations(activations[:split], wanted.target[:split], _SHIFTS)
    n_found = sum(end <= split for _, end in spans)
    _best_units(
        subject,
        unit,
        find_units(activations, wanted.target, _MOST_BARS, split),
        float(chance.mean()),
        title="Best here",
        caption=f"Found by the first {n_found} of {len(spans)} spans, {split:,} characters; scored on the"
        f" other {len(subject.text) - split:,}.",
    )


def _best_units(
    subject: Subject,
    unit: Unit,
    units: Sequence[UnitScore],
    chance: float,
    *,
    title: str,
    caption: str,
) -> None:
    """Draw the correlations of some units, where they were found and held out, beside chance."""
    best = units[:_MOST_BARS]
    frame = pd.DataFrame(
        {
            "name": [unit_name(subject.meta, score.unit) for score in best],
            "found": [score.correlation for score in best],
            "held_out": [score.held_out for score in best],
            "is_chosen": [score.unit == unit.number for score in best],
        }
    )
    st.markdown(f"**{title}: {frame['name'][0]}**, {best[0].held_out:+.2f}")
    show_chart(
        unit_bars(frame, chance),
        frame.drop(columns="is_chosen"),
        key="writer_best",
        alt="Correlations, held out: "
        + "; ".join(f"{row.name} {row.held_out:+.2f}" for row in frame.itertuples(index=False))
        + f"; by chance {chance:.2f}",
        name="best-units",
    )
    is_more_than_chance = frame["held_out"].abs().max() > chance
    st.caption(
        f"{caption} Dashed: the best of {n_units(subject.meta)} units with the pattern shifted,"
        f" {chance:.2f}{'' if is_more_than_chance else '; none of these exceeds it'}."
    )
    if st.button(f"Look at {frame['name'][0]}", icon=":material/search:", key="writer_take_best"):
        st.session_state[PICKED] = best[0].unit
        st.rerun()
