"""A shift of the position is a rotation: each pair of sine and cosine is a clock hand."""

import math

import numpy as np
import streamlit as st
import torch

from lm_core.models.positional_encoding.absolute import (
    shift_rotation,
    sinusoidal_positions,
    wave_frequencies,
)
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import playback_bar

_WIDTH = 8
_POSITIONS = 61
_FARTHEST = 20
_BASES = (10, 100, 1_000, 10_000)


@st.fragment
def clock_hands() -> None:
    """Draw four clocks at a position and a shift later, and the matrix that leads from one to the other."""
    st.markdown(
        f"The code of a position in {_WIDTH} coordinates: four pairs of sine and cosine, four clock"
        " hands that turn at different speeds. Dashed is the position some steps later."
    )
    with st.container(horizontal=True):
        shift = control(st.slider, "shift", "Steps later", 1, _FARTHEST, 5)
        pair = control(st.slider, "pair", "Pair", 0, _WIDTH // 2 - 1, 0)
        base = control(
            st.select_slider, "clock_base", "C", _BASES, 10_000, format_func=lambda c: f"{c:,}"
        )
    codes = sinusoidal_positions(_POSITIONS + _FARTHEST, _WIDTH, float(base))
    rotation = shift_rotation(shift, _WIDTH, float(base))

    def at(position: int) -> None:
        code = codes[position].numpy()
        turned = (rotation @ codes[position]).numpy()
        gap = float(np.abs(turned - codes[position + shift].numpy()).max())
        _clocks(position, shift, pair, code, turned, float(base))
        _matrix_of_pair(rotation, pair, position, shift, code, turned, gap)

    playback_bar("at", _POSITIONS, at, label="Position", start=3)
    _whole_matrix(rotation, shift)


def _clocks(
    position: int, shift: int, pair: int, code: np.ndarray, turned: np.ndarray, base: float
) -> None:
    periods = (2 * math.pi / wave_frequencies(_WIDTH, base)).tolist()
    frame = charts.clock_frame(code, turned, periods, pair)
    angle = 360.0 * shift / periods[pair]
    finding = f"From position {position} to {position + shift}, hand {pair} turns by {angle:.1f}°"
    st.markdown(f"**{finding}**, wherever it stands")
    show_chart(
        charts.clock_chart(frame),
        frame,
        key="clocks",
        alt=f"{finding}. Four clocks; their hands go round once in"
        f" {', '.join(f'{period:.1f}' for period in periods)} positions.",
        name="clocks",
    )


def _matrix_of_pair(
    rotation: torch.Tensor,
    pair: int,
    position: int,
    shift: int,
    code: np.ndarray,
    turned: np.ndarray,
    gap: float,
) -> None:
    rows = slice(2 * pair, 2 * pair + 2)
    block = rotation[rows, rows].tolist()
    matrix = r" \\ ".join(" & ".join(f"{number:.3f}" for number in row) for row in block)
    st.latex(
        rf"\begin{{aligned}} & \begin{{pmatrix}} {matrix} \end{{pmatrix}}"
        rf"\begin{{pmatrix}} {_column(code[rows])} \end{{pmatrix}}"
        rf" \\ &= \begin{{pmatrix}} {_column(turned[rows])} \end{{pmatrix}} \end{{aligned}}"
    )
    st.markdown(
        f"Sine and cosine of pair {pair} at position {position}, times the rotation, are those at"
        f" position {position + shift}: all {_WIDTH} coordinates agree with its own code to"
        f" {gap:.0e}. The matrix holds the shift of {shift} and not the position."
    )


def _column(numbers: np.ndarray) -> str:
    return r" \\ ".join(f"{number:.3f}" for number in numbers.tolist())


def _whole_matrix(rotation: torch.Tensor, shift: int) -> None:
    frame = charts.matrix_frame({f"R for {shift} steps": rotation.numpy()})
    with st.expander("The whole matrix: one rotation for each pair, 0 elsewhere"):
        show_chart(
            charts.matrix_panels(frame, per_line=1, height=340),
            frame,
            key="shift_matrix",
            alt=f"The {_WIDTH} by {_WIDTH} matrix of a shift by {shift}: four 2 by 2 rotations on"
            " its diagonal.",
            name="shift-rotation",
        )
