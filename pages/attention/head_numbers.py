"""One number for each head, as a map: its entropy, its peak, or what it costs to switch it off."""

import numpy as np
import streamlit as st

from lm_core.analysis.head_ablation import AblationCosts
from pages.attention import traces
from pages.attention.heads import name_of
from pages.shared import page
from pages.shared.charts.attention import heads_chart, heads_table
from pages.shared.numbers import written

_COST = "Loss without it"
_MEASURES = {
    "Entropy": ("entropy", "mean entropy of a row, bits", ".1f"),
    "Peak": ("peak", "mean of a row's largest weight", ".0%"),
    "First token": ("first", "mean weight on the first token", ".0%"),
    _COST: ("", "rise of the mean loss, nats per token", "+.3f"),
}


def one_number_a_head(choice: traces.Choice) -> None:
    """Draw a chosen measure of every head."""
    st.header("One number for each head", anchor=False)
    measure = page.segments(
        "measure",
        "Measure",
        list(_MEASURES),
        "Entropy",
        help=f"{_COST}: the model reads the sentence once for each head, with that head ablated.",
    )
    field, title, form = _MEASURES[measure]
    costs = traces.ablation_costs(choice) if measure == _COST else None
    values = costs.heads.numpy() if costs else getattr(choice.heads, field)
    table = heads_table(values, (choice.layer, choice.head))
    finding = _costly(costs) if costs else _extremes(measure, values, form)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        page.show_chart(
            heads_chart(table, title=title, written=form),
            key=f"heads_{field or 'cost'}",
            alt=f"{title} of each head, layers down and heads across. {finding}",
            name=f"heads-{field or 'cost'}",
        )
    with right:
        st.markdown(finding)


def _extremes(measure: str, values: np.ndarray, form: str) -> str:
    low, high = (
        tuple(map(int, np.unravel_index(f(values), values.shape))) for f in (np.argmin, np.argmax)
    )
    return (
        f"{measure} runs from {written(values[low], form)} in head {name_of(low)} to"
        f" {written(values[high], form)} in head {name_of(high)}. A row with all its weight on one"
        " key has an entropy of 0 bits and a peak of 100 %. A row with equal weights on n keys has"
        " log2(n) bits, so with the mask later rows can have more."
    )


def _costly(costs: AblationCosts) -> str:
    heads = costs.heads.numpy()
    order = np.argsort(-heads, axis=None)[:3]
    first = ", ".join(
        f"**{name_of(place)}** ({heads[place]:+.3f})"
        for place in (np.unravel_index(i, heads.shape) for i in order)
    )
    n_idle = int((heads < 0.01).sum())
    layers = ", ".join(f"{i} {cost:+.2f}" for i, cost in enumerate(costs.layers.tolist(), 1))
    return (
        f"This sentence needs head {first} most. Switch off one head at a time: for {n_idle} of"
        f" {heads.size} the loss rises by less than 0.01 nats, because other heads replace them or"
        f" because this sentence does not need them. Whole layers: {layers}."
    )
