"""What does a model estimate? P(bird | flight, length), from a sample of animals; and why so."""

import streamlit as st

from lm_core.experiments.estimation.experiment import Likelihood, count
from lm_core.experiments.estimation.models import LogisticRegression, SmallNetwork, fit
from lm_core.experiments.estimation.population import true_probability
from lm_core.experiments.estimation.reasons import (
    LogOdds,
    descend,
    log_odds,
    loss_of,
    prior_nats,
    pull,
    slope_nats,
)
from pages.estimation import estimates, likelihood, sample_sizes
from pages.estimation.settings import choose_settings, run
from pages.estimation.why_a_penalty import why_a_penalty
from pages.estimation.why_sigmoid import why_sigmoid
from pages.estimation.why_this_loss import why_this_loss
from pages.shared import page
from pages.shared.ui.folds import draw_when_open


def samples(screen: page.FirstScreen) -> None:
    """Draw what a sample tells, beside other samples, and what its likelihood is."""
    heading = screen.picture.container()
    settings = choose_settings(screen)
    found = run(settings.experiment)
    heading.markdown(f"**{estimates.finding(settings, found)}**")
    with screen.picture:
        estimates.draw_estimates(settings, found)
    asked = sample_sizes.ask(screen, settings)
    estimates.explain(settings)
    if not asked.masks:
        sample_sizes.spread_and_bias(settings, asked)
    likelihood.same_number(settings, found)
    population_fold = st.expander(
        "The population (hidden in practice)",
        icon=":material/pets:",
        key="population",
        on_change="rerun",
    )
    draw_when_open(population_fold, likelihood.show_population)


page.draw(
    "estimation",
    "Is an animal a bird? Whether it flies and how long it is do not settle that, so a sample can only"
    " tell a probability.",
    [
        page.Part(
            "Samples",
            samples,
            (count, LogisticRegression, SmallNetwork, fit, Likelihood, true_probability),
        ),
        page.Part("Why a sigmoid?", why_sigmoid, (log_odds, LogOdds)),
        page.Part("Why this loss?", why_this_loss, (loss_of, pull, descend)),
        page.Part("Why a penalty?", why_a_penalty, (slope_nats, prior_nats)),
    ],
    picture=3.0,
)
