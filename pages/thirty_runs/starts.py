"""Starts: the same small network from thirty random weights, on XOR."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.perceptron.study import PerceptronResults
from lm_core.experiments.thirty_runs.runs import failures_of_starts, running_means
from pages.shared import page
from pages.shared.charts.lines import Axis
from pages.shared.numbers import percent
from pages.thirty_runs.picture import MEAN, RUNS, Runs, draw_runs, runs_of, share_out, so_far

NAME = "Starts"


class Starts(NamedTuple):
    """The network, and from how many starts it is trained."""

    units: int = page.field(page.pick, "Hidden units", (2, 3, 4), 2, width=130)
    runs: int = page.field(page.pick, "Starts", RUNS, 30, width=110)


@st.cache_data(max_entries=8, show_spinner="Training")
def _failures(units: int) -> list[float]:
    with page.model_calls:
        return failures_of_starts(units, RUNS[-1])


def _make(settings: Mapping[str, str], number: int) -> float:
    return _failures(int(settings["units"]))[number]


def starts(screen: page.FirstScreen) -> None:
    """Draw which starts fail, their share so far, and the share of five hundred."""
    chosen = page.controls(Starts, screen)
    settings = {"units": str(chosen.units)}
    runs = runs_of(NAME, settings, chosen.runs, _make)
    measured = page.shipped(PerceptronResults).of("tanh", int(runs.settings["units"]), 1)
    asked = page.ask(
        screen,
        "band",
        "After 30 starts the share of failures has a band of two standard errors to each side. How wide is it"
        " in all?",
        {"About 9 points": 0.09, "About 18 points": 0.18, "About 37 points": 0.37},
        right=lambda: _width(runs),
        reason=lambda _: (
            f"**{percent(_width(runs))}**: yes or no is all that a run says, and √(p (1 − p) / n)"
            " falls slowly. For a band half as wide it takes four times as many runs, so an experiment with five"
            " seeds can hardly tell 40% from 60%."
        ),
        when=chosen == page.starts(Starts) and not runs.is_of_class,
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, measured.share, is_masked=asked.masks)}**")
        draw_runs(
            "failures",
            runs,
            Axis("failed (1) or not (0); share of failures", (-0.1, 1.1), values=(0.0, 0.5, 1.0)),
            MEAN,
            {f"of {measured.starts} starts": measured.share},
            is_masked=asked.masks,
        )
    share_out(screen, NAME, runs, settings, chosen.runs, _make)
    page.note_beside(
        screen,
        "Each dot is one training of the same network on XOR, from random weights of its own: at 1 it has"
        " failed, at 0 it has learned all four points. Nothing else differs, so chance alone decides. The line is the share of failures so far.",
    )


def _width(runs: Runs) -> float:
    last = running_means(runs.values)[-1]
    return last.high - last.low


def _finding(runs: Runs, of_many: float, *, is_masked: bool) -> str:
    if not runs.made:
        return f"No run has come in yet, of {runs.n_runs}"
    if is_masked or len(runs.made) == 1:
        return f"Start {runs.made[0].number} {'fails' if runs.values[0] else 'learns XOR'}. What do the others do?"
    last = running_means(runs.values)[-1]
    low, high = max(last.low, 0.0), min(last.high, 1.0)
    return (
        f"{so_far(runs)}: {sum(runs.values):.0f} fail, between {percent(low)} and {percent(high)}; of many"
        f" starts {percent(of_many)} do"
    )
