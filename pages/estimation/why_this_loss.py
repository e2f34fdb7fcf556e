"""Cross-entropy against least squares: how hard each pulls at a model that is surely wrong."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.experiments.estimation.reasons import LOSSES, Descent, descend, flying_sample, pull
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import percent, significant
from pages.shared.turns import model_calls

_STEPS = 300
_STARTS = (-12, -8, -4, -2, -1, 0, 1)
_SURE = 0.01
"""What a model gives to a bird that it takes for something else."""
_CROSS_ENTROPY, _SQUARES = LOSSES
_STYLES = {_CROSS_ENTROPY: LineStyle(BLUE), _SQUARES: LineStyle(VERMILLION, 1)}
_ANSWERS = {
    "Cross-entropy, about fifty times as hard": 50.0,
    "Cross-entropy, about twice as hard": 2.0,
    "Both alike": 1.0,
    "Least squares, about twice as hard": 0.5,
}


class _Start(NamedTuple):
    """Where both descents begin, and with which animals."""

    start: int = page.field(
        page.pick,
        "Slope at the start",
        _STARTS,
        -8,
        width=260,
        help="Below 0 the model begins by taking the long animals for no birds. The further below, the more"
        " certain it is of that, because a steep sigmoid is near 0 or 1.",
    )
    sample: int = page.folded(page.number, "Sample", 0, 9_999, 0)
    descent_animals: int = page.folded(
        page.pick, "Animals in the sample", (20, 50, 100, 200, 500), 200
    )


def why_this_loss(screen: page.FirstScreen) -> None:
    """Draw the pull of both losses, and what becomes of a model that begins surely wrong."""
    chosen = page.controls(_Start, screen)
    given = torch.linspace(_SURE, 1.0 - _SURE, 99, dtype=torch.float64)
    found = {name: _descended(name, *chosen) for name in LOSSES}
    asked = _ask(screen)
    with screen.picture:
        st.markdown(f"**{_finding(chosen.start, found, is_masked=asked.masks)}**")
        left, right = st.columns(2, gap="medium")
        with left:
            page.show_lines(
                "losses_pull",
                {name: _pairs(given, pull(name, given.logit())) for name in LOSSES},
                _STYLES,
                Axis("probability given to a bird", (0.0, 1.0), form=".0%"),
                Axis("pull at its logit", (0.0, 1.0)),
                hidden=asked.hides(_SQUARES),
                at=_SURE,
                has_names=False,
                is_small=True,
            )
        with right:
            steps = torch.arange(_STEPS + 1)
            page.show_lines(
                "losses_learned",
                {name: _pairs(steps, descent.given) for name, descent in found.items()},
                _STYLES,
                Axis("step", (0.0, float(_STEPS))),
                Axis("probability given to what they are", (0.0, 1.0), form=".0%"),
                hidden=asked.hides(_SQUARES),
                has_names=False,
                is_small=True,
            )
    page.note_beside(
        screen,
        "Blue is the *cross-entropy*, red (dashed) *least squares*, the squared distance between the"
        " probability and 0 or 1. Both descend from the same slope with the same rate, on the same animals,"
        " so that only the loss makes a difference.",
    )
    if not asked.masks:
        page.note_beside(screen, _explained(found))


@st.cache_data(max_entries=128, show_spinner=False)
def _descended(name: str, start: int, sample: int, n: int) -> Descent:
    with model_calls:
        return descend(name, flying_sample(n, sample), float(start), _STEPS)


def _ask(screen: page.FirstScreen) -> page.Asked[float]:
    logit = torch.tensor(_SURE, dtype=torch.float64).logit()
    hard, soft = (float(pull(name, logit)) for name in LOSSES)
    return page.ask(
        screen,
        "losses",
        f"A model gives {percent(_SURE)} to an animal that is a bird. Which loss pulls harder at its logit?",
        _ANSWERS,
        right=hard / soft,
        reason=f"The cross-entropy pulls with 1 − p = **{hard:.2f}**, least squares with 2 (1 − p) · p (1 − p) ="
        f" **{soft:.3f}**, {significant(hard / soft, 2)} times less: its slope contains that of the sigmoid,"
        " which is flat where the model is sure, right or wrong.",
    )


def _finding(start: int, found: dict[str, Descent], *, is_masked: bool) -> str:
    """Say how many animals are right at the end, of least squares once they may be drawn."""
    shown = LOSSES[:1] if is_masked else LOSSES
    right = " and ".join(f"{name} {percent(float(found[name].right[-1]))}" for name in shown)
    slope = str(start).replace("-", "−")
    return f"Right after {_STEPS} steps from a slope of {slope}: {right} of the animals"


def _explained(found: dict[str, Descent]) -> str:
    ends = {name: float(descent.given[-1]) for name, descent in found.items()}
    right = {name: float(descent.right[-1]) for name, descent in found.items()}
    said = " and ".join(
        f"{percent(right[name])} of the animals right with {name} (mean probability {percent(ends[name])})"
        for name in LOSSES
    )
    return (
        f"After {_STEPS} steps: {said}. The cross-entropy's slope is p − 1, because the logarithm cancels"
        " the sigmoid's own slope; so the more wrong a model is, the faster it learns. That is one reason"
        " why classifiers, language models among them, are trained on it; the other is under *Samples*: it"
        " is the likelihood."
    )


def _pairs(along: torch.Tensor, values: torch.Tensor) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(along, values, strict=True)]
