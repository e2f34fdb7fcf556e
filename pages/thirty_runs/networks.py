"""The networks that a class trains: one after the other, on the text whose entropy is known."""

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeVar

import streamlit as st

from lm_core.experiments.neural_language_model.training import ADAMW, Examples
from lm_core.experiments.thirty_runs.scaling import (
    SWEPT_SIZES,
    ScalingResults,
    Source,
    loss_above_entropy,
    shipped_source,
)
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import ORANGE
from pages.thirty_runs.picture import RUNS, Runs

Setting = TypeVar("Setting", bound=Hashable)
LOSS = page.Axis(
    "nats a character above the entropy", (0.05, 2.0), True, (0.05, 0.1, 0.2, 0.5, 1.0)
)
OWN = "yours"


def swept_sizes() -> dict[str, tuple[int, int]]:
    """Return the networks whose rates were swept by how many weights they have, as the results know them."""
    swept = page.shipped(ScalingResults).swept[ADAMW]
    weights = dict.fromkeys(network.parameters for network in swept)
    return {f"{n:,}": size for n, size in zip(weights, SWEPT_SIZES, strict=True)}


def weights_of(size: tuple[int, int]) -> str:
    """Return how many weights the network of one of `swept_sizes` has."""
    return next(n for n, swept in swept_sizes().items() if swept == size)


def choose_trainings() -> int:
    """Draw how many trainings there are to be, and return it."""
    return page.pick("runs", "Trainings", RUNS, 30, width=110)


@st.cache_data(max_entries=512, show_spinner="Your phone's network learns")
def trained(
    size: tuple[int, int],
    rate: float,
    seed: int,
    *,
    optimizer: str = ADAMW,
    dropout: float = 0.0,
    n_examples: int | None = None,
) -> float:
    """Return what a network loses above the entropy after its training, made once for all."""
    source, examples = source_and_examples()
    return loss_above_entropy(
        source,
        examples.first(n_examples) if n_examples else examples,
        size,
        rate,
        seed,
        optimizer=optimizer,
        dropout=dropout,
        model_turn=lambda: page.model_calls,
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def source_and_examples() -> tuple[Source, Examples]:
    """Return the text whose entropy is known, and what is drawn from it."""
    with page.model_calls:
        source = shipped_source()
        return source, source.draw(generator(0))


def by_setting(runs: Runs, settings: Sequence[Setting]) -> dict[Setting, list[float]]:
    """Return what the runs of each setting came to, of those that have any; the runs take them in turn."""
    found: dict[Setting, list[float]] = {}
    for run in sorted(runs.made, key=lambda run: (run.number - 1) % len(settings)):
        found.setdefault(settings[(run.number - 1) % len(settings)], []).append(run.value)
    return found


def of_kind(runs: Runs, settings: Sequence[tuple[Hashable, float]], kind: Hashable) -> Runs:
    """Return the runs whose setting begins with a kind."""
    return runs._replace(
        made=[run for run in runs.made if settings[(run.number - 1) % len(settings)][0] == kind]
    )


def best_of(found: Mapping[Setting, list[float]]) -> Setting:
    """Return the setting whose runs lose least on average."""
    return min(found, key=lambda setting: fmean(found[setting]))


def show_trainings(
    key: str,
    runs: Runs,
    places: Sequence[float],
    lines: Mapping[str, Sequence[tuple[float, float]]],
    styles: Mapping[str, page.LineStyle],
    axes: tuple[page.Axis, page.Axis],
    **drawn: Any,
) -> None:
    """Draw lines, a dot for each run at the place of its setting, and rings about this visitor's own.

    `drawn`: what else `page.show_lines` draws.
    """
    made = [(run, (places[(run.number - 1) % len(places)], run.value)) for run in runs.made]
    own = [place for run, place in made if run.is_own]
    drawn["rings"] = ({OWN: own} if own else {}) | drawn.get("rings", {})
    named = {f"run {run.number} ({run.made_by})": [place] for run, place in made}
    styled = {**styles, OWN: page.LineStyle(ORANGE)}
    page.show_lines(key, lines, styled, *axes, dots=named, **drawn)
