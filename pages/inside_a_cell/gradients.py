"""Gradients through time: to each earlier step, before and after training."""

import numpy as np
import streamlit as st

from lm_core.experiments.inside_a_cell.training import FirstSymbolConfig
from pages.inside_a_cell import gradients_chart
from pages.inside_a_cell.networks import gradients_of, trace_of
from pages.inside_a_cell.settings import DECIDES, TAUGHT_BY, Comparison, Side
from pages.shared import page
from pages.shared.numbers import percent, significant

_GRADIENTS = {
    "Much in the right one, little in the left": (False, True),
    "Much in both": (True, True),
    "Less than a thousandth in both": (False, False),
    "Much in the left one, little in the right": (True, False),
}
"""The answers to choose from, and whether so much reaches the first digit in the left and the right network."""
_LITTLE = 1e-3
_WITH_RESPECT_TO = ("state after the step", "digit read at the step")
_UNTRAINED = (("rnn", "the RNN"), ("lstm", "the LSTM"), ("lstm-4", "the LSTM with forget bias 4"))


def gradients_by_step(comparison: Comparison, read: int) -> None:
    """Draw both networks' gradients of the output after `read` digits, and explain them."""
    now = read - 1
    title = st.container()
    kind = page.segments("gradient", "Gradient with respect to the", _WITH_RESPECT_TO)
    norms = {}
    for side in comparison.sides:
        found = gradients_of(side, comparison.digits)
        norms[side.name] = (found.by_state if kind == _WITH_RESPECT_TO[0] else found.by_input)[now]
    symbols = [str(digit) for digit in comparison.digits]
    table = gradients_chart.gradient_table(norms, symbols, now)
    finding = _finding(comparison, norms, now)
    title.markdown(f"**{finding}**")
    page.show_chart(
        gradients_chart.gradient_bars(
            table, {side.name: side.colour for side in comparison.sides}, steps=len(symbols)
        ),
        table,
        key="inside_gradients",
        alt=f"Gradient of the output after {read} digits by step. {finding}",
        name="gradient-by-step",
    )
    if any((values[: now + 1] == 0).any() for values in norms.values()):
        st.caption("× is exactly zero: at some step in between, no unit passes a gradient on.")
    st.markdown("  \n".join(_factor_per_step(side, comparison, now) for side in comparison.sides))


def _finding(comparison: Comparison, norms: dict[str, np.ndarray], now: int) -> str:
    if now < 1:
        return "A gradient from one digit back to another needs two digits"
    left, right = (
        f"{share_text(values[0] / values[now] if values[now] else 0.0)} in the {side.title}"
        for side, values in zip(comparison.sides, norms.values(), strict=True)
    )
    return f"Of the gradient at step {now + 1}, step 1 receives {left}, {right}"


def share_text(ratio: float) -> str:
    r"""Write a ratio for people: as a fraction where it is small, as a multiple where it is large.

    Examples
    --------
    >>> [share_text(ratio) for ratio in (0.0, 0.000023, 0.34, 25.0)]
    ['nothing', '1/43,000', '34\u202f%', '25 times as much']
    """
    if ratio == 0:
        return "nothing"
    if ratio < 0.01:
        parts = float(f"{1 / ratio:.2g}")
        return f"1/{parts:,.0f}" if parts < 1e9 else significant(ratio, 1)
    return percent(ratio) if ratio < 10 else f"{float(f'{ratio:.2g}'):,.0f} times as much"


def _factor_per_step(side: Side, comparison: Comparison, now: int) -> str:
    """Quote a network's factor per step beside the spectrum of its recurrent matrix."""
    if now < 1:
        return ""
    factor = gradients_of(side, comparison.digits).factors[now - 1]
    change = (
        f"is multiplied by **{factor:.2f}** on average"
        if factor
        else "is lost: multiplied by **0**"
    )
    spectra = trace_of(side, comparison.digits).spectra
    blocks = ", ".join(
        f"{s.radius:.2f}" if s.block == "a" else f"{s.block} {s.radius:.2f}" for s in spectra
    )
    largest = max(s.largest_singular_value for s in spectra)
    return (
        f"{side.title}: with each step back, the gradient of the state {change}, because it passes"
        " the weights and slopes of that step. The *spectral radius* of"
        f" W_hh (its largest absolute eigenvalue) is {blocks}; its largest singular value is"
        f" {largest:.2f}. {DECIDES[len(spectra) > 1]}"
    )


