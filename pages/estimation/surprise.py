"""Likelihood and cross-entropy: the same number, worked out on the animals of the sample."""

import math

import pandas as pd
import streamlit as st

from lm_core.experiments.estimation.experiment import Experiment
from pages.estimation.choices import Choice
from pages.estimation.measured import experiment, population

_SHOWN = 6


def same_number(choice: Choice) -> None:
    """Show the likelihood animal by animal, and how it becomes the cross-entropy."""
    st.subheader("One number under two names", anchor=False)
    found = experiment(choice.settings)
    table, words = st.columns([1.2, 1], gap="medium")
    with table:
        _first_animals(found)
    with words:
        st.markdown(_in_words(found, choice))


def _first_animals(found: Experiment) -> None:
    animals, given = found.animals, found.likelihood.given
    frame = pd.DataFrame(
        {
            "Can fly": ["yes" if flies else "no" for flies in animals.can_fly.tolist()],
            "Length (cm)": animals.lengths.numpy().round(1),
            "Bird": ["yes" if bird else "no" for bird in animals.is_bird.tolist()],
            "f(x; w)": found.fitted.numpy().round(3),
            "P given to what it is": given.numpy().round(3),
            "its −log, nats": (-given.log()).numpy().round(3),
        }
    )
    st.dataframe(frame, hide_index=True, height=38 + 35 * _SHOWN)


def _in_words(found: Experiment, choice: Choice) -> str:
    seen, n = found.likelihood, choice.settings.n
    grid = population()
    whole = grid.cross_entropy(found.curves[0])
    text = (
        f"Multiply the probabilities given to what each of the {n} animals is: that product is the"
        f" *likelihood* of the sample, here **{_power(seen.power_of_ten)}**. Its logarithm is"
        f" {_signed(seen.log_likelihood)} nats; divided by −{n}, it is the mean surprise,"
        f" the *cross-entropy*: **{seen.cross_entropy:.3f} nats**. Making one large makes the other"
        " small. It is the loss that every network of this lab is trained on.\n\n"
        f"Animals that it has not seen surprise it by **{_nats(whole)}** on average. Nobody who"
        f" knows only flight and length can do better than {grid.entropy:.3f} nats: so much stays"
        " open in the truth itself."
    )
    if whole > 1.3 * seen.cross_entropy:
        text += " It knows its own sample better than the population: it has learned some of it by heart."
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
        return "a number that does not exist, because of some it has no answer,"
    return f"{value:.3f} nats" if math.isfinite(value) else "an infinite number of nats"
