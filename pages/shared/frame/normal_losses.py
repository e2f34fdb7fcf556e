"""What a training is held to while one waits: chance, counting, and other seeds."""

import math
from typing import NamedTuple

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.normal_losses.results import NormalLossResults
from lm_core.experiments.war_and_peace.experiment import NAME
from lm_core.experiments.war_and_peace.results import BookLosses
from lm_core.jobs.records import RunConfig
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from pages.shared.charts.lines import Band
from pages.shared.ui.messages import show_error


class Yardsticks(NamedTuple):
    """What is drawn behind a loss."""

    band: Band  # steps, and the lowest and the highest loss of other seeds; empty if there are none
    n_seeds: int
    levels: dict[str, float]  # nats, by name

    @property
    def note(self) -> str:
        """What the band says; empty if there is none."""
        if not self.band:
            return ""
        together = int(self.band[0][0])
        each = f", each the mean of {together} steps" if together > 1 else ""
        return (
            f"Shaded: where the losses of {self.n_seeds} other seeds of the same training lay{each}. A loss that stays far above them is hardly chance, so look for what is"
            " different; one that jumps about them is normal, because each step learns from other examples."
        )


def yardsticks(config: RunConfig, steps: int) -> Yardsticks:
    """Return what the losses of a training can be held to, up to a step."""
    size = config.model.get("vocabulary_size") or config.model.get("numbers")
    levels = {"uniform": math.log(size)} if size else {}
    is_of_book = (config.corpus, config.vocabulary) == (WAR_AND_PEACE.name, SOURCE.name)
    if config.experiment == NAME and is_of_book:
        levels |= {"n-gram": _counted()}
    try:
        normal = _of_other_seeds().of_run(config)
    except ResultError as error:  # the curve itself is there all the same
        show_error(error, st.warning)
        normal = None
    if normal is None:
        return Yardsticks([], 0, levels)
    return Yardsticks([row for row in normal.band if row[0] <= steps], len(normal.losses), levels)


@st.cache_resource(max_entries=1, show_spinner=False)
def _of_other_seeds() -> NormalLossResults:
    return NormalLossResults.load()


@st.cache_data(max_entries=1, show_spinner=False)
def _counted() -> float:
    return BookLosses.load().of("book-ngram").losses["B"].nats
