"""A prior on a weight becomes weight decay: likelihood, prior and both together along one slope."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.experiments.estimation.reasons import flying_sample, prior_nats, slope_nats
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.turns import model_calls

_STEEPEST, _MOST_NATS = 14.0, 30.0
_SLOPES = torch.linspace(0.0, _STEEPEST, 141, dtype=torch.float64)
_TIMES = 10
_SAMPLE, _PRIOR, _BOTH = "sample", "prior", "both"
_STYLES = {_SAMPLE: LineStyle(BLUE), _PRIOR: LineStyle(VERMILLION, 1), _BOTH: LineStyle(PURPLE, 2)}
_NEARER, _SAME, _SMALLER = "Nearer to the sample's own", "At the same slope", "Nearer to 0"


class _Settings(NamedTuple):
    """The sample and the prior."""

    prior_animals: int = page.field(
        page.pick, "Animals in the sample", (20, 50, 100, 200), 50, width=170
    )
    decay: float = page.field(
        page.pick,
        "Strength of the prior, λ",
        (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
        1.0,
        format_func="{:g}".format,
        width=200,
        help="How sure one is beforehand that the slope is small: a normal distribution about 0 with the"
        " variance 1/λ.",
    )
    sample: int = page.folded(page.number, "Sample", 0, 9_999, 0)


def why_a_penalty(screen: page.FirstScreen) -> None:
    """Draw minus the logarithm of the likelihood, of the prior and of their product, by slope."""
    chosen = page.controls(_Settings, screen)
    nats = _nats(chosen.prior_animals, chosen.sample)
    penalty = prior_nats(_SLOPES, chosen.decay)
    curves = {_SAMPLE: nats - nats.min(), _PRIOR: penalty, _BOTH: nats + penalty - nats.min()}
    best = {name: int(curves[name].argmin()) for name in (_SAMPLE, _BOTH)}
    asked = _ask(screen, chosen)
    more = f"both, {chosen.prior_animals * _TIMES:,} animals"
    later = () if asked.masks else [(_best(chosen, chosen.prior_animals * _TIMES), 0.0)]
    own, both = (float(_SLOPES[best[name]]) for name in (_SAMPLE, _BOTH))
    with screen.picture:
        alone = f"beyond {_STEEPEST:g}" if own == _STEEPEST else f"{own:.1f}"
        st.markdown(f"**The best slope: {alone} by the sample alone, {both:.1f} with the prior**")
        page.show_lines(
            "penalty_nats",
            {
                name: [(x, y) for x, y in _pairs(values) if y <= _MOST_NATS]
                for name, values in curves.items()
            },
            {**_STYLES, more: LineStyle(GREEN)},
            Axis("slope of the logistic regression", (0.0, _STEEPEST)),
            Axis("−log, nats", (0.0, _MOST_NATS)),
            rings={
                name: [(float(_SLOPES[at]), float(curves[name][at]))] for name, at in best.items()
            }
            | {more: later},
            at=both,
        )
    page.note_beside(
        screen,
        "Before a sample is seen, small slopes are taken to be likelier: the *prior* N(0, 1/λ). By *Bayes'"
        " rule* the slope's probability afterwards is likelihood times prior. Minus its logarithm is a sum:"
        " the *cross-entropy* of all animals (blue) and **λ/2 · slope²** (red, dashed). That second term"
        " is *weight decay*, which is why a penalty on weights is a belief about them.",
    )
    page.note_beside(screen, _explained(chosen.prior_animals, own, both))


def _explained(n: int, own: float, both: float) -> str:
    if own == _STEEPEST:
        alone = (
            f"These {n} animals alone ask for a slope beyond {_STEEPEST:g}, because hardly any of them lies"
            " on the wrong side of a line between birds and others: as far as is drawn here, the steeper the slope,"
            " the larger their likelihood."
        )
    else:
        alone = f"These {n} animals alone are likeliest at a slope of **{own:.1f}**."
    return f"{alone} With the prior it is **{both:.1f}**, because there the fall of one is the rise of the other."


@st.cache_data(max_entries=64, show_spinner=False)
def _nats(n: int, sample: int) -> torch.Tensor:
    with model_calls:
        return slope_nats(flying_sample(n, sample), _SLOPES)


def _ask(screen: page.FirstScreen, chosen: _Settings) -> page.Asked[str]:
    def reason(_: str | None) -> str:
        few, many = (
            _best(chosen, chosen.prior_animals),
            _best(chosen, chosen.prior_animals * _TIMES),
        )
        return (
            f"From {chosen.prior_animals} animals it is at {significant(few, 2)}, from {chosen.prior_animals * _TIMES:,} at"
            f" **{significant(many, 2)}** (the mark on the axis). Each animal adds a term to the first sum, but the prior stays one"
            " term: so the more one has seen, the less counts what one believed before."
        )

    return page.ask(
        screen,
        "penalty",
        f"Now {_TIMES} times as many animals, with the same prior. Where is the best slope of both together?",
        (_NEARER, _SAME, _SMALLER),
        right=_NEARER,
        reason=reason,
    )


def _best(chosen: _Settings, n: int) -> float:
    both = _nats(n, chosen.sample) + prior_nats(_SLOPES, chosen.decay)
    return float(_SLOPES[both.argmin()])


def _pairs(values: torch.Tensor) -> list[tuple[float, float]]:
    return list(zip(_SLOPES.tolist(), values.tolist(), strict=True))
