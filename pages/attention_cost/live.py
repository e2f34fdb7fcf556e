"""Measuring on the server itself: a record at a time, bounded in time and memory, and cancelled at will."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import streamlit as st
import torch
from lm_core.experiments.attention_cost.generation_cost import WritingCost
from lm_core.experiments.attention_cost.measure import METHODS, AttentionCost

from lm_core.experiments.attention_cost.results import (
    LENGTHS,
    WRITING_LENGTHS,
    plan,
    processor_name,
)
from pages.attention_cost.measured import Measured
from pages.shared.server import memory_total, model_calls

_KEY = "cost_measuring"
_MOST_RECORDS = len(METHODS) * len(LENGTHS) + len(WRITING_LENGTHS)
_SECONDS_A_TICK = 0.3
_SECOND_LIMIT = 0.1
_ROUNDS = 2
_BYTE_LIMITS = (16 << 20, 128 << 20)
_NO_MEMORY = (
    "This server ran out of memory for the next length. What was measured until then is drawn; when"
    " fewer trainings and visitors share it, measure again."
)
_SHARE_OF_MEMORY = 48  # a square takes about five times its size while it is worked on


@dataclass
class _Measuring:
    """One visitor's measurement, under way or over."""

    records: Iterator[AttentionCost | WritingCost]
    found: list[AttentionCost | WritingCost] = field(default_factory=list)
    is_running: bool = True
    message: str = ""

    def go_on(self) -> None:
        """Measure for a moment; at least one record."""
        until = time.monotonic() + _SECONDS_A_TICK
        while self.is_running:
            try:
                with model_calls:
                    record = next(self.records, None)
            except (MemoryError, RuntimeError):  # torch's own word for too little memory
                record, self.message = None, _NO_MEMORY
            if record is None:
                self.is_running = False
                return
            self.found.append(record)
            if time.monotonic() >= until:
                return


def byte_limit() -> int:
    """Return the largest square of scores that this server may be asked to hold, in bytes."""
    low, high = _BYTE_LIMITS
    return max(low, min(high, (memory_total() or 0) // _SHARE_OF_MEMORY))


def draw_and_measure(before: Measured, draw: Callable[[Measured], None]) -> None:
    """Draw what was measured here, or else before, and under it the way to measure here.

    Parameters
    ----------
    before : Measured
    draw : callable
        Draws measurements; called again and again while some are under way.
    """
    measuring = st.session_state.get(_KEY)
    is_running = measuring is not None and measuring.is_running
    st.fragment(_panel, run_every=0.7 if is_running else None)(before, draw, is_running)


def measured_here() -> Measured | None:
    """Return what this visitor has measured here so far; None if nothing."""
    measuring = st.session_state.get(_KEY)
    if measuring is None or not measuring.found:
        return None
    costs = tuple(record for record in measuring.found if isinstance(record, AttentionCost))
    writing = tuple(record for record in measuring.found if isinstance(record, WritingCost))
    provenance = (
        f"This server: {processor_name()}, one thread, processor time · float32 · torch"
        f" {torch.__version__} · a square of scores may take {byte_limit() >> 20} MiB here, a call"
        f" {_SECOND_LIMIT:g} s"
    )
    return Measured(costs, writing, provenance)


def _panel(before: Measured, draw: Callable[[Measured], None], was_running: bool) -> None:
    measuring = st.session_state.get(_KEY)
    if was_running and measuring is not None:
        measuring.go_on()
    is_running = measuring is not None and measuring.is_running
    if is_running != was_running:
        st.rerun()  # the clock of this fragment starts and stops with a full run
    with st.container(key="live_cost"):
        draw(measured_here() or before)
    with st.container(horizontal=True, vertical_alignment="center"):
        if is_running:
            st.button("Cancel", icon=":material/stop:", key="cost_cancel", on_click=_cancel)
            st.progress(len(measuring.found) / _MOST_RECORDS, _told(measuring))
        else:
            _buttons(measuring)


def _buttons(measuring: _Measuring | None) -> None:
    st.button(
        "Measure on this server",
        icon=":material/timer:",
        key="cost_measure",
        on_click=_begin,
        help=f"Some seconds. Squares of scores beyond {byte_limit() >> 20} MiB are left out, and what"
        f" takes longer than {_SECOND_LIMIT:g} s is not asked for more.",
    )
    if measuring is not None:
        if measuring.message:
            st.warning(measuring.message, icon=":material/memory:")
        st.button("As measured before", key="cost_before", type="tertiary", on_click=_forget)


def _begin() -> None:
    records = plan(rounds=_ROUNDS, byte_limit=byte_limit(), second_limit=_SECOND_LIMIT)
    st.session_state[_KEY] = _Measuring(records)


def _cancel() -> None:
    if measuring := st.session_state.get(_KEY):
        measuring.is_running = False


def _forget() -> None:
    st.session_state.pop(_KEY, None)


def _told(measuring: _Measuring) -> str:
    """Say what was measured last."""
    if not measuring.found:
        return "Measuring"
    last = measuring.found[-1]
    if isinstance(last, WritingCost):
        return f"next character after {last.length:,}"
    return f"{last.method}, {last.length:,} tokens: {1e3 * last.seconds:.2f} ms"
