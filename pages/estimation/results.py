"""The estimated curves, the likelihood of the sample, and spread and bias by sample size."""

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.experiments.estimation.experiment import Errors, Experiment, Method
from lm_core.experiments.estimation.population import GROUPS
from pages.estimation.estimates_chart import estimate_chart, estimate_table
from pages.estimation.settings import SIZES, Settings, errors_of, population
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import percent
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Answer, Prediction, answer_of, guesses_in_picture, show_verdict

_ROWS = {"can fly": 1, "cannot fly": 0}
_ROWS_SHOWN = 6
_SEED = 1
_COMPARED = (50, 500)
"""Animals in a sample, and ten times as many."""
CLOSER = {
    "Ten times closer": Answer(6.0, 10.0),
    "About three times": Answer(1.6, 3.0),
    "No closer": Answer(0.0, 1.0),
}
"""Answers to how much closer the curves get, by the ratio of the spreads."""
_SPREAD, _BIAS = "spread", "bias"
_STYLES = {_SPREAD: LineStyle(BLUE), _BIAS: LineStyle(VERMILLION, 1)}
_X = Axis("animals in the sample", (10, 500), is_logarithmic=True, values=SIZES)
_Y = Axis("distance in P(bird)", (0.01, 1.0), is_logarithmic=True, values=(0.01, 0.1, 1))


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
    show_chart(
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
    if not is_presenting():
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
                " three weights are those that make the sample most likely. So it has an estimate"
                " everywhere, but one that can only rise or only fall with length, whatever is true: a"
                " weighted sum has no bends."
            )
        case Method.NETWORK:
            weights = 4 * experiment.hidden + 1
            text = (
                f"**A small network** assumes f(x; w) = σ(c + v · tanh(A x + b)) with {experiment.hidden}"
                f" hidden units. Its {weights} weights are fitted in the same way. A sum of several bent"
                " curves can bend where the truth bends. Where the sample has gaps nothing holds it, so"
                " it guesses."
            )
    st.markdown(text)


def same_number(settings: Settings, found: Experiment) -> None:
    """Show the likelihood animal by animal, and how it becomes the cross-entropy."""
    st.header("One number under two names", anchor=False)
    table, words = st.columns([1.2, 1], gap="medium")
    with table:
        _first_animals(found)
    with words:
        st.markdown(_likelihood_in_words(found, settings))


def _first_animals(found: Experiment) -> None:
    animals, given = found.animals, found.likelihood.given
    rows = pa.table(
        {
            "Can fly": ["yes" if flies else "no" for flies in animals.can_fly.tolist()],
            "Length (cm)": animals.lengths.numpy().round(1),
            "Bird": ["yes" if bird else "no" for bird in animals.is_bird.tolist()],
            "f(x; w)": found.fitted.numpy().round(3),
            "P of the true class": given.numpy().round(3),
            "−log P, nats": (-given.log()).numpy().round(3),
        }
    )
    st.dataframe(rows, hide_index=True, height=38 + 35 * _ROWS_SHOWN)


def _likelihood_in_words(found: Experiment, settings: Settings) -> str:
    seen, n = found.likelihood, settings.experiment.n
    grid = population()
    whole = grid.cross_entropy(found.curves[0])
    text = (
        f"Multiply the probabilities that the model gives to the true class of each of the {n} animals."
        f" This product is the *likelihood* of the sample: **{_power(seen.power_of_ten)}**. Its logarithm"
        f" is {_signed(seen.log_likelihood)} nats. Divided by −{n}, it is the *cross-entropy*:"
        f" **{seen.cross_entropy:.3f} nats**. A larger likelihood means a smaller cross-entropy,"
        " because the logarithm grows with its number and the sign is reversed. Every"
        " network of this lab is trained on this loss.\n\n"
        f"On the whole population the cross-entropy is **{_nats(whole)}**. No estimate from flight and"
        f" length alone can be below {grid.entropy:.3f} nats, the *entropy* of the truth."
    )
    if whole > 1.3 * seen.cross_entropy:
        text += " The model fits its own sample better than the population: it overfits."
    return text


