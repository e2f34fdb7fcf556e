"""Milliseconds of a layer of attention, head by head and all at once, measured when somebody asks."""

import streamlit as st

from lm_core.experiments.attention_by_hand import head_times
from lm_core.experiments.attention_cost.study import processor_name
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant

_FOUND = "measured_head_times"
_LOOP, _AT_ONCE = "head by head", "all at once"
_STYLES = {_LOOP: page.LineStyle(VERMILLION), _AT_ONCE: page.LineStyle(BLUE, 1)}


def times_of_heads() -> None:
    """Draw the button that measures, and what was measured."""
    st.markdown(
        f"A layer of width {head_times.WIDTH} reads {head_times.TOKENS} tokens, with 1 to {head_times.HEADS[-1]} heads that share the width. A loop computes"
        " head after head. PyTorch can also make the heads an axis and multiply all of them in one call. Both add up the"
        " same products, so which is faster, and does the number of heads matter?"
    )
    page.button("measure_heads", "Measure on this server", "timer", _measure)
    found: tuple[head_times.HeadTimes, ...] = st.session_state.get(_FOUND, ())
    if not found:
        return
    lines = {
        _LOOP: [(one.heads, one.one_by_one) for one in found],
        _AT_ONCE: [(one.heads, one.at_once) for one in found],
    }
    times = [value for line in lines.values() for _, value in line]
    page.show_lines(
        "head_times",
        lines,
        _STYLES,
        page.Axis("heads", (1, head_times.HEADS[-1]), True, tuple(map(float, head_times.HEADS))),
        page.Axis("milliseconds", (0.5 * min(times), 2 * max(times)), True),
        has_points=True,
        fills_screen=False,
        height=260,
    )
    st.markdown(_explained(found[-1]))
    st.caption(f"This server: {processor_name()}, processor time of one thread, float32.")


def _measure() -> None:
    with page.model_calls:
        st.session_state[_FOUND] = head_times.measure_heads(generator(1))


def _explained(last: head_times.HeadTimes) -> str:
    return (
        f"With {last.heads} heads the loop takes {significant(last.one_by_one, 2)} ms and the layer"
        f" {significant(last.at_once, 2)} ms, {significant(last.one_by_one / last.at_once, 2)} to 1. Each turn of the loop"
        " calls a dozen functions for a little matrix, and each call takes microseconds before it computes anything; in one"
        " call the library also keeps the processor's units busy side by side."
    )
