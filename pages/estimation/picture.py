"""The two curves of P(bird | x): for animals that can fly, and for those that cannot."""

import math

import numpy as np
import streamlit as st

from lm_core.experiments.estimation.experiment import Experiment, Method
from pages.estimation.choices import Choice
from pages.estimation.measured import experiment, population
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_ROWS = {"can fly": 1, "cannot fly": 0}


def draw_estimates(choice: Choice) -> None:
    """Draw both curves, and under each what it says of the animal that is asked about."""
    found = experiment(choice.settings)
    for column, (name, row) in zip(st.columns(2, gap="medium"), _ROWS.items(), strict=True):
        with column:
            _curve(choice, found, name, row)


def _curve(choice: Choice, found: Experiment, name: str, row: int) -> None:
    grid = population()
    curves = found.curves[:, row].numpy()
    cell = int((grid.lengths - choice.length).abs().argmin())
    own, others, truth = curves[0, cell], curves[1:, cell], float(grid.truth[row, cell])
    title = f"P(bird | {name}, {choice.length} cm): {_probability(own)}"
    st.markdown(f"**{title}**")
    frame = charts.estimate_frame(
        grid.lengths.numpy(),
        curves if choice.has_others else curves[:1],
        grid.truth[row].numpy() if choice.has_truth else None,
    )
    alike = found.animals.can_fly == bool(row)
    lengths, is_bird = found.animals.lengths[alike].numpy(), found.animals.is_bird[alike].numpy()
    told = _told(choice, others, truth)
    show_chart(
        charts.estimate_chart(frame, lengths, is_bird, now=choice.length),
        frame,
        key=f"estimate_{row}",
        alt=f"{title}. {told}",
        name=f"p-bird-{name.replace(' ', '-')}",
    )
    st.caption(
        f"{len(lengths)} animals that {name}, {int(is_bird.sum())} of them birds (▲). {told}"
    )


def _told(choice: Choice, others: np.ndarray, truth: float) -> str:
    parts = [f"In truth {truth:.0%}."] if choice.has_truth else []
    if choice.has_others:
        present = others[~np.isnan(others)]
        silent = len(others) - len(present)
        if len(present):
            low, high = present.min(), present.max()
            parts.append(f"Other samples say {low:.0%} to {high:.0%}.")
        if silent:
            parts.append(f"{silent} of {len(others)} have no such animal to count.")
    return " ".join(parts)


def _probability(value: float) -> str:
    return "nothing to count" if math.isnan(value) else f"{value:.0%}"


def explain(choice: Choice) -> None:
    """Say what the method on screen does with the sample."""
    settings = choice.settings
    match settings.method:
        case Method.COUNTING:
            text = (
                f"**Counting** divides the lengths into {settings.intervals} intervals and takes, of"
                " the animals in the same interval, the share that are birds. It assumes next to"
                " nothing, and so it says nothing where it has seen no animal, and 0% or 100% where"
                " it has seen one."
            )
        case Method.LOGISTIC:
            text = (
                "**Logistic regression** assumes f(x; w) = σ(w₀ + w₁ · can fly + w₂ · log length):"
                " three weights, of which the sample chooses the likeliest. It answers everywhere,"
                " and can only rise or only fall with the length, whatever is true."
            )
        case Method.NETWORK:
            weights = 4 * settings.hidden + 1
            text = (
                f"**A small network** assumes f(x; w) = σ(c + v · tanh(A x + b)) with"
                f" {settings.hidden} hidden units: {weights} weights, chosen in the same way. It can"
                " bend where the truth bends, and where the sample has gaps it guesses."
            )
    st.markdown(text)
