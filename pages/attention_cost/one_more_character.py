"""What one more character costs, with the keys and values kept and without."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_cost.study import GENERATION_MODEL
from pages.attention_cost.measurements import Measurements
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION

_CACHED, _UNCACHED = "cached", "uncached"
_CACHE_STYLES = {_CACHED: page.LineStyle(BLUE), _UNCACHED: page.LineStyle(VERMILLION, 1)}
_CHARACTERS = page.Axis(
    "characters so far", (64.0, 1024.0), True, tuple(2.0**power for power in range(6, 11))
)
_CHARACTER_TIME = page.Axis("time of one more character (ms)", (0.5, 200.0), True, (1, 10, 100))


def one_more_character(measurements: Measurements) -> None:
    """Draw the time of the next character, with and without the key-value cache, and explain it."""
    st.header("The key-value cache", anchor=False)
    if not measurements.generation:
        st.caption("This has not been measured on this server.")
        return
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        _cache_chart(measurements)
    first, last = measurements.generation[0], measurements.generation[-1]
    right.markdown(
        "The keys and values of earlier characters never change. The *key-value cache* stores them, so that"
        " for one more character a transformer computes the query, key and value of the last one only. It"
        f" takes up: **{last.cache_bytes / 2**20:.1f} MiB** after {last.length:,} characters"
        f" ({GENERATION_MODEL.layers} layers, width {GENERATION_MODEL.width}, float32)."
    )
    right.markdown(
        f"From {first.length:,} to {last.length:,} characters, the time of the next one grows"
        f" {last.uncached_seconds / first.uncached_seconds:.0f} times without the cache, and"
        f" {last.cached_seconds / first.cached_seconds:.1f} times with it, because without the"
        " cache the model reads the whole text again for every character."
    )


def _cache_chart(measurements: Measurements) -> None:
    last = measurements.generation[-1]
    ratio = last.uncached_seconds / last.cached_seconds
    finding = (
        f"After {last.length:,} characters, the cache makes the next one {ratio:.0f} times as fast"
    )
    st.markdown(f"**{finding}**")
    records = measurements.generation
    lines = {
        _CACHED: [(r.length, 1e3 * r.cached_seconds) for r in records],
        _UNCACHED: [(r.length, 1e3 * r.uncached_seconds) for r in records],
    }
    chart = page.line_chart(
        lines, _CACHE_STYLES, _CHARACTERS, _CHARACTER_TIME, has_points=True, height=300
    )

    def table() -> pd.DataFrame:
        rows = [
            (r.length, 1e3 * r.cached_seconds, 1e3 * r.uncached_seconds, r.cache_bytes)
            for r in records
        ]
        names = ["characters so far", "cached (ms)", "uncached (ms)", "cache (bytes)"]
        return pd.DataFrame(rows, columns=names)

    alt = f"Time of one more character. {finding}."
    page.show_chart(chart, table, key="cost_cache", alt=alt, name="key-value-cache")
