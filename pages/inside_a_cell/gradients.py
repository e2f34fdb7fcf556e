"""How much of the gradient gets back from the answer to each earlier step."""

import numpy as np
import streamlit as st

from pages.inside_a_cell.choices import Choice, Side
from pages.inside_a_cell.measured import look_at, reach_of
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_WITH_RESPECT_TO = ("state after the step", "digit read at the step")


def gradients_by_step(choice: Choice, read: int) -> None:
    """Draw both networks' gradients of the answer after `read` digits, and explain them."""
    now = read - 1
    title = st.container()
    kind = control(
        st.segmented_control,
        "gradient",
        "Gradient with respect to the",
        _WITH_RESPECT_TO,
        default=_WITH_RESPECT_TO[0],
        required=True,
    )
    norms = {}
    for side in choice.sides:
        reach = reach_of(side, choice.digits)
        norms[side.name] = (reach.by_state if kind == _WITH_RESPECT_TO[0] else reach.by_input)[now]
    symbols = [str(digit) for digit in choice.digits]
    frame = charts.gradient_frame(norms, symbols, now)
    finding = _finding(norms, now)
    title.markdown(f"**{finding}**")
    show_chart(
        charts.gradient_bars(
            frame, {side.name: side.colour for side in choice.sides}, steps=len(symbols)
        ),
        frame,
        key="inside_gradients",
        alt=f"Gradient of the answer after {read} digits by step. {finding}",
        name="gradient-by-step",
    )
    if any((values[: now + 1] == 0).any() for values in norms.values()):
        st.caption("× is exactly zero: some step in between lets no unit's gradient through.")
    st.markdown("  \n".join(_explained(side, choice, now) for side in choice.sides))


def _finding(norms: dict[str, np.ndarray], now: int) -> str:
    if now < 1:
        return "Two digits must be read before a gradient can go back from one to the other"
    shares = [
        f"{share_text(values[0] / values[now] if values[now] else 0.0)} in the {name.partition(': ')[2]}"
        for name, values in norms.items()
    ]
    return f"Of the gradient at step {now + 1}, step 1 receives {shares[0]}, {shares[1]}"


def share_text(ratio: float) -> str:
    """Write a ratio for people: as a fraction where it is small, as a multiple where it is large.

    Examples
    --------
    >>> [share_text(ratio) for ratio in (0.0, 0.000023, 0.34, 25.0)]
    ['nothing', '1/43,000', '34%', '25 times as much']
    """
    if ratio == 0:
        return "nothing"
    if ratio < 0.01:
        parts = float(f"{1 / ratio:.2g}")
        return f"1/{parts:,.0f}" if parts < 1e9 else f"{ratio:.0e}"
    return f"{ratio:.0%}" if ratio < 10 else f"{float(f'{ratio:.2g}'):,.0f} times as much"


def _explained(side: Side, choice: Choice, now: int) -> str:
    """Quote a network's factor per step beside what its recurrent matrix does."""
    if now < 1:
        return ""
    factor = reach_of(side, choice.digits).factors[now - 1]
    change = f"changes by a factor of **{factor:.2f}** a step on average" if factor else "gets lost"
    spectra = look_at(side, choice.digits).spectra
    blocks = ", ".join(
        f"{s.radius:.2f}" if s.block == "a" else f"{s.block} {s.radius:.2f}" for s in spectra
    )
    largest = max(s.largest_singular_value for s in spectra)
    return (
        f"{side.title}: going back, the gradient of the state {change}; the spectral radius of W_hh"
        f" is {blocks}, its largest singular value {largest:.2f}."
    )
