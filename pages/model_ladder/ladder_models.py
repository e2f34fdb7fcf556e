"""The models of the ladder: their results, their names and their colours."""

import re
from functools import partial

import streamlit as st

from lm_core.experiments.model_ladder import families
from lm_core.experiments.model_ladder.families import models_to_score
from lm_core.experiments.model_ladder.results import LadderResults, Rung
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION

STYLES = {
    families.NGRAM: page.LineStyle(GREY, 1),
    families.MLP: page.LineStyle(ORANGE, 2),
    families.RNN: page.LineStyle(VERMILLION, 2),
    families.GRU: page.LineStyle(GREEN, 1),
    families.LSTM: page.LineStyle(BLUE),
    families.TRANSFORMER: page.LineStyle(PURPLE, 1),
    families.MIXTURE: page.LineStyle(SKY, 2),
}
_OTHER = page.LineStyle(GREEN)
_FIRST, _SECOND = "source-lstm", "ngram-9"
_SIZES = re.compile(r" \d+ x \d+(?=, )")  # what a title can do without where it goes on


results = partial(page.shipped, LadderResults)
"""Returns the shipped results, shared by all visitors."""


@st.cache_resource(max_entries=1, show_spinner=False)
def trained_models() -> dict[str, CheckpointMeta]:
    """Return the provenance of every shipped model that can be on the ladder, by name."""
    return {meta.name: meta for meta in models_to_score()}


def style_of(family: str) -> page.LineStyle:
    """Return how a family of models is drawn."""
    return STYLES.get(family, _OTHER)


def short_title(rung: Rung) -> str:
    """Return a model's title as there is room for it in a chart."""
    title = rung.title.removesuffix(", all counts").replace(" mixed with the n-gram", " + n-gram")
    title = _SIZES.sub("", title)
    return title.replace(" characters", "").replace(" character", "")


def choose_pair() -> tuple[Rung, Rung]:
    """Draw the choice of two different models, and return their rungs."""
    rungs = {rung.name: rung for rung in results().rungs}
    titles = {name: rung.title for name, rung in rungs.items()}
    first, second = choose_two(titles, ("model", "rival"), _FIRST, _SECOND)
    return rungs[first], rungs[second]


def choose_two(titles: dict[str, str], controls: tuple[str, str], *starts: str) -> tuple[str, str]:
    """Draw the choice of two different models by their titles, and return their names.

    Where one of `starts` is not there, or is the other's, its control begins with the first that is.
    """
    chosen: list[str] = []
    for control, label, start in zip(controls, ("Model", "compared with"), starts, strict=True):
        offered = {name: title for name, title in titles.items() if name not in chosen}
        begin = start if start in offered else None
        chosen.append(page.choice(control, label, offered, begin, width=260))
    return chosen[0], chosen[1]
