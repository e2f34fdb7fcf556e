"""What the workers of *One model* have sent, and where it has led their network."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.thirty_runs import workers
from lm_core.experiments.thirty_runs.workers import STEPS
from pages.shared import page
from pages.shared.classroom.class_runs import ClassRuns
from pages.thirty_runs.networks import source_and_examples

KINDS = (*workers.FACTORS,)
"""What may be sent; a run comes to its place among these, and 0 is nothing."""
Rows = tuple[tuple[str, ...], ...]
"""What each worker sends, for each step."""


class Sent(NamedTuple):
    """What the workers have sent."""

    n_workers: int
    made: Rows  # the steps that were made
    # the aliases of those who have sent for the next step, and what this visitor has sent for it
    waiting: tuple[str, ...] = ()
    own: Mapping[int, str] | None = None


@st.cache_data(max_entries=256, show_spinner="The workers compute")
def descent(n_workers: int, sent: Rows, *, is_median: bool = False) -> workers.Descent:
    """Return the way of the network that so many workers train."""
    source, examples = source_and_examples()
    with page.model_calls:
        vocabulary_size = source.following.shape[1]
        return workers.descend(examples, vocabulary_size, sent, n_workers, is_median=is_median)


def of_class(found: ClassRuns) -> Sent:
    """Return what a class has sent: the runs of a step are those of a round."""
    n = int(found.settings["workers"])
    sent = {run.number: KINDS[int(run.value)] for run in found.finished}
    made = 0
    while made < STEPS and all(made * n + k in sent for k in range(n)):
        made += 1
    rows = tuple(tuple(sent[t * n + k] for k in range(n)) for t in range(made))
    now = [run for run in found.finished if run.number >= made * n]
    own = {run.number - made * n: sent[run.number] for run in now if run.is_own}
    return Sent(n, rows, tuple(run.alias for run in now), own)
