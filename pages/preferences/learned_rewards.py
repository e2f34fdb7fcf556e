"""What a reward model has learned from the pairs so far."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.preferences.results import PreferenceResults
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.numbers import percent

_CURVE, _NOW = "reward models", "this one"
_STYLES = {_CURVE: page.LineStyle(BLUE), _NOW: page.LineStyle(ORANGE)}


class Learned(NamedTuple):
    """What a reward model has come to."""

    n: int  # comparisons that it has learned from
    accuracy: float | None  # on held-out pairs, of a rule; of people, the share of votes predicted
    n_judged: int  # over how many the share is taken


def draw_learned(results: PreferenceResults, rule: str, learned: Learned) -> None:
    """Draw the accuracy of reward models by number of comparisons, and where this one is."""
    found = results.rules[rule].accuracies
    means = [(float(a.comparisons), sum(a.accuracies) / len(a.accuracies)) for a in found]
    (n, first), (most, last) = means[0], means[-1]
    title = f"{rule}: {percent(first)} after {n:.0f} comparisons, {percent(last)} after {most:.0f}"
    if not page.is_presenting():
        st.caption(f"Held-out accuracy of reward models for {title}")
    rings, this_one = {}, ""
    if learned.accuracy is not None:
        rings[_NOW] = [(float(min(max(learned.n, 2), 400)), learned.accuracy)]
        this_one = f"; this one {percent(learned.accuracy)}"
    draws = zip(*(a.accuracies for a in found), strict=True)
    page.show_lines(
        "accuracies",
        {_CURVE: means},
        _STYLES,
        page.Axis("comparisons", (2.0, 400.0), True, (2, 5, 10, 20, 50, 100, 200, 400)),
        page.Axis("right judgements", (0.3, 1.0), form=".0%"),
        bands={
            _CURVE: [(float(a.comparisons), min(a.accuracies), max(a.accuracies)) for a in found]
        },
        beside={f"draw {i}": shares for i, shares in enumerate(draws, 1)},
        said=f"Held-out accuracy for {title}{this_one}.",
        references={"chance": [(2.0, 0.5), (400.0, 0.5)]},
        rings=rings,
        has_points=True,
        height=200,
    )
