"""Restarts: k-means from thirty random centres on the same points, and the lowest inertia so far."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.thirty_runs.runs import POINTS, inertia_of_start, reaches_lowest
from pages.shared import page
from pages.shared.numbers import significant
from pages.thirty_runs.picture import LOWEST, RUNS, Runs, draw_runs, runs_of, share_out, so_far

NAME = "Restarts"
_DATA = ("95 : 5", "unequal sizes", "two blobs", "moons", "rings", "no structure")


class Restarts(NamedTuple):
    """The points, the number of clusters, and how often k-means starts anew."""

    data: str = page.field(page.choice, "Data", _DATA, width=160)
    clusters: int = page.field(page.pick, "Clusters", (2, 3, 4, 5, 6), 2, width=110)
    runs: int = page.field(page.pick, "Restarts", RUNS, 30, width=110)


@st.cache_data(max_entries=4_096, show_spinner=False)
def _inertia(data: str, clusters: int, number: int) -> float:
    with page.model_calls:
        return inertia_of_start(data, clusters, number)


def _make(settings: Mapping[str, str], number: int) -> float:
    return _inertia(settings["data"], int(settings["clusters"]), number)


def restarts(screen: page.FirstScreen) -> None:
    """Draw where each restart ends, and the lowest so far."""
    chosen = page.controls(Restarts, screen)
    settings = {"data": chosen.data, "clusters": str(chosen.clusters)}
    runs = runs_of(NAME, settings, chosen.runs, _make)
    asked = page.ask(
        screen,
        "lowest",
        "How many of 30 restarts of k-means end at the lowest inertia that any of them finds?",
        {"All": 1.0, "About half": 0.5, "About one in six": 0.17},
        right=lambda: sum(reaches_lowest(runs.values)) / len(runs.made),
        reason=lambda _: (
            f"**{sum(reaches_lowest(runs.values))} of {len(runs.made)}**. Each restart goes"
            " downhill from its own random centres and stops in the first valley. Which valley that is, only chance"
            " decides, so one keeps the best of several."
        ),
        when=chosen == page.starts(Restarts) and not runs.is_of_class,
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, is_masked=asked.masks)}**")
        values = runs.values[:1] if asked.masks else runs.values
        draw_runs(
            "inertias",
            runs,
            page.Axis.around("inertia at the end of k-means", values or [0.0, 1.0]),
            LOWEST,
            {},
            is_masked=asked.masks,
        )
    share_out(screen, NAME, runs, settings, chosen.runs, _make)
    page.note_beside(
        screen,
        f"Each dot is one run of k-means on the same {POINTS} points, from random centres of its own, so the runs may end in different places. *Inertia* is"
        " the sum of squared distances to the nearest centre, which k-means lowers. The line is the lowest so far.",
    )


def _finding(runs: Runs, *, is_masked: bool) -> str:
    if not runs.made:
        return f"No run has come in yet, of {runs.n_runs}"
    if is_masked or len(runs.made) == 1:
        return f"Restart {runs.made[0].number} ends at {significant(runs.values[0], 4)}. Is that the lowest?"
    lowest = sum(reaches_lowest(runs.values))
    return (
        f"{so_far(runs)}: {lowest} end at {significant(min(runs.values), 4)}, the lowest; the worst at"
        f" {significant(max(runs.values), 4)}"
    )
