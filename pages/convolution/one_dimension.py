"""Convolution of two rows of numbers: the lecture slides' example by both conventions, and as a Toeplitz matrix."""

import streamlit as st

from lm_core.experiments.published import SLIDES
from lm_core.models.convolution import ConvolutionTrace
from pages.convolution.row_grids import STEP, draw_rows
from pages.convolution.rows import (
    AS_WRITTEN,
    CONVENTIONS,
    FLIPPED,
    SLIDE_ROW,
    Rows,
    choose_rows,
    is_masked,
    listed,
)
from pages.shared import page

_ANSWERS = ("w flipped: convolution", "w as written: cross-correlation", "Neither")


def one_dimension(screen: page.FirstScreen) -> None:
    """Draw w under x at one place, the sums beside the lecture slides', and the same as a matrix."""
    rows = choose_rows(screen)
    trace = rows.trace(rows.convention)
    asked = _ask(screen, rows)
    with screen.picture:
        st.markdown(f"**{_finding(rows, trace, asked)}**")
        page.playback_bar(
            STEP,
            trace.output.numel(),
            lambda step: draw_rows(rows, trace, step, asked),
            label="Place of w",
            start=min(2, trace.output.numel() - 1),
        )
    page.note_beside(
        screen,
        "A *convolution* turns w round before it is moved over x; a *cross-correlation* does not."
        " The *Toeplitz matrix* C says the same as one product z = Cx, because each row holds w"
        " (for a convolution turned round), one place further on than the row above.",
    )
    if not page.is_presenting():
        _equations(rows)


def _equations(rows: Rows) -> None:
    """Write both definitions, and the matrix entry by entry."""
    n, p = len(rows.weights), rows.zeros
    flipped = rows.convention == FLIPPED
    first, order = (n - 1 - p, "i - j") if flipped else (p, "j - i")
    index = f"{order} + {first}" if first > 0 else f"{order} - {-first}" if first else order
    st.markdown(
        rf"Cross-correlation, $[w * x]_i = \sum_{{u=0}}^{{{n - 1}}} w_u x_{{i+u}}$; convolution,"
        rf" $[w \circledast x]_i = \sum_{{u=0}}^{{{n - 1}}} w_u x_{{i-u}}$, with $x = 0$ outside and"
        r" all counted from 0."
        rf" With {rows.convention} and {p} zeros on each side, the matrix has $C_{{ij}} ="
        rf" w_{{{index}}}$, and 0 where w has no"
        " such entry. The lecture slides define the convolution, then use the sign ⊛ for the"
        " cross-correlation as well, as deep learning does: it learns the weights, so it does not"
        " matter which way round they are laid."
    )


def _ask(screen: page.FirstScreen, rows: Rows) -> page.Asked:
    if not rows.is_printed:
        return page.Asked()
    found = {name: rows.trace(name).output[0].tolist() for name in CONVENTIONS}
    right = 1 if found[AS_WRITTEN] == list(SLIDE_ROW.printed) else 2
    return page.ask(
        screen,
        "convention",
        f"As “the convolution” of these rows, {SLIDES} print {listed(list(SLIDE_ROW.printed))}."
        " Which convention gives that?",
        _ANSWERS,
        right=_ANSWERS[right],
        reason=f"**w as written**, so a cross-correlation: {listed(found[AS_WRITTEN])}. By the lecture"
        f" slides' own definition, which flips w, it is {listed(found[FLIPPED])}. For a network"
        " it makes no difference, because it learns w, and learns it flipped if need be.",
    )


def _finding(rows: Rows, trace: ConvolutionTrace, asked: page.Asked) -> str:
    if is_masked(rows, asked):
        return f"{rows.convention}: does it give the printed numbers?"
    sums = listed(trace.output[0].tolist())
    if asked.masks:
        return f"With {rows.convention}, the sums are {sums}"
    if not rows.is_printed:
        return f"z = {sums}" if len(sums) < 50 else f"{trace.output.numel()} sums"
    same = trace.output[0].tolist() == list(SLIDE_ROW.printed)
    return f"{'Not flipped' if same else 'Flipped'}, w gives {sums}: {'' if same else 'not '}what the lecture slides print"
