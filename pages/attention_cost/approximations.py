"""Approximations of attention: how much time they save, and what they cost a trained model in nats."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.attention_cost.results import Approximation
from lm_core.experiments.attention_cost.study import COMPARED_LENGTH, GENERATION_MODEL
from pages.attention_cost.by_length import STYLES
from pages.attention_cost.measurements import FUSED, LINEAR, LOCAL, shipped_results
from pages.shared.charts.comparisons import trade_off
from pages.shared.ui.figures import show_chart

_TIMES, _LOSSES = (1.0, 50.0), (1.2, 4.2)


def approximations() -> None:
    """Draw loss against time for windows and kernels of several sizes, and explain it."""
    st.header("Approximate attention", anchor=False)
    results = shipped_results()
    by_method = {
        method: [record for record in results.approximations if record.method == method]
        for method in (LOCAL, LINEAR)
    }
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        _picture(by_method, results.exact_loss)
    best = {
        method: min(records, key=lambda record: record.loss)
        for method, records in by_method.items()
    }
    small = next((r for r in by_method[LOCAL] if r.loss < results.exact_loss + 0.01), best[LOCAL])
    layers = GENERATION_MODEL.layers
    right.markdown(
        f"The attention of a trained model ({results.model}) is replaced, and nothing else, so"
        " every change of the loss is due to that. Each mark is one size: of the window in tokens,"
        " or of the kernel in features. Kernels of more features are slower; among the windows only"
        " those of 32 tokens and more are, because shorter ones take about the same time."
    )
    right.markdown(
        f"A *local window* of {small.size} tokens is enough for this model: **{small.loss:.3f}** nats"
        f" per character, and {results.exact_loss:.3f} with its own attention. Each of the {layers}"
        f" layers reaches {small.size - 1} characters back, so together they reach"
        f" {layers * (small.size - 1)}. A model that uses a longer context would probably lose more."
    )
    right.markdown(
        "The *linear kernel* replaces the exponential of query times key by a product of random"
        f" features. With {best[LINEAR].size} of them the loss is **{best[LINEAR].loss:.2f}** nats, probably because"
        " training has made queries and keys long, and for long ones so few features are a poor estimate. Such attention works in"
        " models that were trained with it."
    )


def _picture(by_method: dict[str, list[Approximation]], exact_loss: float) -> None:
    costs = {c.length: c for c in shipped_results().costs if c.method == FUSED}
    milliseconds = 1e3 * costs[COMPARED_LENGTH].seconds
    finding = (
        f"Exact attention: {exact_loss:.2f} nats in {milliseconds:.1f} ms; linear kernels of every"
        f" size: above {min(record.loss for record in by_method[LINEAR]):.1f}"
    )
    st.markdown(f"**{finding}**")
    marks = pa.Table.from_pylist(
        [
            {
                "method": record.method,
                "size": record.size,
                "milliseconds": round(1e3 * record.seconds, 3),
                "loss": round(record.loss, 4),
            }
            for records in by_method.values()
            for record in records
        ]
    )
    chart = trade_off(
        marks,
        {method: STYLES[method] for method in (LOCAL, LINEAR)},
        exact=("exact, fused kernel", milliseconds, exact_loss),
        times=_TIMES,
        losses=_LOSSES,
    )
    alt = f"Loss of a trained model against the time of its attention. {finding}."
    show_chart(chart, marks, key="cost_approximations", alt=alt, name="approximations")
    st.caption(
        f"Time of attention alone at {COMPARED_LENGTH:,} tokens. Loss in cold windows of 64"
        " characters from the last tenth of the book, because the context of this model is 64"
        " characters."
    )
