"""The activation functions in numbers: slopes, ranges, and how often each fails at XOR."""

from collections.abc import Callable, Collection

import streamlit as st
import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.experiments.perceptron.study import PerceptronResults
from lm_core.experiments.published import SLIDES
from lm_core.models.activations import ACTIVATIONS, Activation
from pages.shared import page
from pages.shared.numbers import percent, significant

_TITLES = "function|f(a)|f′(a)|values between|f′(−5)|f′(0)|f′(5)|saturates|XOR fails, 2 / 4 units"


def value_at(function: Callable[[Tensor], Tensor], a: float) -> float:
    """Return a function at one place."""
    return float(function(torch.tensor([a], dtype=torch.float64))[0])


def draw_table(hidden: Collection[str]) -> None:
    """Show every function with its derivative, its range, where it saturates and how often XOR fails."""
    try:
        results = PerceptronResults.load()
    except ResultError:
        results = None
    rows = []
    for name, activation in ACTIVATIONS.items():
        values = [significant(value_at(activation.derivative, a), 2) for a in (-5.0, 0.0, 5.0)]
        slopes = ["?"] * len(values) if name in hidden else values
        shares = "not measured"
        if results is not None:
            shares = " / ".join(percent(results.of(name, width, 1).share) for width in (2, 4))
        formulas = (f"${activation.formula}$", f"${activation.slope_formula}$")
        ends = (_sides(activation), shares)
        rows.append((activation.full_title, *formulas, _range(activation), *slopes, *ends))
    page.show_rows(_TITLES.split("|"), rows, sideways="activations")
    st.caption(
        f"As the range of ELU, Swish and GELU, {SLIDES} give all numbers, but the values of these"
        " three never fall below −α, −0.28 and −0.17, so that is a slip."
    )


def _range(activation: Activation) -> str:
    low, high = (significant(end, 2) for end in activation.range)
    return f"{low} and {high}"


def _sides(activation: Activation) -> str:
    left, right = activation.saturates
    return "both sides" if left and right else "left" if left else "right" if right else "no"
