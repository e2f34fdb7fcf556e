"""Spread and bias of the estimates by the number of animals in a sample, and the question about it."""

from dataclasses import replace

import pyarrow as pa
import streamlit as st

from lm_core.experiments.estimation.experiment import Errors, Method
from pages.estimation.settings import SIZES, Settings, errors_of
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION

_SEED = 1
_COMPARED = (50, 500)
"""Animals in a sample, and ten times as many."""
_CLOSER = {
    "Ten times closer": page.Answer(6.0, 10.0),
    "About three times": page.Answer(1.6, 3.0),
    "No closer": page.Answer(0.0, 1.0),
}
"""Answers to how much closer the curves get, by the ratio of the spreads."""
_LESS = 1.1  # from this ratio on an error has become smaller
_STRONG = (
    "because the prior is so strong here that the curves hardly differ even when there are few"
)
_KEPT = {
    Method.COUNTING: "Its intervals",
    Method.LOGISTIC: "The shape of its curve",
    Method.NETWORK: "So few hidden units",
}
_SPREAD, _BIAS = "spread", "bias"
_STYLES = {_SPREAD: LineStyle(BLUE), _BIAS: LineStyle(VERMILLION, 1)}
_X = Axis("animals in the sample", (10, 500), is_logarithmic=True, values=SIZES)
_Y = Axis("distance in P(bird)", (0.01, 1.0), is_logarithmic=True, values=(0.01, 0.1, 1))


def ask(screen: page.FirstScreen, settings: Settings) -> page.Asked[page.Answer]:
    """Ask how much closer ten times as many animals bring the curves, and say why."""

    def ratio() -> float:
        few, many = (_errors(settings, n) for n in _COMPARED)
        return few.spread / many.spread

    return page.ask(
        screen,
        "spread",
        "The thin curves come from other samples. With ten times as many animals, how much closer do"
        " they get?",
        _CLOSER,
        right=ratio,
        reason=lambda _: (
            f"From {_COMPARED[0]} to {_COMPARED[1]} animals the *spread*, how far estimates lie from"
            " their own mean, "
            + (
                f"becomes **{ratio():.1f} times** smaller. The mean of ten times as many independent"
                " numbers scatters √10 = 3.2 times less, because chance errors partly cancel."
                if ratio() > _LESS
                else f"stays about the same, {_STRONG}."
            )
        ),
    )


def _errors(settings: Settings, n: int) -> Errors:
    """Return the errors with n animals, always of the same samples: another one costs nothing here."""
    return errors_of(replace(settings.experiment, n=n, seed=_SEED))


def spread_and_bias(settings: Settings, asked: page.Asked[page.Answer]) -> None:
    """Draw both errors of the chosen method for every size of the sample."""
    found = {n: _errors(settings, n) for n in SIZES}
    errors = {
        _SPREAD: [one.spread for one in found.values()],
        _BIAS: [one.bias for one in found.values()],
    }
    few, many = _COMPARED
    ratio = found[few].spread / found[many].spread
    guess = asked.at(lambda closer: (many, found[few].spread / closer.typical))
    less = f"shrinks {ratio:.1f} times" if ratio > _LESS else "stays about the same"
    title = f"From {few} to {many} animals the spread {less}"
    st.header("Spread and bias", anchor=False)
    picture, words = st.columns([1.2, 1], gap="medium")
    with picture:
        st.markdown(f"**{title}**")
        lines = {name: list(zip(SIZES, each, strict=True)) for name, each in errors.items()}
        start = 0.5 * found[SIZES[0]].spread  # only the slope matters; above, it would hide a line
        reference = {"falls as 1/√n": [(n, start * (SIZES[0] / n) ** 0.5) for n in SIZES]}
        page.show_chart(
            line_chart(
                lines,
                _STYLES,
                _X,
                _Y,
                references=reference,
                guess=guess,
                has_points=True,
                height=280,
            ),
            pa.table({"animals": SIZES} | errors),
            key="errors",
            alt=f"{title}: from {found[few].spread:.3f} to {found[many].spread:.3f}."
            f" Bias: {found[few].bias:.3f} and {found[many].bias:.3f}.",
            name="spread-and-bias",
        )
    with words:
        st.markdown(_errors_in_words(settings, ratio, found[few].bias, found[many].bias))


def _errors_in_words(settings: Settings, ratio: float, before: float, after: float) -> str:
    n_samples = settings.experiment.others + 1
    text = (
        f"*Spread* is the distance of the estimates from {n_samples} samples to their own mean."
        " *Bias* is the distance of that mean to the truth. Both are root mean squares over the"
        f" population, because large errors are to count more (samples of seed {_SEED}). Ten times as many animals "
        + (
            f"make the spread {ratio:.1f} times smaller. For means of independent numbers, theory says"
            " √10 = 3.2, because errors in both directions partly cancel."
            if ratio > _LESS
            else f"hardly change the spread, {_STRONG}."
        )
        + f" The bias is {before:.3f} before and {after:.3f} after. "
    )
    if before < _LESS * after:
        kept = _KEPT[settings.experiment.method]
        return f"{text}{kept} cannot follow the truth, so no larger sample corrects that."
    if settings.experiment.method is Method.COUNTING:
        return f"{text}It falls, probably because fewer intervals are left without an animal."
    return f"{text}It falls, probably because more animals leave less of the curve to the prior and to chance."
