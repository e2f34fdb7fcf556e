"""Thirty runs: the same experiment again and again, by one visitor or by a class of phones."""

from lm_core.experiments.thirty_runs.runs import (
    estimate_of_sample,
    failures_of_starts,
    inertia_of_start,
    running_means,
)
from pages.shared import page
from pages.thirty_runs.restarts import NAME as RESTARTS
from pages.thirty_runs.restarts import restarts
from pages.thirty_runs.samples import NAME as SAMPLES
from pages.thirty_runs.samples import samples
from pages.thirty_runs.starts import NAME as STARTS
from pages.thirty_runs.starts import starts

PARTS = [
    page.Part(SAMPLES, samples, (estimate_of_sample, running_means)),
    page.Part(STARTS, starts, (failures_of_starts, running_means)),
    page.Part(RESTARTS, restarts, (inertia_of_start,)),
]

page.draw(
    "thirty-runs",
    "One run may be luck, so here the same experiment is made thirty times. Thirty runs, each"
    " with random numbers of its own, say how much of a result is chance. In a class, each phone"
    " makes a run.",
    PARTS,
)
