"""How the two networks were trained: their losses, and how long their gradients were."""

import math

import pandas as pd
import streamlit as st

from pages.inside_a_cell.choices import Choice
from pages.inside_a_cell.measured import record_of, results
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_CHANCE = math.log(10)


def while_they_learned(choice: Choice) -> None:
    """Draw loss and longest gradient by update, and say what clipping had to do."""
    st.subheader("While they learned", anchor=False)
    curves = {side.name: record_of(side)["curve"] for side in choice.sides}
    frame = pd.concat(
        [pd.DataFrame(curve).assign(network=name) for name, curve in curves.items()],
        ignore_index=True,
    )
    colours = {side.name: side.colour for side in choice.sides}
    left, right = st.columns(2, gap="medium")
    with left:
        finding = _losses(choice)
        st.markdown(f"**{finding}**")
        chart = charts.learning_lines(
            frame,
            "loss",
            colours,
            title="loss (nats)",
            domain=(0.0, 3.5),
            references={"chance": _CHANCE},
        )
        _show(chart, frame, "loss", f"Loss by update. {finding}")
    with right:
        finding = _longest(frame)
        st.markdown(f"**{finding}**")
        clip = choice.sides[0].config.clip
        chart = charts.learning_lines(
            frame,
            "gradient_norm",
            colours,
            title="longest gradient of 10",
            domain=(1e-2, 1e8),
            references={f"clipped to {clip:g}": clip} if clip else {},
            logarithmic=True,
        )
        _show(chart, frame, "gradient_norm", f"Norm of the whole gradient by update. {finding}")
    _provenance(choice)


def _show(chart: charts.Drawing, frame: pd.DataFrame, field: str, alt: str) -> None:
    table = frame[["network", "update", field]]
    show_chart(chart, table, key=f"inside_{field}", alt=alt, name=field.replace("_", "-"))


def _longest(frame: pd.DataFrame) -> str:
    """Say how long the gradients became before they were clipped."""
    longest = frame.groupby("network", sort=False)["gradient_norm"].max()
    return "Longest gradient, before clipping: " + ", ".join(f"{norm:,.2g}" for norm in longest)


def _losses(choice: Choice) -> str:
    ends = [f"{record_of(side)['curve']['loss'][-1]:.3f}" for side in choice.sides]
    return f"Loss at the end: {' and '.join(ends)}; chance is {_CHANCE:.3f}"


def _provenance(choice: Choice) -> None:
    provenance, config = results().provenance, choice.sides[0].config
    st.caption(
        f"Trained on {config.updates:,} batches of {config.batch} random sequences of"
        f" {config.length} digits · {config.hidden_size} units · Adam, learning rate"
        f" {config.learning_rate:g} falling to 0 · seed {config.seed} · all"
        f" {len(results().networks)} networks: {provenance['device']}, {provenance['seconds'] / 60:.0f} min,"
        f" {provenance['date'][:10]}, torch {provenance['versions']['torch']}"
    )
