"""States, gates and outputs of both networks after each digit."""

import numpy as np
import streamlit as st

from pages.inside_a_cell.circuit import how_to_read_a_circuit
from pages.inside_a_cell.networks import TEST_SEQUENCES, Trace, trace_of
from pages.inside_a_cell.settings import CIRCUIT, STATE, Comparison, Side
from pages.inside_a_cell.states_chart import state_map, state_table
from pages.shared import page
from pages.shared.numbers import percent

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
    "a": "a pre-activation",
}
_RANGES = (1.0, 3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6, 1e9)


# States and gates -----------------------------------------------------------------------------


def who_remembers(comparison: Comparison) -> str:
    """Return how often each network names the first digit, in one sentence."""
    shares = (
        f"{side.title}: {percent(trace_of(side, comparison.digits).accuracy)}"
        for side in comparison.sides
    )
    side = comparison.sides[0]
    asked = "every digit" if side.config.loss_steps == "all" else "the last digit only"
    return (
        f"Right about the first of {side.config.length} digits after {side.updates:,} of"
        f" {side.config.updates:,} updates, asked after {asked}. {'; '.join(shares)}; chance: 10 %"
    )


def states_of_both(comparison: Comparison, read: int) -> None:
    """Draw the states or the gates of both networks after `read` digits."""
    for column, side in zip(st.columns(2, gap="medium"), comparison.sides, strict=True):
        with column:
            _states(side, comparison, read)


def how_to_read(comparison: Comparison) -> None:
    """Say what a row and a colour of the states mean."""
    if comparison.parts == CIRCUIT:
        st.caption(
            _changed(comparison.sides)
            + how_to_read_a_circuit(comparison.sides[1], comparison.digits)
        )
        return
    gates = (
        ""
        if page.is_presenting()
        else " An RNN has no gates, so a is its pre-activation, the sum before tanh or ReLU."
    )
    st.caption(
        f"{_changed(comparison.sides)}Each row is a unit, each column a digit that is read."
        " Blue is negative, white 0, orange positive; the number after ± is the value at which the"
        f" colour is strongest.{gates}"
    )


def _changed(sides: tuple[Side, Side]) -> str:
    """Say what was changed of the networks after their training; nothing where nothing was."""
    (radius, fixed), found = sides[0].changes, []
    if radius is not None:
        found.append(f"W_hh of both networks is rescaled to spectral radius {radius:g}")
    if fixed and any(side.has_gates_to_fix for side in sides):
        found.append(
            f"{' and '.join(fixed)} of each LSTM {'is' if len(fixed) == 1 else 'are'} set to 1"
        )
    if not found:
        return ""
    after = f"after {sides[0].updates:,} updates, without further training"
    return f"**{' and '.join(found)} {after}.** "


def _states(side: Side, comparison: Comparison, read: int) -> None:
    trace = trace_of(side, comparison.digits)
    shown = {PART_NAMES[part]: trace.parts[part] for part in _parts(trace, comparison.parts)}
    answer = _answer(trace, comparison.digits, read)
    if page.is_presenting():  # the heading has the share, and the picture needs the line
        st.markdown(f"**{side.title}**: {_in_short(trace, comparison.digits, read)}")
    else:
        share = f"right in {percent(trace.accuracy)} of {TEST_SEQUENCES} tests"
        st.markdown(f"**{side.title}**, {share}  \n{answer}")
    symbols = [str(digit) for digit in comparison.digits]
    table = state_table(shown, symbols, read - 1)
    page.show_chart(
        state_map(table, {name: _range(values) for name, values in shown.items()}),
        table,
        key=f"inside_{side.place}_states",
        alt=f"{side.title} after {read} of {len(symbols)} digits: {', '.join(shown)} of"
        f" {side.config.hidden_size} units. {answer}",
        name=f"states-{side.config.variant}",
    )


def _parts(trace: Trace, asked: str) -> list[str]:
    states: list[str] = [part for part in ("c", "h") if part in trace.parts]
    gates = [part for part in trace.parts if part not in states]
    return states if asked == STATE else gates


def _range(values: np.ndarray) -> float:
    largest = float(np.abs(values).max())
    return next((limit for limit in _RANGES if largest <= limit), _RANGES[-1])


def _answer(trace: Trace, digits: tuple[int, ...], read: int) -> str:
    """Write the network's answer after `read` digits, and the probability of the right one."""
    if read == 0:
        return "No digit is read yet: the state is 0."
    probabilities = trace.probabilities[read - 1]
    best = int(probabilities.argmax())
    answer = f"Answer: {best} (p = {probabilities[best]:.2f})"
    if best == digits[0]:
        return f"{answer}, which is right"
    return f"{answer}; right is {digits[0]} (p = {probabilities[digits[0]]:.2f})"


def _in_short(trace: Trace, digits: tuple[int, ...], read: int) -> str:
    """Write the network's answer after `read` digits as large type has room for it."""
    if read == 0:
        return "nothing read yet"
    best = int(trace.probabilities[read - 1].argmax())
    return f"{best}, right" if best == digits[0] else f"{best}, not {digits[0]}"
