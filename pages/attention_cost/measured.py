"""The measurements that are drawn: those that come with the project, or those made here."""

from typing import NamedTuple

import streamlit as st
from lm_core.experiments.attention_cost.generation_cost import WritingCost
from lm_core.experiments.attention_cost.measure import METHODS, AttentionCost

from lm_core.experiments.attention_cost.results import CostResults, load_results
from pages.shared.charts import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION

LOOKS = dict(
    zip(
        METHODS,
        (LineStyle(VERMILLION), LineStyle(PURPLE, 1), LineStyle(BLUE, 2), LineStyle(GREEN)),
        strict=True,
    )
)
CACHE_LOOKS = {"cached": LineStyle(BLUE), "read anew": LineStyle(VERMILLION, 1)}


class Measured(NamedTuple):
    """What was measured on one machine, in the order of the measurements."""

    costs: tuple[AttentionCost, ...]
    writing: tuple[WritingCost, ...]
    provenance: str

    def seconds(self, method: str) -> dict[int, float]:
        """Return a method's times by length."""
        return {cost.length: cost.seconds for cost in self.costs if cost.method == method}


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped() -> CostResults:
    """Return the measurements that come with the project.

    Raises
    ------
    ResultError
        If they are missing or of another version.
    """
    return load_results()


def shipped_measurements() -> Measured:
    """Return `shipped`'s measurements by length, with their provenance."""
    results = shipped()
    provenance = (
        f"{results.machine}, one thread, processor time · float32 · torch {results.torch} ·"
        f" {results.date[:10]}"
    )
    return Measured(results.costs, results.writing, provenance)
