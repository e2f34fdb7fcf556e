"""Convolution of two rows of numbers: the lecture slides' example by both conventions, and as a Toeplitz matrix."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.experiments.convolution.examples import SlideRow, read_numbers
from lm_core.experiments.published import SLIDES
from lm_core.models.convolution import ConvolutionTrace, toeplitz_matrix, trace_convolution
from pages.convolution.pictures import written_sum
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, answer_is_masked, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits

_SLIDES = SlideRow()
_HEIGHT = 310
_STEP = "place"
_FLIPPED, _AS_WRITTEN = "w flipped", "w as written"
_CONVENTIONS = (_FLIPPED, _AS_WRITTEN)
_ANSWERS = ("w flipped: convolution", "w as written: cross-correlation", "Neither")
_MOST_INPUTS, _MOST_WEIGHTS, _LONGEST = 8, 5, 80
_MOST_ZEROS = 4


class Rows(NamedTuple):
    """Two rows of numbers, the zeros on each side of the first, and the convention.

    Attributes
    ----------
    inputs, weights : tuple of float
    zeros : int
    convention : str
    """

    inputs: tuple[float, ...]
    weights: tuple[float, ...]
    zeros: int
    convention: str

    @property
    def is_printed(self) -> bool:
        """Whether the lecture slides print a result for these numbers."""
        full = len(self.weights) - 1
        return (*self[:2], self.zeros) == (_SLIDES.inputs, _SLIDES.weights, full)

    def trace(self, convention: str) -> ConvolutionTrace:
        """Return all that is computed by a convention."""
        inputs, weights = (torch.tensor(row)[None, None] for row in self[:2])
        return trace_convolution(
            inputs, weights, padding=(0, self.zeros), is_flipped=convention == _FLIPPED
        )


def choose_rows(screen: FirstScreen) -> Rows:
    """Draw the choice of the convention, the zeros and both rows, and return them."""
    with screen.controls:
        is_flipped = control(st.toggle, "flip", "Flip w", True)
        zeros = control(st.slider, "zeros", "Padding p", 0, _MOST_ZEROS, 2, width=110)
        with st.popover("More", icon=":material/tune:"):
            typed = [
                control(
                    st.text_input,
                    name,
                    f"{label}: 1 to {most} numbers",
                    " ".join(f"{number:g}" for number in start),
                    max_chars=_LONGEST,
                )
                for name, label, most, start in _FIELDS
            ]
            say_limits({name: _LONGEST for name, *_ in _FIELDS})
    with screen.beside:
        inputs, weights = (
            _read(name, label, most, start, raw)
            for (name, label, most, start), raw in zip(_FIELDS, typed, strict=True)
        )
    return Rows(inputs, weights, int(zeros), _FLIPPED if is_flipped else _AS_WRITTEN)


_FIELDS = (
    ("inputs", "x", _MOST_INPUTS, _SLIDES.inputs),
    ("row_weights", "w", _MOST_WEIGHTS, _SLIDES.weights),
)
"""Name, label, most numbers and start of each field."""


def _read(
    name: str, label: str, most: int, start: tuple[float, ...], raw: str
) -> tuple[float, ...]:
    def read(text: str) -> tuple[float, ...]:
        return read_numbers(checked_text(text, most=_LONGEST, name=label), most, label)

    return read_or_keep(name, raw, read, " ".join(map(str, start)))


def one_dimension(screen: FirstScreen, rows: Rows) -> None:
    """Draw w under x at one place, the sums beside the lecture slides', and the same as a matrix."""
    trace = rows.trace(rows.convention)
    with screen.beside:
        prediction = _ask(rows)
    with screen.picture:
        st.markdown(f"**{_finding(rows, trace, prediction)}**")
        playback_bar(
            _STEP,
            trace.output.numel(),
            lambda step: _draw(rows, trace, step, prediction),
            label="Place of w",
            start=min(2, trace.output.numel() - 1),
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "A *convolution* turns w round before it is moved over x; a *cross-correlation* does not. The *Toeplitz"
        " matrix* C says the same as one product z = Cx: each row holds w, one place further on.",
    )
    if not is_presenting():
        _equations(rows)


def _equations(rows: Rows) -> None:
    """Write both definitions, and the matrix entry by entry."""
    n, p = len(rows.weights), rows.zeros
    flipped = rows.convention == _FLIPPED
    first, order = (n - 1 - p, "i - j") if flipped else (p, "j - i")
    index = f"{order} + {first}" if first > 0 else f"{order} - {-first}" if first else order
    st.markdown(
        rf"Cross-correlation, $[w * x]_i = \sum_{{u=0}}^{{{n - 1}}} w_u x_{{i+u}}$; convolution,"
        rf" $[w \circledast x]_i = \sum_{{u=0}}^{{{n - 1}}} w_u x_{{i-u}}$, with $x = 0$ outside and all counted from 0."
        rf" With {rows.convention} and {p} zeros on each side, the matrix has $C_{{ij}} = w_{{{index}}}$, and 0 where w has no"
        " such entry. The lecture slides define the convolution, then use the sign ⊛ for the cross-correlation as well, as deep"
        " learning does."
    )


def _ask(rows: Rows) -> Prediction | None:
    if not rows.is_printed:
        return None
    prediction = predict_then_reveal(
        "convention",
        f"As “the convolution” of these rows, {SLIDES} print {_listed(list(_SLIDES.printed))}. Which convention"
        " gives that?",
        _ANSWERS,
    )
    if prediction.revealed:
        found = {name: rows.trace(name).output[0].tolist() for name in _CONVENTIONS}
        right = 1 if found[_AS_WRITTEN] == list(_SLIDES.printed) else 2
        show_verdict(
            prediction,
            right=_ANSWERS[right],
            reason=f"**w as written**, so a cross-correlation: {_listed(found[_AS_WRITTEN])}. By the lecture slides' own"
            f" definition, which flips w, it is {_listed(found[_FLIPPED])}. Networks do not care: they"
            " learn w either way.",
        )
    return prediction


