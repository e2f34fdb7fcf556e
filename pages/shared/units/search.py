"""Units found by example: a pattern on a text, all units as a matrix, the best of them beside chance."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.text_spans import spans_of
from lm_core.analysis.unit_search import UnitScore, chance_correlations, find_units
from pages.shared.charts.palette import visible
from pages.shared.components.texts import GUESS, ON, Tint, tinted_text
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.units.painting import split_between
from pages.shared.units.unit_charts import unit_bars
from pages.shared.units.unit_matrix_chart import matrix_picture, unit_matrix

_BEST, _ALL = "The best 60", "All"
_ROWS = 60
_MOST_ROWS = 1_000  # more units than this have no room for a row each
_SHIFTS = 24
MOST_BARS = 6
_LAST_ROW = "units_row"


class UnitsRead(NamedTuple):
    """All units of a network over a text of T tokens."""

    tokens: Sequence[str]
    activations: np.ndarray  # of shape (T, units)
    name_of: Callable[[int], str]  # what a unit is called, by its number
    called: str  # what its activation is called
    token: str  # what a token is called: ``character`` or ``token``

    @property
    def n_units(self) -> int:
        """How many there are."""
        return int(self.activations.shape[1])


def pattern_text(
    read: UnitsRead, target: np.ndarray, *, is_painted: bool, begun: tuple[int, int] | None = None
) -> int | None:
    """Draw the text with the pattern underlined and tinted, and return the token that was just clicked.

    Parameters
    ----------
    target : ndarray of shape (T,), the pattern: where a unit should be on
    is_painted : bool, whether the visitor paints it
    begun : pair of int, the tokens of the word at which a span was begun that has no end yet
    """
    largest = max(float(target.max()), 1e-9)
    tints = [
        Tint(
            (ON, GUESS) if value == largest == 1.0 else (ON,),
            round(60 * value / largest),
            "wanted on" if value else "wanted off",
        )
        for value in target.tolist()
    ]
    if begun:
        tints[slice(*begun)] = [Tint((GUESS,), 0, "a span begins")] * (begun[1] - begun[0])
    return tinted_text(
        list(read.tokens),
        tints,
        key="units_wanted",
        legend=[(ON, "a unit should be on here")],
        unit=read.token,
        label="The text, tinted where a unit should be on",
        click_hint="Every unit is compared with this pattern."
        if not is_painted
        else "Tap the last word of the span."
        if begun
        else "Tap the first and the last word of a span to paint it, or a painted span to wipe it away.",
    )


def units_matrix(
    read: UnitsRead, target: np.ndarray, found: np.ndarray, name: str, chosen: int
) -> int | None:
    """Draw units as rows, from the one that is on with the pattern to the one that is off with it.

    The result: int or None, the unit whose row was clicked just now, if it is another.

    Parameters
    ----------
    target : ndarray of shape (T,)
    found : ndarray of shape (units,), the correlation of each unit with it
    name : str, of the pattern
    chosen : int, the unit whose row is outlined
    """
    n = read.n_units
    rows_shown = _BEST
    if n <= _MOST_ROWS:
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
    activations = read.activations[:, order].astype(np.float32)
    centred = activations - activations.mean(0)
    spread = np.maximum(np.abs(centred).max(0), 1e-6)
    picture = matrix_picture((centred / spread).T, target / max(float(target.max()), 1e-9))
    frame = pd.DataFrame(
        {
            "unit": order,
            "name": [read.name_of(int(unit)) for unit in order],
            "correlation": found[order],
        }
    )
    first, last = frame.iloc[0], frame.iloc[-1]
    selected = show_chart(
        unit_matrix(frame, picture, chosen=chosen, height=240 if rows_shown == _BEST else n),
        frame,
        key=f"units_matrix_{'best' if rows_shown == _BEST else 'all'}",
        alt=f"{len(frame)} units by their correlation with the text's places {name}: on top"
        f" {first['name']} with {first['correlation']:+.2f}, at the bottom {last['name']} with"
        f" {last['correlation']:+.2f}.",
        name="units-over-text",
        selectable=True,
    )
    st.caption(
        f"Each row is a unit, each column a {read.token}; cells are orange above the unit's mean"
        f" and blue below it ({read.called}). The black strip is the pattern. Click a row to choose"
        " its unit."
    )
    picked = _picked_unit(selected)
    return None if picked == chosen else picked


def _picked_unit(selected: dict[str, object]) -> int | None:
    """Return the unit of the row that was clicked just now, once."""
    rows = selected.get("row")
    if not isinstance(rows, list) or not rows:
        st.session_state.pop(_LAST_ROW, None)
        return None
    picked = int(rows[0]["unit"])
    if st.session_state.get(_LAST_ROW) == picked:
        return None
    st.session_state[_LAST_ROW] = picked
    return picked


class Scored(NamedTuple):
    """The best units of a pattern, found on one part of a text and scored on another."""

    units: Sequence[UnitScore]
    chance: float  # the correlation of the best of all units with the pattern shifted
    caption: str  # which part of the text is which


def score_units(read: UnitsRead, target: np.ndarray, *, is_painted: bool) -> Scored | None:
    """Return the best units of a pattern: found on the text's beginning, and scored on the rest.

    Painted spans are shared out between the two; None where a single span leaves nothing to score on.
    """
    spans = spans_of(target) if is_painted else []
    split = split_between(spans) if is_painted else len(target) // 2
    if split is None:
        return None
    chance = chance_correlations(read.activations[:split], target[:split], _SHIFTS)
    units = find_units(read.activations, target, MOST_BARS, split)
    found_by = f"by the first {sum(end <= split for _, end in spans)} of {len(spans)} spans,"
    caption = (
        f"Found {found_by if is_painted else 'on the first'} {split:,} {read.token}s; scored on the other"
        f" {len(target) - split:,}."
    )
    return Scored(units, float(chance.mean()), caption)


def painted_units(read: UnitsRead, scored: Scored | None, chosen: int, *, taken: str) -> None:
    """Draw the best units of painted spans; `taken` as `best_units` has it."""
    if scored is None:
        st.info(
            "Paint at least two spans: units are found by those at the beginning and scored on the others,"
            " because one that fits a single span is found in any network."
        )
        return
    best_units(read, scored, chosen, title="Best here", taken=taken)


def best_units(read: UnitsRead, scored: Scored, chosen: int, *, title: str, taken: str) -> None:
    """Draw the held-out correlations of some units beside chance, and the button that takes the best.

    `taken`: str, where in the session the next run finds the unit that the button has taken.
    """
    best, chance = scored.units[:MOST_BARS], scored.chance
    frame = pd.DataFrame(
        {
            "name": [read.name_of(score.unit) for score in best],
            "found": [score.correlation for score in best],
            "held_out": [score.held_out for score in best],
            "is_chosen": [score.unit == chosen for score in best],
        }
    )
    st.markdown(f"**{title}: {visible(frame['name'][0])}**, {best[0].held_out:+.2f}")
    show_chart(
        unit_bars(frame, chance),
        frame.drop(columns="is_chosen"),
        key="units_best",
        alt="Correlations, held out: "
        + "; ".join(f"{row.name} {row.held_out:+.2f}" for row in frame.itertuples(index=False))
        + f"; by chance {chance:.2f}",
        name="best-units",
        is_small=True,
        fills_screen=False,
    )
    if is_presenting():  # beside a verdict there is no room for more
        return
    is_more_than_chance = frame["held_out"].abs().max() > chance
    st.caption(
        f"{scored.caption} The dashed line is what chance finds, because there the pattern is shifted: the"
        f" best of {read.n_units:,} units with the pattern shifted,"
        f" {chance:.2f}{'' if is_more_than_chance else '; none of these exceeds it'}."
    )
    st.button(
        f"Look at {frame['name'][0]}",
        icon=":material/search:",
        key="units_take_best",
        on_click=st.session_state.__setitem__,
        args=(taken, best[0].unit),
    )
