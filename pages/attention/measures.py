"""One number for each head: how widely it looks, and what the sentence loses without it."""

import numpy as np
import streamlit as st

from lm_core.analysis.head_ablation import AblationCosts
from pages.attention.choices import Choice
from pages.attention.measured import costs_of, heads_of
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_COST = "Loss without it"
_MEASURES = {
    "Entropy": ("entropy", "mean entropy of a row, bits", ".1f"),
    "Peak": ("peak", "mean of a row's largest weight", ".0%"),
    "First token": ("first", "mean weight on the first token", ".0%"),
    _COST: ("", "rise of the mean loss, nats per character", "+.3f"),
}


def one_number_a_head(choice: Choice) -> None:
    """Draw a chosen measure of every head."""
    st.subheader("One number for each head", anchor=False)
    measure = control(
        st.segmented_control,
        "measure",
        "Measure",
        list(_MEASURES),
        default="Entropy",
        required=True,
        help=f"{_COST}: the sentence is read once for each head, with that head alone silenced.",
    )
    field, title, written = _MEASURES[measure]
    costs = costs_of(choice) if measure == _COST else None
    values = costs.heads.numpy() if costs else getattr(heads_of(choice), field)
    frame = charts.heads_frame(values, (choice.layer, choice.head))
    finding = _costly(costs) if costs else _extremes(measure, values, written)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        show_chart(
            charts.heads_chart(frame, title=title, written=written),
            frame,
            key=f"heads_{field or 'cost'}",
            alt=f"{title} of each head, layers down and heads across. {finding}",
            name=f"heads-{field or 'cost'}",
        )
    with right:
        st.markdown(finding)


def _extremes(measure: str, values: np.ndarray, written: str) -> str:
    low, high = (np.unravel_index(f(values), values.shape) for f in (np.argmin, np.argmax))
    return (
        f"{measure} runs from {values[low]:{written}} in head {_name(low)} to"
        f" {values[high]:{written}} in head {_name(high)}. A row that looks at one key alone has an"
        " entropy of 0 bits and a peak of 100%; one that looks at n keys alike, log2(n) bits."
    )


def _costly(costs: AblationCosts) -> str:
    heads = costs.heads.numpy()
    order = np.argsort(-heads, axis=None)[:3]
    first = ", ".join(
        f"**{_name(place)}** ({heads[place]:+.3f})"
        for place in (np.unravel_index(i, heads.shape) for i in order)
    )
    n_idle = int((heads < 0.01).sum())
    layers = ", ".join(f"{i} {cost:+.2f}" for i, cost in enumerate(costs.layers.tolist(), 1))
    return (
        f"This sentence needs head {first} most. {n_idle} of {heads.size} heads can be silenced one"
        " at a time for less than 0.01 nats each: others do their work, or this sentence has none"
        f" for them. Whole layers: {layers}."
    )


def _name(place: tuple[int, ...]) -> str:
    return f"{place[0] + 1}.{place[1] + 1}"
