"""How much of the gradient gets back from the answer to each earlier step."""

import streamlit as st

from pages.remembering.inside_cells.choices import Choice, Side
from pages.remembering.inside_cells.measured import look_at, reach_of
from pages.shared import charts
from pages.shared.controls import control
from pages.shared.figures import show_chart

_WITH_RESPECT_TO = ("state after the step", "digit read at the step")


def gradients_by_step(choice: Choice, now: int) -> None:
    """Draw both networks' gradients of the answer after step `now`, from 0, and explain them."""
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
        alt=f"Gradient of the answer after step {now + 1} by step. {finding}",
        name="gradient-by-step",
    )
    st.markdown(" ".join(_explained(side, choice, now) for side in choice.sides))


def _finding(norms: dict[str, list[float]], now: int) -> str:
    if now == 0:
        return "One step has been read: there is no way back yet"
    shares = [
        f"{_share(values[0] / values[now])} in the {name.split(': ')[1]}"
        for name, values in norms.items()
    ]
    return f"Of the gradient at step {now + 1}, step 1 receives {shares[0]}, {shares[1]}"


def _share(ratio: float) -> str:
    if ratio == 0:
        return "nothing"
    return f"{ratio:.0%}" if 0.01 <= ratio < 10 else f"{ratio:.0e} times as much"


def _explained(side: Side, choice: Choice, now: int) -> str:
    """Quote a network's factor per step beside what its recurrent matrix does."""
    if now == 0:
        return ""
    factor = reach_of(side, choice.digits).factors[now - 1]
    spectra = look_at(side, choice.digits).spectra
    radii = ", ".join(f"{s.radius:.2f}" for s in spectra)
    return (
        f"{side.title}: the gradient of the state changes by a factor of **{factor:.2f}** a step;"
        f" spectral radius of W_hh {radii}."
    )
