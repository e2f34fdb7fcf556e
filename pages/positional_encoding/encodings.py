"""Absolute positional encodings: the vector of each position, and how a shift rotates it."""

import math

import numpy as np
import pandas as pd
import streamlit as st
import torch

from lm_core.experiments.positional_encoding.scores_by_distance import learned_codes
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    position_similarity,
    shift_rotation,
    sinusoidal_positions,
    wave_frequencies,
)
from lm_core.training.checkpoints import list_language_models
from pages.positional_encoding import positions_charts
from pages.positional_encoding.beyond import beyond_results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.charts.palette import BLUE
from pages.shared.models.language_models import model_named
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import (
    nearest_answer,
)

_WIDTHS = tuple(range(4, 65, 4))
_BASES = (2, 10, 100, 1_000, 10_000)
_LONGEST = 96
_WIDTH, _BASE = 32, 10_000
_COMPARED = (("first_position", "Compare position", 20), ("second_position", "with position", 30))

_FAR = 55
_COSINES = {"About 0.5": 0.5, "About 0.3": 0.3, "About 0": 0.0}
"""The answers to choose from, and the cosine that each says."""

_CLOCK_WIDTH = 8
_CLOCK_POSITIONS = 61
_CLOCK_BASE = 100  # so that every hand is seen to move
_CLOCK_START = 3
_LONGEST_SHIFT = 20
_LATER = 40
_ANGLES = {"By a larger one": 1.4, "By the same": 1.0, "By a smaller one": 0.6}
"""The answers to choose from, and how they turn a hand that is drawn, by the true angle."""
_SAME = "By the same"


# Vectors --------------------------------------------------------------------------------------


def encoding_vectors(screen: page.FirstScreen) -> None:
    """Draw the encodings of all positions as rows, and compare two of them."""
    learned = _learned()
    with screen.controls:
        encoding = page.choice(
            "shown_encoding", "Positional encoding", ["sinusoidal", "binary", *learned], width=180
        )
        with st.popover("More", icon=":material/tune:"):
            n = page.slider("positions", "Positions", 8, _LONGEST, 60)
            codes, title = _codes(encoding, n, learned)
            last = len(codes) - 1
            first, second = (
                _position(name, label, start, last) for name, label, start in _COMPARED
            )
    asked = _ask_about_cosines(screen)
    with screen.picture:
        _picture(codes, (first, second), title)
        _cosines_by_position(codes, (first, second), asked)
    page.note_beside(screen, _explanation(encoding, codes))


def _ask_about_cosines(screen: page.FirstScreen) -> page.Asked:
    """Ask how alike two far positions are; answer with the encoding that the page opens on."""
    here, near = (start for _, _, start in _COMPARED)
    cosines = position_similarity(sinusoidal_positions(_FAR + 1, _WIDTH, _BASE))[here].tolist()
    nearest = nearest_answer(cosines[_FAR], _COSINES)
    return page.ask(
        screen,
        "cosines",
        f"Sinusoidal, width {_WIDTH}: positions {here} and {near} have the cosine {cosines[near]:.2f}."
        f" What do {here} and {_FAR} have?",
        _COSINES,
        right=nearest,
        reason=f"**{cosines[_FAR]:.2f}**. The slow waves hardly move within a sentence, so all"
        " positions stay alike; only the fast ones tell neighbours apart.",
    )


def _cosines_by_position(codes: np.ndarray, pair: tuple[int, int], asked: page.Asked) -> None:
    """Draw the cosine of every position with the first of a pair; before the answer, up to the second."""
    here, near = pair
    cosines = position_similarity(torch.from_numpy(codes))[here].tolist()
    shown = cosines if not asked.masks else cosines[: max(pair) + 1]
    guess = asked.at(lambda value: None if len(cosines) <= _FAR else (_FAR, value))
    name = f"with position {here}"
    show_chart(
        line_chart(
            {name: list(enumerate(shown))},
            {name: LineStyle(BLUE)},
            Axis("position", (0, len(cosines) - 1)),
            Axis("cosine", (min(-0.2, *cosines), 1.0)),
            guess=guess,
            now=near,
            height=140,
        ),
        pd.DataFrame({"position": range(len(shown)), "cosine": shown}),
        key="cosines",
        alt=f"The cosine with position {here}: {cosines[near]:.2f} at position {near}.",
        name="cosine-by-position",
        is_small=True,
    )


def _position(name: str, label: str, start: int, last: int) -> int:
    if st.session_state.get(name, 0) > last:
        st.session_state[name] = last
    return page.slider(name, label, 0, last, min(start, last))