def _power(power: float) -> str:
    """Return a power of ten as a reader wants it, in Markdown."""
    if not math.isfinite(power):
        return "0"
    if power > -3.0:
        return f"{10.0**power:.3f}"
    exponent = math.floor(power)
    return rf"${10.0 ** (power - exponent):.1f} \cdot 10^{{{exponent}}}$"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _nats(value: float) -> str:
    if math.isnan(value):
        return "undefined, because some animals have no estimate"
    return f"{value:.3f} nats" if math.isfinite(value) else "infinite"


def verdict(settings: Settings, prediction: Prediction) -> None:
    """Say how much closer ten times as many animals bring the curves, and why."""
    few, many = (_errors(settings, n) for n in _COMPARED)
    ratio = few.spread / many.spread
    show_verdict(
        prediction,
        right=answer_of(ratio, CLOSER),
        reason=f"From {_COMPARED[0]} to {_COMPARED[1]} animals the *spread*, how far estimates lie from"
        f" their own mean, becomes **{ratio:.1f} times** smaller. The mean of ten times as many"
        " independent numbers scatters √10 = 3.2 times less, because chance errors partly cancel.",
    )


def _errors(settings: Settings, n: int) -> Errors:
    """Return the errors with n animals, always of the same samples: another one costs nothing here."""
    return errors_of(replace(settings.experiment, n=n, seed=_SEED))


def spread_and_bias(settings: Settings, prediction: Prediction) -> None:
    """Draw both errors of the chosen method for every size of the sample."""
    found = {n: _errors(settings, n) for n in SIZES}
    errors = {
        _SPREAD: [one.spread for one in found.values()],
        _BIAS: [one.bias for one in found.values()],
    }
    few, many = _COMPARED
    ratio = found[few].spread / found[many].spread
    guess = guesses_in_picture(
        prediction, lambda said: (many, found[few].spread / CLOSER[said].typical)
    )
    title = f"From {few} to {many} animals the spread shrinks {ratio:.1f} times"
    st.header("Spread and bias", anchor=False)
    picture, words = st.columns([1.2, 1], gap="medium")
    with picture:
        st.markdown(f"**{title}**")
        lines = {name: list(zip(SIZES, each, strict=True)) for name, each in errors.items()}
        start = 0.5 * found[SIZES[0]].spread  # only the slope matters; above, it would hide a line
        reference = {"falls as 1/√n": [(n, start * (SIZES[0] / n) ** 0.5) for n in SIZES]}
        show_chart(
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
        f" population (samples of seed {_SEED}). Ten times as many animals make the spread"
        f" {ratio:.1f} times smaller. For means of independent numbers, theory says √10 = 3.2,"
        " because errors in both directions partly cancel."
    )
    if settings.experiment.method is Method.NETWORK:
        end = (
            f" The bias of the network falls, too, from {before:.3f} to {after:.3f}. because with"
            " more animals the likelihood outweighs the prior, so the curve bends where the truth"
            " does."
        )
    else:
        is_logistic = settings.experiment.method is Method.LOGISTIC
        what = "The shape of its curve" if is_logistic else "Its intervals"
        end = (
            f" The bias is {before:.3f} before and {after:.3f} after. {what} cannot follow the"
            " truth, so no larger sample corrects that."
        )
    return text + end


def show_population() -> None:
    """Show the groups that the animals are drawn from."""
    st.markdown(
        "These animals are invented: five groups, in which the logarithm of the length is normally"
        " distributed. A sample is drawn at random. So the true probability is known: it follows"
        " from Bayes' rule."
    )
    groups = {
        "Group": [group.name for group in GROUPS],
        "Share": [percent(group.share) for group in GROUPS],
        "Bird": ["yes" if group.is_bird else "no" for group in GROUPS],
        "Can fly": ["yes" if group.can_fly else "no" for group in GROUPS],
        "Median length (cm)": [group.median for group in GROUPS],
        "Spread of log length": [group.spread for group in GROUPS],
    }
    st.dataframe(pa.table(groups), hide_index=True)
