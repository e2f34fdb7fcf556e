"""How a shift by some positions rotates the sinusoidal encoding, pair by pair."""

import math

import numpy as np
import streamlit as st
import torch

from lm_core.models.positional_encoding.absolute import (
    shift_rotation,
    sinusoidal_positions,
    wave_frequencies,
)
from pages.positional_encoding import clock_chart
from pages.positional_encoding.encodings import choose_base
from pages.shared import page
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.numbers import significant

_CLOCK_WIDTH = 8
_CLOCK_POSITIONS = 61
_CLOCK_BASE = 100  # so that every hand is seen to move
_CLOCK_START = 3
_LONGEST_SHIFT = 20
_LATER = 40
_ANGLES = {"By a larger one": 1.4, "By the same": 1.0, "By a smaller one": 0.6}
"""The answers to choose from, and how they turn a hand that is drawn, by the true angle."""
_SAME = "By the same"


def shift_as_rotation(screen: page.FirstScreen) -> None:
    """Draw four clocks at a position and after a shift, and the matrix that maps one to the other."""
    with screen.controls:
        shift = page.slider("shift", "Shift", 1, _LONGEST_SHIFT, 3, width=180)
        with st.popover("More", icon=":material/tune:"):
            pair = page.slider("pair", "Pair", 0, _CLOCK_WIDTH // 2 - 1, 0)
            base = choose_base("clock_base", _CLOCK_BASE)
    codes = sinusoidal_positions(_CLOCK_POSITIONS + _LONGEST_SHIFT, _CLOCK_WIDTH, base)
    rotation = shift_rotation(shift, _CLOCK_WIDTH, base)
    periods = (2 * math.pi / wave_frequencies(_CLOCK_WIDTH, base)).tolist()
    asked = _ask_about_clocks(screen, shift, 360.0 * shift / periods[pair], pair)
    page.note_beside(
        screen,
        f"A position's encoding is {_CLOCK_WIDTH} numbers: four pairs of sine and cosine. Each pair is a"
        " *clock hand* with its own speed. The dashed hand is the position after the shift: the angle"
        " between both depends on the shift alone, because a hand turns by the same angle at each"
        " position.",
    )
    with screen.picture:
        picture = st.container(gap="xsmall")
    below = st.container()

    def draw(position: int) -> None:
        code = codes[position].numpy()
        rotated = (rotation @ codes[position]).numpy()
        gap = float(np.abs(rotated - codes[position + shift].numpy()).max())
        with picture:
            guess = _ANGLES.get(asked.guess or "") if not asked.masks else None
            _clocks(position, shift, pair, code, rotated, periods, guess)
        if not asked.masks:
            with below:
                _matrix_of_pair(rotation, pair, position, shift, code, rotated, gap)

    with screen.picture:
        page.playback_bar(
            "position",
            _CLOCK_POSITIONS,
            draw,
            label="Position",
            start=_CLOCK_START,
            seconds_per_step=0.8,
        )
    if not asked.masks:
        _whole_matrix(rotation, shift)


def _ask_about_clocks(screen: page.FirstScreen, shift: int, angle: float, pair: int) -> page.Asked:
    """Ask whether the angle of a shift depends on the position; answer with the angle of the pair."""
    return page.ask(
        screen,
        "clocks",
        f"Go on to position {_LATER}. By which angle does the same shift turn a hand there?",
        _ANGLES,
        right=_SAME,
        reason=f"A shift of {shift} turns the hand of pair {pair} by **{angle:.1f}°** from every"
        " position. So a head can find “three words back” with one and the same rotation,"
        " anywhere in the text.",
    )


def _clocks(
    position: int,
    shift: int,
    pair: int,
    code: np.ndarray,
    rotated: np.ndarray,
    periods: list[float],
    guess: float | None,
) -> None:
    angle = 360.0 * shift / periods[pair]
    expected = None if guess in (None, 1.0) else guess * angle
    frame = clock_chart.clock_frame(code, rotated, periods, pair, expected)
    finding = f"From position {position} to {position + shift}, the hand of pair {pair} turns by {angle:.1f}°"
    st.markdown(f"**{finding}**")
    page.show_chart(
        clock_chart.clock_chart(frame),
        frame,
        key="clocks",
        alt=f"{finding}. Four clocks with periods of"
        f" {', '.join(f'{period:.1f}' for period in periods)} positions.",
    )


def _matrix_of_pair(
    rotation: torch.Tensor,
    pair: int,
    position: int,
    shift: int,
    code: np.ndarray,
    rotated: np.ndarray,
    gap: float,
) -> None:
    rows = slice(2 * pair, 2 * pair + 2)
    block = rotation[rows, rows].tolist()
    matrix = r" \\ ".join(" & ".join(f"{number:.3f}" for number in row) for row in block)
    st.latex(
        rf"\begin{{aligned}} & \begin{{pmatrix}} {matrix} \end{{pmatrix}}"
        rf"\begin{{pmatrix}} {_column(code[rows])} \end{{pmatrix}}"
        rf" \\ &= \begin{{pmatrix}} {_column(rotated[rows])} \end{{pmatrix}} \end{{aligned}}"
    )
    st.markdown(
        f"The rotation maps sine and cosine of pair {pair} at position {position} to those at"
        f" position {position + shift}. All {_CLOCK_WIDTH} coordinates agree with the encoding to"
        f" {significant(gap, 1)}. The matrix depends on the shift of {shift}, not on the position,"
        " so “three places back” is the same step everywhere."
    )


def _column(numbers: np.ndarray) -> str:
    return r" \\ ".join(f"{number:.3f}" for number in numbers.tolist())


def _whole_matrix(rotation: torch.Tensor, shift: int) -> None:
    frame = matrix_frame({f"R for a shift of {shift}": rotation.numpy()})
    with st.expander("The whole matrix: one rotation for each pair, 0 elsewhere"):
        page.show_chart(
            matrix_panels(frame, per_line=1, height=340),
            key="shift_matrix",
            alt=f"The {_CLOCK_WIDTH} by {_CLOCK_WIDTH} matrix of a shift by {shift}: four 2 by 2"
            " rotations on its diagonal.",
            name="shift-rotation",
        )
