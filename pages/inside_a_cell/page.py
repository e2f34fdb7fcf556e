"""Inside a cell: two recurrent networks read the same digits, opened up at every step."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from lm_core.analysis.gradients import gradient_map
from lm_core.analysis.spectra import rescale_recurrence
from lm_core.models.recurrent import Cell, GRUCell, LSTMCell, RNNCell
from pages.inside_a_cell import circuit, gradients, states
from pages.inside_a_cell.equations import equations_of_one_step
from pages.inside_a_cell.networks import record_of, results
from pages.inside_a_cell.settings import CIRCUIT, choose_comparison, number_of_digits
from pages.inside_a_cell.truncated_gradients import truncated_gradients
from pages.inside_a_cell.unrolled import draw_unrolled
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.ui.lesson import page_header, show_source, try_this

_CHANCE = math.log(10)

page_header(
    "inside-a-cell",
    "Two small networks read the same digits and must name the first one. Only their memory can tell them,"
    " so what is left of it there after each step?",
)

# Controls, picture, prediction -----------------------------------------------------------------
_COMPARED = "inside_compared"


def after(read: int) -> None:
    """Draw all that depends on the step: states, gradients, and the numbers of one unit."""
    screen = page.first_screen()
    with screen.controls:
        comparison = choose_comparison()
    drawn_for = st.session_state.get(_COMPARED)
    st.session_state[_COMPARED] = comparison
    if drawn_for and drawn_for._replace(parts=comparison.parts, unit=comparison.unit) != comparison:
        st.rerun()  # what is below is drawn for other networks: set by an example or a lesson
    right, is_circuit = comparison.sides[1], comparison.parts == CIRCUIT
    is_of_gates = is_circuit and right.has_gates
    if is_of_gates:
        asked: page.Asked[Any] = circuit.ask(screen, right, comparison.digits)
    else:
        asked = gradients.ask(screen, comparison)
    with screen.picture:
        if is_circuit:
            circuit.draw_circuit(right, comparison, read, asked.masks and is_of_gates)
        else:
            st.markdown(f"**{states.who_remembers(comparison)}**")
            states.states_of_both(comparison, read)
    with screen.beside:
        states.how_to_read(comparison)
    if not (asked.masks or is_of_gates or page.is_presenting()):
        gradients.gradients_by_step(comparison, read)
        draw_unrolled(comparison, read)
        gradients.explain_gradients(comparison)
    page.below("One step with the numbers", "equations", equations_of_one_step, comparison, read)


length = number_of_digits()
st.session_state.pop(_COMPARED, None)
page.playback_bar("step", length + 1, after, label="Digits read", seconds_per_step=0.8)
if (comparison := st.session_state.get(_COMPARED)) is None:
    st.stop()

# Truncation and training ----------------------------------------------------------------------
truncated_gradients(comparison)

st.header("Training", anchor=False)
config = comparison.sides[0].config
curves = {side: record_of(side).curve for side in comparison.sides}
styles = {side.place: LineStyle(side.colour, dash) for dash, side in enumerate(curves)}
ends = " and ".join(f"{curve.loss[-1]:.3f}" for curve in curves.values())
longest = ", ".join(f"{max(curve.gradient_norm):,.2g}" for curve in curves.values())
for column, field, axis, references, finding in zip(
    st.columns(2, gap="medium"),
    ("loss", "gradient_norm"),
    (Axis("loss (nats)", (0.0, 3.5)), Axis("longest gradient of 10 updates", (1e-2, 1e8), True)),
    ({"chance": _CHANCE}, {f"clipped to {config.clip:g}": config.clip} if config.clip else {}),
    (
        f"Loss at the end: {ends}; chance is {_CHANCE:.3f}",
        f"Longest gradient, before clipping: {longest}",
    ),
    strict=True,
):
    lines = {
        side.place: list(zip(curve.update, getattr(curve, field), strict=True))
        for side, curve in curves.items()
    }
    with column:
        st.markdown(f"**{finding}**")
        page.show_chart(
            line_chart(
                lines,
                styles,
                Axis("update", (0, config.updates)),
                axis,
                references={name: [(0, y), (config.updates, y)] for name, y in references.items()},
                height=260,
            ),
            pd.DataFrame(
                [(place, *pair) for place, pairs in lines.items() for pair in pairs],
                columns=["network", "update", field],
            ),
            key=f"inside_{field}",
            alt=f"{axis.title} by update, {', '.join(side.name for side in curves)}. {finding}.",
            name=field.replace("_", "-"),
        )
provenance = results().provenance
st.caption(
    f"Trained on {config.updates:,} batches of {config.batch} random sequences of"
    f" {config.length} digits, asked after {'every one' if config.loss_steps == 'all' else 'the last'}"
    f" · {config.hidden_size} units · Adam, learning rate"
    f" {config.learning_rate:g} falling to 0 · seed {config.seed} · all"
    f" {len(results().networks)} networks: {provenance['device']},"
    f" {provenance['seconds'] / 60:.0f} min, {provenance['date'][:10]}, torch"
    f" {provenance['versions']['torch']}"
)

# Code and suggestions -------------------------------------------------------------------------
show_source(RNNCell, GRUCell, LSTMCell, Cell.read, gradient_map, rescale_recurrence)
try_this()