def _listed(numbers: list[float]) -> str:
    return f"[{', '.join(f'{number:g}' for number in numbers)}]".replace("-", "−")


def _is_masked(rows: Rows, prediction: Prediction | None) -> bool:
    """Return whether the sums on screen are what is asked for."""
    return answer_is_masked(prediction) and rows.convention == _AS_WRITTEN


def _finding(rows: Rows, trace: ConvolutionTrace, prediction: Prediction | None) -> str:
    if _is_masked(rows, prediction):
        return f"{rows.convention}: does it give the printed numbers?"
    listed = _listed(trace.output[0].tolist())
    if answer_is_masked(prediction):
        return f"With {rows.convention}, the sums are {listed}"
    if not rows.is_printed:
        return f"z = {listed}" if len(listed) < 50 else f"{trace.output.numel()} sums"
    same = trace.output[0].tolist() == list(_SLIDES.printed)
    return f"{'Not flipped' if same else 'Flipped'}, w gives {listed}: {'' if same else 'not '}what the lecture slides print"


def _draw(rows: Rows, trace: ConvolutionTrace, step: int, prediction: Prediction | None) -> None:
    is_masked = _is_masked(rows, prediction)
    weights = trace.weights[0, 0]
    n = len(weights)
    matrix = toeplitz_matrix(
        trace.weights[0], (1, len(rows.inputs)), padding=(0, rows.zeros)
    ).numpy()
    window = trace.padded[0, 0, step : step + n].tolist()
    total = float(trace.output[0, step])
    pairs = list(zip(weights.tolist(), window, strict=True))
    cell_grids(
        [
            Stack(_row_grids(rows, trace, step, prediction), 1.3, 100),
            Stack([_matrix_grid(rows, matrix, step)], 0.8, 100),
        ],
        key="row_grids",
        name="convolution-in-one-dimension",
        height=_HEIGHT,
        hint="Which sum is it?" if is_masked else f"z{step + 1} = {written_sum(pairs, total)}",
        on_pick=lambda _, row, __: st.session_state.__setitem__(_STEP, row),
    )


def _row_grids(
    rows: Rows, trace: ConvolutionTrace, step: int, prediction: Prediction | None
) -> list[Grid]:
    """Return x, w and their products below each other, and below these the sums."""
    n = len(rows.weights)
    around = trace.padded[0, 0].numpy()
    laid, products = (np.zeros_like(around) for _ in range(2))
    laid[step : step + n] = trace.weights[0, 0].numpy()
    products[step : step + n] = trace.products[0, 0, step, 0].numpy()
    inside = range(step, step + n)
    if _is_masked(rows, prediction):
        products[step : step + n] = np.nan
    texts = [
        f"{value:g}".replace("-", "−") if row == 0 or i in inside else ""
        for row, values in enumerate((around, laid, products))
        for i, value in enumerate(values)
    ]
    size = 2.5 * max(1.0, float(np.abs([*rows.inputs, *rows.weights]).max()))
    zeros = rows.zeros
    upper = Grid(
        f"Place {step + 1}",
        np.stack([around, laid, products]),
        f"{zeros} zeros on each side of x" if zeros else "no zeros around x",
        reach=(size, size, size * size),
        texts=texts,
        muted=[(0, i) for i in (*range(zeros), *range(len(around) - zeros, len(around)))],
        outlines=[Outline(0, step, 2, n)],
        row_names=["x", rows.convention, "products"],
        share=3.4,
    )
    return [upper, _sum_grid(rows, step, prediction)]


def _sum_grid(rows: Rows, step: int, prediction: Prediction | None) -> Grid:
    """Return the sums by the chosen convention, by both once they were guessed, and the lecture slides'."""
    is_revealed = prediction is not None and prediction.revealed
    shown = _CONVENTIONS if is_revealed else (rows.convention,)
    sums = [rows.trace(convention).output[0].numpy() for convention in shown]
    if _is_masked(rows, prediction):
        sums = [np.full_like(sums[0], np.nan)]
    names = list(shown)
    if rows.is_printed:
        sums.append(np.array(_SLIDES.printed, np.float32))
        names.append("the lecture slides")
    said = ""
    if is_revealed and prediction is not None and prediction.guess is not None:
        said = f"you said: {prediction.guess.split(':')[0]}"
    return Grid(
        "Sums z",
        np.stack(sums),
        said,
        reach=2.5 * max(1.0, float(np.nan_to_num(np.abs(sums)).max())),
        outlines=[Outline(shown.index(rows.convention), step, 1, 1)],
        row_names=names,
        share=len(sums) + 0.4,
    )


def _matrix_grid(rows: Rows, matrix: np.ndarray, step: int) -> Grid:
    return Grid(
        "Toeplitz matrix C",
        matrix,
        f"{matrix.shape[0]} × {matrix.shape[1]}, z = Cx",
        f"Row {step + 1}: {_listed(matrix[step].tolist())}.",
        reach=2.0 * max(1.0, float(np.abs(matrix).max())),
        outlines=[Outline(step, 0, 1, matrix.shape[1])],
        row_names=[f"z{i + 1}" for i in range(matrix.shape[0])],
        column_names=[f"x{i + 1}" for i in range(matrix.shape[1])],
        is_picked=True,
    )
