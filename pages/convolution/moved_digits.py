"""Which network still reads a digit that is moved by a pixel or two."""

import numpy as np
import streamlit as st

from lm_core.experiments.convolution.digits import MARGIN
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import DIGIT_NETWORKS, GLOBAL_CNN
from lm_core.experiments.convolution.training import CENTRED
from pages.convolution.digit_choice import (
    DOWN,
    IN_WORDS,
    NOTHING,
    RIGHT,
    Shown,
    answer_in_words,
    canvas_grid,
    painting,
    read_digit,
)
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids
from pages.shared.numbers import percent

_HEIGHT = 255
_MOVES = range(-MARGIN, MARGIN + 1)
_ANSWERS = {"More than by one": 0, "About as much": 1, "Hardly at all": 2}
_FEW = 0.02  # difference of two accuracies that counts for nothing


def moved_digits(screen: page.FirstScreen, results: ConvolutionResults, shown: Shown) -> None:
    """Draw how many moved digits each network reads, and how it reads the one on the canvas."""
    asked = _ask(screen, results, shown)
    with screen.picture:
        st.markdown(f"**{_finding(results, shown, asked)}**")
        _draw_moved(results, shown, asked)
    page.note_beside(
        screen,
        "Each table shows the share of 500 unseen digits that a network names rightly, by how far"
        " they are moved: rows down, columns to the right. *Global pooling* keeps one number of"
        " each whole map, so it no longer says where in the map it was. **Draw a digit**, or"
        " click a cell to move it.",
    )


def _ask(screen: page.FirstScreen, results: ConvolutionResults, shown: Shown) -> page.Asked:
    if shown.places != CENTRED:
        return page.Asked()
    found = results.accuracies(GLOBAL_CNN, CENTRED)
    at, (up, down) = found[MARGIN, MARGIN:].tolist(), found[[0, -1], MARGIN].tolist()
    place = 2 if at[0] - at[2] < _FEW else 0 if at[2] < at[1] - _FEW else 1
    return page.ask(
        screen,
        "moved",
        f"All learned from centred digits. Moved right by one pixel, the {IN_WORDS[GLOBAL_CNN]}"
        f" falls from {percent(at[0], 1)} to {percent(at[1], 1)}. How much does a move by two"
        " cost?",
        _ANSWERS,
        right=page.answer_meaning(place, _ANSWERS),
        reason=f"**{percent(at[2], 1)}**: its first pooling has a stride of 2, so a move by 2 moves its maps"
        " as a whole. After a move by 1 other numbers are pooled together, so the maps change: equivariance"
        f" is broken (*aliasing*). Up or down a move by 2 costs more ({percent(up, 1)} and {percent(down, 1)}),"
        " probably because a digit is taller than wide, so it then touches the edge and its maps are cut off.",
    )


def _finding(results: ConvolutionResults, shown: Shown, asked: page.Asked) -> str:
    if shown.is_empty:
        return NOTHING
    down, right = shown.down, shown.right
    if asked.masks and (down % 2 == 0 and right % 2 == 0):
        return "Which network still reads a digit that is moved?"
    shares = {
        name: float(results.accuracies(name, shown.places)[MARGIN + down, MARGIN + right])
        for name in DIGIT_NETWORKS
    }
    said = ", ".join(f"{IN_WORDS[name]} {percent(share)}" for name, share in shares.items())
    where = _direction(right, down)
    return f"{where}: {said}"


def _direction(right: int, down: int) -> str:
    parts = [
        f"{abs(n)} {positive if n > 0 else negative}"
        for n, positive, negative in ((right, "right", "left"), (down, "down", "up"))
        if n
    ]
    return f"Moved {' and '.join(parts)}" if parts else "In the middle"


def _draw_moved(results: ConvolutionResults, shown: Shown, asked: page.Asked) -> None:
    answers = read_digit(results, shown)
    cell_grids(
        [
            Stack([canvas_grid(shown)], 1.25),
            *(Stack([_table(results, shown, name, asked)]) for name in DIGIT_NETWORKS),
        ],
        key="moved_grids",
        name="moved-digits",
        height=_HEIGHT,
        hint="The digit on the left: "
        + "; ".join(
            f"the {IN_WORDS[name]} {answer_in_words(answers[name])}" for name in DIGIT_NETWORKS
        ),
        painting=painting(),
        on_pick=_move_to,
    )


def _move_to(_: int, row: int, column: int) -> None:
    st.session_state[DOWN], st.session_state[RIGHT] = row - MARGIN, column - MARGIN


def _table(results: ConvolutionResults, shown: Shown, name: str, asked: page.Asked) -> Grid:
    shares = results.accuracies(name, shown.places).copy()
    outlines, note = [Outline(MARGIN + shown.down, MARGIN + shown.right, 1, 1)], ""
    if asked.prediction is not None and name == GLOBAL_CNN:
        if asked.masks:
            shares[_asked_for()] = np.nan
        elif asked.guess is not None:
            note = f"dashed: {asked.guess.lower()}?"
            outlines.append(Outline(MARGIN, 2 * MARGIN, 1, 1, is_dashed=True))
    return Grid(
        name,
        shares,
        note,
        f"Centred {percent(shares[MARGIN, MARGIN], 1)}, moved right by one"
        f" {percent(shares[MARGIN, MARGIN + 1], 1)}.",
        is_signed=False,
        reach=1.6,
        texts=["" if np.isnan(share) else f"{100 * share:.0f}" for share in shares.ravel()],
        outlines=outlines,
        row_names=[_signed(n) for n in _MOVES],
        column_names=[_signed(n) for n in _MOVES],
        is_picked=True,
    )


def _asked_for() -> np.ndarray:
    """Return which moves are asked for: those by 2, in either direction or in both."""
    far = np.array([abs(n) == MARGIN for n in _MOVES])
    even = np.array([n % 2 == 0 for n in _MOVES])
    return (far[:, None] | far) & even[:, None] & even


def _signed(n: int) -> str:
    return f"{n:+d}".replace("-", "−") if n else "0"
