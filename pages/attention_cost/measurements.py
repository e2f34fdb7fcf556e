"""The measurements that are drawn: those that come with the project, or those made on this server.

On the server, records come one at a time, bounded in time and memory, and a visitor can cancel.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st
import torch

from lm_core.experiments.attention_cost import study
from lm_core.experiments.attention_cost.measurement import METHODS, AttentionCost, GenerationCost
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.experiments.attention_cost.study import measure_all
from pages.attention_cost.measurement_in_progress import Measuring
from pages.shared import page
from pages.shared.server.start import memory_total

NAIVE, FUSED, LOCAL, LINEAR = METHODS

_KEY = "cost_measuring"
_MOST_RECORDS = len(METHODS) * len(study.LENGTHS) + len(study.GENERATION_LENGTHS)
_SECOND_LIMIT = 0.1
_ROUNDS = 2
_BYTE_LIMITS = (16 << 20, 128 << 20)
_SHARE_OF_MEMORY = 48  # a score matrix takes about five times its size while it is computed


class Measurements(NamedTuple):
    """What was measured on one machine, in the order of the measurements."""

    costs: tuple[AttentionCost, ...]
    generation: tuple[GenerationCost, ...]
    provenance: str

    def seconds(self, method: str) -> dict[int, float]:
        """Return a method's times by length."""
        return {cost.length: cost.seconds for cost in self.costs if cost.method == method}


shipped_results = partial(page.shipped, CostResults)  # returns what comes with the project


def shipped_measurements() -> Measurements:
    """Return the measurements of `shipped_results`, with their provenance."""
    results = shipped_results()
    facts = results.provenance
    provenance = (
        f"{facts['device']}, one thread, processor time · float32 · torch"
        f" {facts['versions']['torch']} · {facts['date'][:10]}"
    )
    return Measurements(results.costs, results.generation, provenance)


# Measuring on this server ---------------------------------------------------------------------


def byte_limit() -> int:
    """Return the largest score matrix that this server may be asked to hold, in bytes."""
    low, high = _BYTE_LIMITS
    return max(low, min(high, (memory_total() or 0) // _SHARE_OF_MEMORY))


def draw_and_measure(shipped: Measurements, draw: Callable[[Measurements], None]) -> None:
    """Draw the measurements of this server, or else the shipped ones, and the buttons to measure.

    `draw`: callable, draws measurements; called again and again while some are in progress.
    """
    measuring = st.session_state.get(_KEY)
    is_running = measuring is not None and measuring.is_running
    page.fragment(_panel, run_every=0.7 if is_running else None)(shipped, draw, is_running)


def measured_here() -> Measurements | None:
    """Return what this visitor has measured on this server so far; None if nothing."""
    measuring = st.session_state.get(_KEY)
    if measuring is None or not measuring.found:
        return None
    costs = tuple(record for record in measuring.found if isinstance(record, AttentionCost))
    generation = tuple(record for record in measuring.found if isinstance(record, GenerationCost))
    provenance = (
        f"This server: {study.processor_name()}, one thread, processor time · float32 · torch"
        f" {torch.__version__} · limits: {byte_limit() >> 20} MiB for a score matrix,"
        f" {_SECOND_LIMIT:g} s for a call"
    )
    return Measurements(costs, generation, provenance)


def _panel(shipped: Measurements, draw: Callable[[Measurements], None], was_running: bool) -> None:
    measuring: Measuring | None = st.session_state.get(_KEY)
    if was_running and measuring is not None:
        measuring.go_on()
    is_running = measuring is not None and measuring.is_running
    if is_running != was_running:
        st.rerun()  # the clock of this fragment starts and stops with a full run
    draw(measured_here() or shipped)
    with st.container(horizontal=True, vertical_alignment="center"):
        if measuring is not None and measuring.is_running:
            st.button("Cancel", icon=":material/stop:", key="cost_cancel", on_click=_cancel)
            st.progress(len(measuring.found) / _MOST_RECORDS, _progress_text(measuring))
        else:
            _buttons(measuring)


def _buttons(measuring: Measuring | None) -> None:
    st.button(
        "Measure on this server",
        icon=":material/timer:",
        key="cost_measure",
        on_click=_begin,
        help=f"This takes some seconds. Because others use this server as well, score matrices above"
        f" {byte_limit() >> 20} MiB are skipped, and a method that takes longer than {_SECOND_LIMIT:g} s is not"
        " measured at greater lengths.",
    )
    if measuring is not None:
        if measuring.message:
            st.warning(measuring.message, icon=":material/memory:")
        st.button("Show the shipped results", key="cost_shipped", type="tertiary", on_click=_forget)


def _begin() -> None:
    records = measure_all(rounds=_ROUNDS, byte_limit=byte_limit(), second_limit=_SECOND_LIMIT)
    st.session_state[_KEY] = Measuring(records)


def _cancel() -> None:
    if measuring := st.session_state.get(_KEY):
        measuring.is_running = False


def _forget() -> None:
    st.session_state.pop(_KEY, None)


def _progress_text(measuring: Measuring) -> str:
    """Return what was measured last."""
    if not measuring.found:
        return "Measuring"
    last = measuring.found[-1]
    if isinstance(last, GenerationCost):
        return f"next character after {last.length:,}"
    return f"{last.method}, {last.length:,} tokens: {1e3 * last.seconds:.2f} ms"
