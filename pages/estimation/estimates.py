"""The estimated curves of one sample and of others, and what the method does with a sample."""

import math

import numpy as np
import streamlit as st

from lm_core.experiments.estimation.experiment import Experiment, Method
from pages.estimation.estimates_chart import estimate_chart, estimate_table
from pages.estimation.settings import Settings, population
from pages.shared import page
from pages.shared.numbers import percent

_ROWS = {"can fly": 1, "cannot fly": 0}


def draw_estimates(settings: Settings, found: Experiment) -> None:
    """Draw both curves, and under each what it says of the animal that is asked about."""
    for column, (name, row) in zip(st.columns(2, gap="medium"), _ROWS.items(), strict=True):
        with column:
            _curve(settings, found, name, row)


def finding(settings: Settings, found: Experiment) -> str:
    """Return in a line how far other samples are from this one, for the animal under the line that can fly."""
    cell = int((population().lengths - settings.length).abs().argmin())
    own, *others = found.curves[:, _ROWS["can fly"], cell].tolist()
    known = [value for value in others if not math.isnan(value)]
    sample = f"This sample of {settings.experiment.n} animals"
    said = f"{sample} has none like it" if math.isnan(own) else f"{sample} says {percent(own)}"
    if not (settings.has_others and known):
        return said
    return f"{said}, others of the same size say {percent(min(known))} to {percent(max(known))}"


def _curve(settings: Settings, found: Experiment, name: str, row: int) -> None:
    grid = population()
    curves = found.curves[:, row].numpy()
    cell = int((grid.lengths - settings.length).abs().argmin())
    own, others, truth = curves[0, cell], curves[1:, cell], float(grid.truth[row, cell])
    title = f"P(bird | {name}, {settings.length} cm): {_probability(own)}"
    st.markdown(title)
    table = estimate_table(
        grid.lengths.numpy(),
        curves if settings.has_others else curves[:1],
        grid.truth[row].numpy() if settings.has_truth else None,
    )
    alike = found.animals.can_fly == bool(row)
    lengths, is_bird = found.animals.lengths[alike].numpy(), found.animals.is_bird[alike].numpy()
    described = _described(settings, others, truth)
    page.show_chart(
        estimate_chart(
            table,
            lengths,
            is_bird,
            now=settings.length,
            is_stepped=settings.experiment.method is Method.COUNTING,
            height=240,
        ),
        table,
        key=f"estimate_{row}",
        alt=f"{title}. {described}",
        name=f"p-bird-{name.replace(' ', '-')}",
        is_small=True,
    )
    if not page.is_presenting():
        birds = int(is_bird.sum())
        st.caption(f"{len(lengths)} animals that {name}, {birds} of them birds (▲). {described}")


def _described(settings: Settings, others: np.ndarray, truth: float) -> str:
    parts = [f"True value: {percent(truth)}."] if settings.has_truth else []
    if settings.has_others:
        present = others[~np.isnan(others)]
        silent = len(others) - len(present)
        if len(present):
            low, high = present.min(), present.max()
            parts.append(f"Other samples estimate {percent(low)} to {percent(high)}.")
        if silent:
            parts.append(f"{silent} of {len(others)} contain no such animal.")
    return " ".join(parts)


def _probability(value: float) -> str:
    return "no animals" if math.isnan(value) else percent(value)


def explain(settings: Settings) -> None:
    """Say what the method on screen does with the sample."""
    experiment = settings.experiment
    match experiment.method:
        case Method.COUNTING:
            text = (
                f"**Counting** divides the lengths into {experiment.intervals} intervals. Its estimate is"
                " the share of birds among the animals in the same interval. It assumes almost nothing,"
                " so it has no estimate where it has seen no animal, and says 0 % or 100 % where it has"
                " seen a single one."
            )
        case Method.LOGISTIC:
            text = (
                "**Logistic regression** assumes f(x; w) = σ(w₀ + w₁ · can fly + w₂ · log length). Its"
                " three weights make the sample likely and are not too large: they maximise the likelihood"
                " times a *prior*, whose strength is under *More*. So it has an estimate"
                " everywhere, but one that can only rise or only fall with length, whatever is true: a"
                " weighted sum has no bends."
            )
        case Method.NETWORK:
            weights = 4 * experiment.hidden + 1
            text = (
                f"**A small network** assumes f(x; w) = σ(c + v · tanh(A x + b)) with {experiment.hidden}"
                f" hidden units. Its {weights} weights are fitted in the same way. A sum of several bent"
                " curves can bend where the truth bends. Where the sample has gaps only the prior"
                " holds it, so there it guesses."
            )
    st.markdown(text)