@st.cache_data(max_entries=1, show_spinner=False)
def _learned() -> dict[str, np.ndarray]:
    """Return the encodings of every model that has learned them, by its title."""
    table = beyond_results().learned_table.numpy()
    with model_calls:
        of_models = {
            f"learned by {meta.title}": learned_codes(model_named(meta.name).model).numpy()
            for meta in list_language_models()
            if meta.config.get("position") == "learned"
        }
    return {f"learned, {len(table)} positions": table, **of_models}


def _codes(encoding: str, n: int, learned: dict[str, np.ndarray]) -> tuple[np.ndarray, str]:
    """Draw the controls of one encoding; return its rows and a title."""
    if encoding == "sinusoidal":
        width = page.pick("width", "Width d", _WIDTHS, _WIDTH)
        return sinusoidal_positions(n, width, _base()).numpy(), f"{width // 2} waves"
    if encoding == "binary":
        digits = (n - 1).bit_length()
        return binary_positions(n, digits).numpy(), f"{digits} binary digits"
    return learned[encoding][:n], encoding


def _base(name: str = "base", start: int = _BASE) -> float:
    return float(page.pick(name, "Base C", _BASES, start, format_func="{:,}".format))


def _picture(codes: np.ndarray, pair: tuple[int, int], title: str) -> None:
    similarity = _similarity(codes, pair)
    finding = (
        f"Positions {pair[0]} and {pair[1]} in {title}: the cosine of their encodings is"
        f" {similarity:.3f}"
    )
    st.markdown(f"**{finding}**")
    frame = positions_charts.code_frame(codes, chosen=pair)
    show_chart(
        positions_charts.code_map(frame, reach=float(np.abs(codes).max()), height=300),
        frame,
        key="encodings",
        alt=f"{finding}. {len(codes)} positions down, {codes.shape[1]} coordinates across.",
        name="positional-encodings",
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _similarity(codes: np.ndarray, pair: tuple[int, int]) -> float:
    return float(position_similarity(torch.from_numpy(codes))[pair])


def _explanation(encoding: str, codes: np.ndarray) -> str:
    changes = (np.diff(codes, axis=0) != 0).sum(0)
    if encoding == "binary":
        digits = codes.shape[1]
        half = 2 ** (digits - 1)
        return (
            f"In binary, {len(codes)} positions need {digits} digits. The last digit changes"
            f" {changes[-1]} times, the first once. From {half - 1} to {half} all {digits} digits"
            " change, although the position moves by one, because the carry runs through all of"
            " them."
        )
    if encoding == "sinusoidal":
        return (
            "Waves replace the digits. The columns on the left oscillate fast, those on the right"
            " slowly, and no two rows are equal. Each pair of columns is the sine and the cosine"
            " of position / C^(2j/d). A step changes the fast columns a lot and the slow ones"
            " hardly; no step changes all of them at once, as one does in binary. There is no"
            " largest position, because a wave has no end."
        )
    return (
        "Each row is a vector of weights that training has found for one position, so nobody chose"
        " its pattern. Rows of neighbouring positions have become alike, because what helps a"
        " prediction at one of them helps at the next. A longer text has no row: see *Beyond the"
        " trained length*."
    )


# Rotation by a shift --------------------------------------------------------------------------


def shift_as_rotation(screen: page.FirstScreen) -> None:
    """Draw four clocks at a position and after a shift, and the matrix that maps one to the other."""
    with screen.controls:
        shift = page.slider("shift", "Shift", 1, _LONGEST_SHIFT, 3, width=180)
        with st.popover("More", icon=":material/tune:"):
            pair = page.slider("pair", "Pair", 0, _CLOCK_WIDTH // 2 - 1, 0)
            base = _base("clock_base", _CLOCK_BASE)
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
        page.playback_bar("position", _CLOCK_POSITIONS, draw, label="Position", start=_CLOCK_START)
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
    frame = positions_charts.clock_frame(code, rotated, periods, pair, expected)
    finding = f"From position {position} to {position + shift}, the hand of pair {pair} turns by {angle:.1f}°"
    st.markdown(f"**{finding}**")
    show_chart(
        positions_charts.clock_chart(frame),
        frame,
        key="clocks",
        alt=f"{finding}. Four clocks with periods of"
        f" {', '.join(f'{period:.1f}' for period in periods)} positions.",
        name="clocks",
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
        show_chart(
            matrix_panels(frame, per_line=1, height=340),
            frame,
            key="shift_matrix",
            alt=f"The {_CLOCK_WIDTH} by {_CLOCK_WIDTH} matrix of a shift by {shift}: four 2 by 2"
            " rotations on its diagonal.",
            name="shift-rotation",
        )
