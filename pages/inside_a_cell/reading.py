"""Two networks read the same digits, side by side, one step at a time."""

import numpy as np
import streamlit as st

from pages.inside_a_cell.choices import Choice, Side
from pages.inside_a_cell.measured import Look, look_at
from pages.shared import charts
from pages.shared.ui.figures import show_chart

PART_NAMES = {
    "i": "i input",
    "f": "f forget",
    "g": "g new",
    "o": "o output",
    "r": "r reset",
    "z": "z update",
    "n": "n new",
    "c": "c memory",
    "h": "h state",
    "a": "a sum",
}
_REACHES = (1.0, 3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6, 1e9)


def two_readings(choice: Choice, read: int) -> None:
    """Draw the states or the gates of both networks after `read` digits."""
    for column, side in zip(st.columns(2, gap="medium"), choice.sides, strict=True):
        with column:
            _one_reading(side, choice, read)
    st.caption(
        f"{_rescaled(choice.sides[0])}Each row is a unit. Blue is negative, white 0, orange positive;"
        " ± is where a band's colours end. An RNN has no gates: a is the sum that it squashes."
    )


def _rescaled(side: Side) -> str:
    if side.radius is None:
        return ""
    return (
        f"**W_hh of both networks was rescaled to spectral radius {side.radius:g} after their"
        f" {side.updates:,} updates; nothing was trained again.** "
    )


def _one_reading(side: Side, choice: Choice, read: int) -> None:
    look = look_at(side, choice.digits)
    shown = {PART_NAMES[part]: look.parts[part] for part in _parts(look, choice.parts)}
    answer = _answer(look, choice.digits, read)
    st.markdown(f"**{side.title}** · right in {look.accuracy:.0%} of 500 tests  \n{answer}")
    symbols = [str(digit) for digit in choice.digits]
    frame = charts.state_frame(shown, symbols, read - 1)
    show_chart(
        charts.state_map(frame, {name: _reach(values) for name, values in shown.items()}),
        frame,
        key=f"inside_{side.place}_states",
        alt=f"{side.title} after {read} of {len(symbols)} digits: {', '.join(shown)} of"
        f" {frame['unit'].max()} units. {answer}",
        name=f"states-{side.config.variant}",
    )


def _parts(look: Look, asked: str) -> list[str]:
    states = [part for part in ("c", "h") if part in look.parts]
    gates = [part for part in look.parts if part not in states]
    return states if asked == "State" else gates


def _reach(values: np.ndarray) -> float:
    largest = float(np.abs(values).max())
    return next((reach for reach in _REACHES if largest <= reach), _REACHES[-1])


def _answer(look: Look, digits: tuple[int, ...], read: int) -> str:
    """Say what the network would answer now, and how probable it holds the truth to be."""
    if read == 0:
        return "Nothing has been read: the state is 0."
    probabilities = look.probabilities[read - 1]
    best = int(probabilities.argmax())
    answer = f"Says {best} (p = {probabilities[best]:.2f})"
    if best == digits[0]:
        return f"{answer}, as it was"
    return f"{answer}; it was {digits[0]} (p = {probabilities[digits[0]]:.2f})"