# Before and after training --------------------------------------------------------------------


def ask(screen: page.FirstScreen, comparison: Comparison) -> page.Asked[tuple[bool, bool]]:
    """Ask how much of the gradient reaches the first digit before training."""
    return page.ask(
        screen,
        "vanishing",
        "Before these two networks were trained: how much of the gradient at the last digit reached the first?",
        _GRADIENTS,
        right=lambda: page.answer_meaning(
            tuple(share >= _LITTLE for share in _before_training(comparison)), _GRADIENTS
        ),
        reason=lambda _: _vanished(comparison),
    )


def _before_training(comparison: Comparison) -> list[float]:
    return [_share(side.untrained, comparison) for side in comparison.sides]


def _vanished(comparison: Comparison) -> str:
    left, right = (
        f"{share_text(share)} in the {side.title}"
        for side, share in zip(comparison.sides, _before_training(comparison), strict=True)
    )
    return (
        f"Before training it is {left} and {right}. A plain RNN multiplies the gradient by the same"
        " matrix at each step back, an LSTM by its forget gate: near one half with bias 0, so the"
        " gradient halves; near 0.98 with bias 4, so nearly all passes."
    )


def explain_gradients(comparison: Comparison) -> None:
    """Answer the page's question with the numbers of the untrained networks."""
    untrained = {title: Side("", "", "", FirstSymbolConfig(v), 0) for v, title in _UNTRAINED}
    shares = [f"in {t} **{share_text(_share(s, comparison))}**" for t, s in untrained.items()]
    st.markdown(
        f"**Before training**, of the gradient at step {len(comparison.digits)} step 1 receives"
        f" {', '.join(shares)}. At each step back, an RNN multiplies the gradient by W_hh and the"
        " slope of tanh. An LSTM multiplies the gradient of its memory by the forget gate. With bias"
        " 0 that gate is near one half, so the gradient halves at each step. The LSTM, too, forgets"
        " its beginning until the gate is open: by training, or by its bias, since"
        " sigmoid(4) = 0.98."
    )
    if comparison.sides[0].updates:
        st.markdown(
            " ".join(_before_and_after(side, comparison) for side in comparison.sides)
            + TAUGHT_BY[comparison.sides[0].config.loss_steps]
        )


def _share(side: Side, comparison: Comparison) -> float:
    """Return how much of the gradient at the last step the first one receives."""
    norms = gradients_of(side, comparison.digits).by_state[-1]
    return float(norms[0] / norms[-1])


def _before_and_after(side: Side, comparison: Comparison) -> str:
    before, after = (
        share_text(_share(snapshot, comparison)) for snapshot in (side._replace(updates=0), side)
    )
    text = (
        f"**{side.title}** after {side.updates:,} updates: right in"
        f" {percent(trace_of(side, comparison.digits).accuracy)} of tests; step 1 receives {after},"
        f" before training {before}."
    )
    return f"{text} {_active_units(side, comparison)}" if side.config.variant == "irnn" else text


def _active_units(side: Side, comparison: Comparison) -> str:
    """Count an IRNN's active units: the learning rate decides how many survive the first updates."""
    before, after = (
        int((trace_of(snapshot, comparison.digits).parts["h"][-1] > 0).sum())
        for snapshot in (side._replace(updates=0), side)
    )
    return (
        f"After the last digit, {after} of its {side.config.hidden_size} units are above 0, before"
        f" training {before}. That matters because a ReLU at 0 passes no gradient on."
    )
