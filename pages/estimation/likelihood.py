"""The likelihood of the sample, animal by animal, and the population that the sample is drawn from."""

import math

import pyarrow as pa
import streamlit as st

from lm_core.experiments.estimation.experiment import Experiment
from lm_core.experiments.estimation.population import GROUPS
from pages.estimation.settings import Settings, population
from pages.shared import page
from pages.shared.numbers import NARROW_SPACE, RAISED, percent

_ROWS_SHOWN = 6


def same_number(settings: Settings, found: Experiment) -> None:
    """Say how the likelihood becomes the cross-entropy, and show it animal by animal."""
    st.header("One number under two names", anchor=False)
    st.markdown(_likelihood_in_words(found, settings))
    page.below("Animal by animal", "each_animal", _animals, found, icon="pets")


def _animals(found: Experiment) -> None:
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
        " because the logarithm grows with its number and the sign is reversed. Most"
        " networks of this lab are trained on this loss.\n\n"
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
    mantissa = f"{10.0 ** (power - exponent):.1f}"
    return f"{mantissa}{NARROW_SPACE}×{NARROW_SPACE}10{str(exponent).translate(RAISED)}"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _nats(value: float) -> str:
    if math.isnan(value):
        return "undefined, because some animals have no estimate"
    return f"{value:.3f} nats" if math.isfinite(value) else "infinite"


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
