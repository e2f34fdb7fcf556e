"""Approximations: how much time they save, and what they cost a trained model in nats."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_cost.results import COMPARED_AT, WRITER, Approximation
from pages.attention_cost.measured import LOOKS, shipped
from pages.attention_cost.picture import FUSED, LINEAR, LOCAL
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_TIMES, _LOSSES = (1.0, 50.0), (1.2, 4.2)


def near_enough() -> None:
    """Draw loss against time for windows and kernels of several sizes, and explain it."""
    st.subheader("Near enough?", anchor=False)
    results = shipped()
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
    right.markdown(
        f"The trained model ({results.model}) is given another attention in place of its own, and"
        " nothing else is changed. Each mark is a size: of the window in tokens, or of the kernel in"
        " features; larger is slower."
    )
    right.markdown(
        f"A *local window* of {small.size} tokens is all that this model needs:"
        f" **{small.loss:.3f}** nats per character beside {results.exact_loss:.3f} with its own"
        f" attention. In {WRITER.layers} layers, each looking {small.size - 1} characters back, word of"
        f" what stands {WRITER.layers * (small.size - 1)} characters back still arrives. A model that"
        " needs more than that would mind."
    )
    right.markdown(
        "The *linear kernel* replaces the exponential of query times key by a product of random"
        f" features. For the long queries and keys that training has made, {best[LINEAR].size} features"
        f" are far too few: **{best[LINEAR].loss:.2f}** nats. Models with such attention are trained"
        " with it; put into one that was not, it ruins the predictions."
    )


def _picture(by_method: dict[str, list[Approximation]], exact: float) -> None:
    fused = {c.length: c for c in shipped().costs if c.method == FUSED}[COMPARED_AT]
    finding = (
        f"Exact attention: {exact:.2f} nats in {1e3 * fused.seconds:.1f} ms; kernels of every size"
        f" here: above {min(record.loss for record in by_method[LINEAR]):.1f}"
    )
    st.markdown(f"**{finding}**")
    frame = pd.DataFrame(
        [
            (record.method, record.size, round(1e3 * record.seconds, 3), round(record.loss, 4))
            for records in by_method.values()
            for record in records
        ],
        columns=["method", "size", "milliseconds", "loss"],
    )
    chart = charts.trade_off(
        frame,
        {method: LOOKS[method] for method in by_method},
        exact=("exact, fused kernel", 1e3 * fused.seconds, exact),
        times=_TIMES,
        losses=_LOSSES,
    )
    alt = f"Loss of a trained model against the time of its attention. {finding}."
    show_chart(chart, frame, key="cost_near", alt=alt, name="approximations")
    st.caption(
        f"Time of attention alone at {COMPARED_AT:,} tokens. Loss in cold windows of 64 characters from the"
        " last tenth of the book: this model never reads more."
    )
