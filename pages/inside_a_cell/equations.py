"""One step of a cell with its numbers, as equations."""

import streamlit as st

from lm_core.analysis.unit_step import UnitTrace
from pages.inside_a_cell.networks import unit_of
from pages.inside_a_cell.settings import Comparison, Side

_SQUASH = {"g": r"\tanh", "n": r"\tanh"}
"""Activations; of all other gates the logistic function."""


def equations_of_one_step(comparison: Comparison, read: int) -> None:
    """Write both networks' equations of one unit, with the numbers of the last step."""
    now = max(read, 1) - 1
    units = comparison.sides[0].config.hidden_size
    unit = comparison.unit
    st.markdown(
        f"Step {now + 1}, unit {unit + 1} of {units}: the digit **{comparison.digits[now]}** is"
        " read. In each bracket, the first term comes from the digit, the second from the state"
        " before; each includes its bias. So you can see which of the two decides."
    )
    for column, side in zip(st.columns(2, gap="medium"), comparison.sides, strict=True):
        with column:
            st.markdown(f"**{side.title}**")
            numbers = unit_of(side, comparison.digits, now, unit)
            st.latex(_aligned(equations(numbers, _activation(side), side.fixed)))


def _activation(side: Side) -> str:
    return r"\max(0," if side.config.variant == "irnn" else r"\tanh("


def equations(numbers: UnitTrace, activation: str = r"\tanh(", fixed: str = "") -> list[str]:
    """Return one unit's step as lines of LaTeX, each with its ``&=``.

    Parameters
    ----------
    activation : str, of an RNN, with its opening bracket
    fixed : str, letters of the gates of an LSTM that are set to 1
    """
    if "a" in numbers.blocks:
        return _rnn(numbers, activation)
    return _gru(numbers) if "z" in numbers.blocks else _lstm(numbers, fixed)


def _rnn(numbers: UnitTrace, activation: str) -> list[str]:
    block = numbers.blocks["a"]
    return [
        rf"a &= {_n(block.from_input)} {_signed(block.from_state)} = {_n(block.value)}",
        rf"h' &= {activation}{_n(block.value)}) = \mathbf{{{_n(numbers.after['h'])}}}",
    ]


def _gru(numbers: UnitTrace) -> list[str]:
    r, z, n = (numbers.blocks[name] for name in "rzn")
    before, after = numbers.before["h"], numbers.after["h"]
    return [
        *(_gate(name, numbers) for name in "rz"),
        rf"n &= \tanh({_n(n.from_input)} {_signed(r.value)} \cdot {_bracketed(n.from_state)})",
        rf"&= {_n(n.value)}",
        r"h' &= (1-z)\,n + z\,h",
        rf"&= {_n(1 - z.value)} \cdot {_bracketed(n.value)}"
        rf" {_signed(z.value)} \cdot {_bracketed(before)}",
        rf"&= \mathbf{{{_n(after)}}}",
    ]


def _lstm(numbers: UnitTrace, fixed: str) -> list[str]:
    i, f, g, o = (numbers.blocks[name].value for name in "ifgo")
    before, after = numbers.before["c"], numbers.after
    return [
        *(f"{name} &= 1" if name in fixed else _gate(name, numbers) for name in "ifgo"),
        r"c' &= f\,c + i\,g",
        rf"&= {_n(f)} \cdot {_bracketed(before)} {_signed(i)} \cdot {_bracketed(g)}",
        rf"&= {_n(f * before)} {_signed(i * g)} = \mathbf{{{_n(after['c'])}}}",
        rf"h' &= o \tanh(c') = {_n(o)} \cdot \tanh({_n(after['c'])})",
        rf"&= \mathbf{{{_n(after['h'])}}}",
    ]


def _gate(name: str, numbers: UnitTrace) -> str:
    block = numbers.blocks[name]
    squash = _SQUASH.get(name, r"\sigma")
    return (
        rf"{name} &= {squash}({_n(block.from_input)} {_signed(block.from_state)})"
        rf" = {_n(block.value)}"
    )


def _aligned(lines: list[str]) -> str:
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def _n(number: float) -> str:
    """Write a number with three digits after the point, a huge or tiny one as a power of ten."""
    if number and not 0.0005 <= abs(number) < 10_000:
        mantissa, power = f"{number:.2e}".split("e")
        return rf"{mantissa}\mathrm{{e}}{{{int(power)}}}"
    return f"{number + 0.0:.3f}"


def _signed(number: float) -> str:
    return f"- {_n(-number)}" if number < 0 else f"+ {_n(number)}"


def _bracketed(number: float) -> str:
    return f"({_n(number)})" if number < 0 else _n(number)
