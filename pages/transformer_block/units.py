"""Units of the feed-forward networks over a text: found by painting, with their scores, and what they do."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.text_spans import KINDS
from pages.shared import page
from pages.shared.numbers import written
from pages.shared.units.painting import begun_span, choose_painted, paint
from pages.shared.units.search import Scored, painted_units, pattern_text, units_matrix
from pages.transformer_block.book_passages import book_passages
from pages.transformer_block.held_unit import held_unit
from pages.transformer_block.unit_runs import units_found
from pages.transformer_block.unit_strip import unit_strip
from pages.transformer_block.unit_text import UnitText, choose_text

_PICKED = "block_picked_unit"
"""A unit that was just picked in a picture, until its controls are drawn."""


def find_units(screen: page.FirstScreen) -> None:
    """Draw the units that go with what is painted on a text, one of them over the text, and what it does."""
    with screen.controls:
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    more = page.more(screen)
    text = choose_text(row, more, screen.picture)
    kind = _choose_kind(row, text)
    is_painted = kind == _PAINTED
    painted = None
    if is_painted:
        with more:
            painted = choose_painted(text)
    target = text.of_tokens(KINDS[kind](text.text) if painted is None else painted)
    found = units_found(text.sentence, target, is_painted=is_painted)
    scored = found.scored
    unit = _choose_unit(row, text, scored)
    asked = _ask(screen, text, kind, scored)
    picked = clicked = None
    with screen.picture:
        st.markdown(f"**{_finding(text, unit, kind, scored, is_masked=asked.masks)}**")
        if not (page.is_presenting() and is_painted):
            unit_strip(text, unit)
        if is_painted:
            clicked = pattern_text(
                text.units, target, is_painted=True, begun=begun_span_of_tokens(text)
            )
        if not page.is_presenting():
            picked = units_matrix(text.units, target, found.correlations, kind, unit)
    with screen.beside:
        if not asked.masks:
            painted_units(text.units, scored, unit, taken=_PICKED)
    page.note_beside(
        screen,
        f"In each block the feed-forward network *widens* a token's vector to {text.per_layer:,} *units*."
        " A unit is on where the vector fits its pattern, and then adds a vector of its own to the"
        " stream; else it is nearly 0. Units were not told what to look for. With so many of them some"
        " fit any pattern by chance, so only the score on spans by which they were not found counts.",
    )
    page.below("Hold the unit, and let the model write", "held", held_unit, text, unit, icon="lock")
    page.below(
        "Passages of the book that turn the unit on",
        "passages",
        book_passages,
        text,
        unit,
        icon="menu_book",
    )
    if clicked is not None and painted is not None:
        paint(text, painted, int(text.token_ends[clicked]) - 1)
    if picked is not None:
        st.session_state[_PICKED] = picked
        st.rerun()


def _choose_kind(row: DeltaGenerator, text: UnitText) -> str:
    """Draw where a unit should be on, and return it: a long text is not painted on."""
    kinds = list(KINDS) if text.is_long else [_PAINTED, *KINDS]
    with row:
        return page.choice("kind", "A unit that is on …", kinds, width=180)


def begun_span_of_tokens(text: UnitText) -> tuple[int, int] | None:
    """Return the tokens of the word at which a span was begun; None where none was."""
    span = begun_span(text)
    if span is None:
        return None
    first, end = np.searchsorted(text.token_ends, span, side="right")
    return int(first), max(int(end), int(first) + 1)


def _choose_unit(row: DeltaGenerator, text: UnitText, scored: Scored | None) -> int:
    """Draw layer and place of the unit, that which fits best at first, and return its number."""
    layers = text.sentence.config.layers
    first = scored.units[0].unit if scored else 0
    if (picked := st.session_state.pop(_PICKED, None)) is not None:
        layer, place = divmod(picked, text.per_layer)
        st.session_state["unit_layer"], st.session_state["unit"] = layer + 1, place + 1
    layer, place = divmod(first, text.per_layer)
    with row:
        chosen_layer = page.choice(
            "unit_layer", "Layer", list(range(1, layers + 1)), layer + 1, width=75
        )
        chosen = page.number("unit", "Unit", 1, text.per_layer, place + 1, width=115)
    return (chosen_layer - 1) * text.per_layer + chosen - 1


_BETTER, _CHANCE = "Yes, it is better", "No, chance does as well"
_PAINTED = "in a span that you paint"


def _ask(
    screen: page.FirstScreen, text: UnitText, kind: str, scored: Scored | None
) -> page.Asked[str]:
    """Ask whether the unit that was found is more than chance; of what visitors paint they see it at once."""
    if kind == _PAINTED or scored is None:
        return page.Asked()
    n, best = text.units.n_units, scored.units[0]

    return page.ask(
        screen,
        f"unit_fits_{text.name}_{list(KINDS).index(kind)}",
        f"Of {n:,} units, one goes best with “{kind}” in the first part of the text. Does it go with the"
        " *other* part better than the best unit goes with a shifted pattern?",
        (_BETTER, _CHANCE),
        right=_BETTER if abs(best.held_out) > scored.chance else _CHANCE,
        reason=f"Unit {text.units.name_of(best.unit)} has a correlation of {best.correlation:+.2f} where it was found"
        f" and **{best.held_out:+.2f}** on the rest. With the pattern shifted, the best of all units"
        f" reaches {scored.chance:.2f}, because among {n:,} one always fits a little.",
    )


def _finding(
    text: UnitText, unit: int, kind: str, scored: Scored | None, *, is_masked: bool
) -> str:
    """Say how a unit fits the pattern, where that was scored; a unit has no other name."""
    name = f"Unit {text.units.name_of(unit)}"
    of_unit = next((s for s in scored.units if s.unit == unit), None) if scored else None
    largest = written(float(text.units.activations[:, unit].max()), ".2f")
    if of_unit is None or scored is None or is_masked:
        return f"{name}: its largest activation on this text is {largest}"
    return (
        f"{name} goes with “{kind}”: correlation {written(of_unit.held_out, '+.2f')} on the part by which it was"
        f" not found; by chance {scored.chance:.2f}"
    )
