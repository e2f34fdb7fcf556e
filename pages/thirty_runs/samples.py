"""Samples: what thirty classes would have found, each with animals of its own."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.estimation.experiment import Method
from lm_core.experiments.thirty_runs.runs import (
    LENGTH_CM,
    estimate_of_sample,
    running_means,
    standard_deviation,
    true_probability_of_bird,
)
from pages.shared import page
from pages.shared.numbers import percent
from pages.thirty_runs.picture import MEAN, RUNS, Runs, draw_runs, runs_of, share_out, so_far

NAME = "Samples"
_METHODS = {Method.LOGISTIC.value: "Logistic regression", Method.NETWORK.value: "Small network"}
_ASKED_RUNS = 30


class Samples(NamedTuple):
    """What all samples have in common, and how many there are."""

    method: str = page.field(page.choice, "Estimated by", _METHODS, width=210)
    animals: int = page.field(page.pick, "Animals in a sample", (10, 40, 160), 40, width=170)
    runs: int = page.field(page.pick, "Samples", RUNS, 30, width=110)


@st.cache_data(max_entries=4_096, show_spinner=False)
def _estimate(method: str, animals: int, number: int) -> float:
    with page.model_calls:
        return estimate_of_sample(Method(method), animals, number)


def _make(settings: Mapping[str, str], number: int) -> float:
    return _estimate(settings["method"], int(settings["animals"]), number)


def samples(screen: page.FirstScreen) -> None:
    """Draw what each sample says of one animal, their mean, and the truth."""
    chosen = page.controls(Samples, screen)
    settings = {"method": chosen.method, "animals": str(chosen.animals)}
    runs = runs_of(NAME, settings, chosen.runs, _make)
    truth = true_probability_of_bird()
    asked = page.ask(
        screen,
        "bias",
        f"Of {_ASKED_RUNS} samples of 40 animals each gives an estimate. The average of them all, how near"
        " does it come to the truth?",
        {"Within 2 points": 0.01, "About 8 points off": 0.08, "About 19 points off": 0.19},
        right=lambda: abs(running_means(runs.values)[-1].mean - truth),
        reason=lambda _: _reason(runs, truth),
        when=chosen == page.starts(Samples) and not runs.is_of_class,
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, truth, is_masked=asked.masks)}**")
        draw_runs(
            "estimates",
            runs,
            page.Axis("P(bird) that a sample gives", (0.0, 1.0), form=".0%"),
            MEAN,
            {"the truth": truth},
            is_masked=asked.masks,
        )
    share_out(screen, NAME, runs, settings, chosen.runs, _make)
    page.note_beside(
        screen,
        f"Each dot is a sample of its own, and what it says of one animal: it can fly, and is {LENGTH_CM:g} cm"
        " long. Samples differ by chance, so the dots scatter. The line is the mean of all samples so far, the band two *standard errors* about it.",
    )


def _reason(runs: Runs, truth: float) -> str:
    mean = running_means(runs.values)[-1].mean
    return (
        f"The mean is {percent(mean)}, the truth {percent(truth)}. More samples narrow the band, but about the"
        " wrong value: logistic regression has one slope for animals that fly and for those that do not, and"
        " cannot climb as steeply as the truth does here, so its estimates lie below the truth on average. That"
        " is *bias*, and the small network has much less of it."
    )


def _finding(runs: Runs, truth: float, *, is_masked: bool) -> str:
    if not runs.made:
        return f"No run has come in yet, of {runs.n_runs}"
    if is_masked or len(runs.made) == 1:
        return (
            f"Sample {runs.made[0].number} says {percent(runs.values[0])}. What do the others say?"
        )
    mean = running_means(runs.values)[-1]
    return (
        f"{so_far(runs)}: mean {percent(mean.mean)}, between {percent(mean.low)} and {percent(mean.high)};"
        f" the truth is {percent(truth)}. A typical sample lies {_points(runs)} points from the mean"
    )


def _points(runs: Runs) -> str:
    return f"{100.0 * standard_deviation(runs.values):.0f}"
