"""What does a model estimate? P(bird | flight, length), from a sample of animals."""

import streamlit as st

from lm_core.experiments.estimation.experiment import Likelihood, count
from lm_core.experiments.estimation.models import LogisticRegression, SmallNetwork, fit
from lm_core.experiments.estimation.population import true_probability
from pages.estimation import estimates, likelihood, sample_sizes
from pages.estimation.settings import choose_settings, run
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.lesson import page_header, show_source, try_this

page_header(
    "estimation",
    "Is an animal a bird? Whether it flies and how long it is do not settle that, so a sample can only"
    " tell a probability.",
)

# Controls, picture and question ---------------------------------------------------------------
screen = first_screen(picture=3.0)
heading = screen.picture.container()
settings = choose_settings(screen)
found = run(settings.experiment)
heading.markdown(f"**{estimates.finding(settings, found)}**")
with screen.picture:
    estimates.draw_estimates(settings, found)
asked = sample_sizes.ask(screen, settings)

# Explanation ----------------------------------------------------------------------------------
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

# Code and suggestions -------------------------------------------------------------------------
show_source(count, LogisticRegression, SmallNetwork, fit, Likelihood, true_probability)
try_this()
