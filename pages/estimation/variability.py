"""What more animals mend, and what they do not: spread and bias against the size of the sample."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from lm_core.experiments.estimation.experiment import Method
from pages.estimation.choices import SIZES, Choice
from pages.estimation.measured import errors_of
from pages.shared import charts
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.ui.figures import show_chart

_SEED = 1
_SPREAD, _BIAS = "spread", "bias"
_LOOKS = {_SPREAD: charts.LineStyle(BLUE), _BIAS: charts.LineStyle(VERMILLION, 1)}
_X = charts.Axis("animals in the sample", (10, 500), is_logarithmic=True, values=SIZES)
_Y = charts.Axis("distance in P(bird)", (0.01, 1.0), is_logarithmic=True, values=(0.01, 0.1, 1))


def spread_and_bias(choice: Choice) -> None:
    """Draw both errors of the chosen method for every size of the sample."""
    # Always of the same samples, so that looking at another one costs nothing here.
    found = {n: errors_of(replace(choice.settings, n=n, seed=_SEED)) for n in SIZES}
    frame = pd.DataFrame(
        {
            "animals": SIZES,
            _SPREAD: [one.spread for one in found.values()],
            _BIAS: [one.bias for one in found.values()],
        }
    )
    few, many = 50, 500
    ratio = found[few].spread / found[many].spread
    title = f"From {few} to {many} animals the spread shrinks {ratio:.1f} times"
    picture, words = st.columns([1.2, 1], gap="medium")
    with picture:
        st.markdown(f"**{title}**")
        lines = {name: list(zip(SIZES, frame[name], strict=True)) for name in (_SPREAD, _BIAS)}
        start = 0.5 * found[SIZES[0]].spread  # only the slope matters; above, it would hide a line
        reference = {"falls as 1/√n": [(n, start * (SIZES[0] / n) ** 0.5) for n in SIZES]}
        show_chart(
            charts.line_chart(
                lines, _LOOKS, _X, _Y, references=reference, has_points=True, height=280
            ),
            frame,
            key="errors",
            alt=f"{title}: from {found[few].spread:.3f} to {found[many].spread:.3f}."
            f" Bias: {found[few].bias:.3f} and {found[many].bias:.3f}.",
            name="spread-and-bias",
        )
    with words:
        st.markdown(_in_words(choice, ratio, found[few].bias, found[many].bias))


def _in_words(choice: Choice, ratio: float, before: float, after: float) -> str:
    n_samples = choice.settings.others + 1
    text = (
        f"*Spread* is how far the estimates from {n_samples} samples of each size lie from their own"
        " mean, *bias* how far that mean lies from the truth (root mean squares over the"
        f" population, samples of seed {_SEED}). Ten times as many animals make the spread"
        f" {ratio:.1f} times smaller; for means of independent numbers theory says √10 = 3.2."
    )
    if choice.settings.method is Method.NETWORK:
        end = (
            f" The network's bias falls, too, from {before:.3f} to {after:.3f}: with more animals the"
            " likelihood outweighs the prior, and it bends where the truth does."
        )
    else:
        what = (
            "the shape of its curve"
            if choice.settings.method is Method.LOGISTIC
            else "its intervals"
        )
        end = (
            f" The bias is {before:.3f} before and {after:.3f} after: {what} cannot follow the truth,"
            " and no sample is large enough to mend that."
        )
    return text + end
