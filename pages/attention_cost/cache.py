"""The key-value cache: what one more character costs with it and without."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_cost.results import WRITER
from pages.attention_cost.measured import CACHE_LOOKS, Measured
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_LENGTHS = charts.Axis(
    "characters so far", (64.0, 1024.0), True, tuple(2.0**power for power in range(6, 11))
)
_TIME = charts.Axis("time of one more character (ms)", (0.5, 200.0), True, (1, 10, 100))


def one_more_character(measured: Measured) -> None:
    """Draw the time of the next character by the length of the text, and explain it."""
    st.subheader("Why writing is not slower still", anchor=False)
    if not measured.writing:
        st.caption("Not measured on this server so far.")
        return
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        _picture(measured)
    first, last = measured.writing[0], measured.writing[-1]
    right.markdown(
        "To write one more character, a transformer needs the queries, keys and values of that one"
        " alone; the keys and values of all before it are what they were. Keeping them is the"
        f" *key-value cache*: after {last.length:,} characters it holds"
        f" **{last.cache_bytes / 2**20:.1f} MiB** for this model ({WRITER.layers} layers, width"
        f" {WRITER.width}, float32)."
    )
    right.markdown(
        f"From {first.length:,} to {last.length:,} characters, the next one gets"
        f" {last.anew_seconds / first.anew_seconds:.0f} times as dear without it, and"
        f" {last.cached_seconds / first.cached_seconds:.1f} times with it: without the cache every"
        " character costs as much as reading the whole text again."
    )


def _picture(measured: Measured) -> None:
    last = measured.writing[-1]
    ratio = last.anew_seconds / last.cached_seconds
    finding = (
        f"After {last.length:,} characters the cache makes the next one {ratio:.0f} times as fast"
    )
    st.markdown(f"**{finding}**")
    kinds = ("cached_seconds", "anew_seconds")
    lines = {
        name: [(record.length, 1e3 * getattr(record, kind)) for record in measured.writing]
        for name, kind in zip(CACHE_LOOKS, kinds, strict=True)
    }
    chart = charts.line_chart(lines, CACHE_LOOKS, _LENGTHS, _TIME, has_points=True, height=300)
    table = pd.DataFrame(
        [
            (r.length, 1e3 * r.cached_seconds, 1e3 * r.anew_seconds, r.cache_bytes)
            for r in measured.writing
        ],
        columns=["characters so far", "cached (ms)", "read anew (ms)", "cache (bytes)"],
    )
    alt = f"Time of one more character. {finding}."
    show_chart(chart, table, key="cost_cache", alt=alt, name="key-value-cache")
