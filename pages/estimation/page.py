"""What does a model estimate? P(bird | flight, length), from a sample of animals."""

import streamlit as st

from lm_core.experiments.estimation.experiment import Likelihood, count
from lm_core.experiments.estimation.models import LogisticRegression, SmallNetwork, fit
from lm_core.experiments.estimation.population import true_probability
from pages.estimation.results import (
    CLOSER,
    draw_estimates,
    explain,
    finding,
    same_number,
    show_population,
    spread_and_bias,
    verdict,
)
from pages.estimation.settings import choose_settings, run
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

page_header(
    "estimation",
    "Is an animal a bird? From flight and length alone, a sample tells a probability.",
)

# Controls, picture and question ---------------------------------------------------------------
screen = first_screen(picture=3.0)
heading = screen.picture.container()
settings = choose_settings(screen)
found = run(settings.experiment)
heading.markdown(f"**{finding(settings, found)}**")
with screen.picture:
    draw_estimates(settings, found)
with screen.beside:
    prediction = predict_then_reveal(
        "spread",
        "The thin curves come from other samples. With ten times as many animals, how much closer do"
        " they get?",
        tuple(CLOSER),
    )
    if prediction.revealed:
        verdict(settings, prediction)

# Explanation ----------------------------------------------------------------------------------
explain(settings)
if prediction.revealed:
    spread_and_bias(settings, prediction)
same_number(settings, found)

population_fold = st.expander(
    "The population (hidden in practice)",
    icon=":material/pets:",
    key="population",
    on_change="rerun",
)
draw_when_open(population_fold, show_population)

# Code and suggestions -------------------------------------------------------------------------
show_source(count, LogisticRegression, SmallNetwork, fit, Likelihood, true_probability)
try_this(
    [
        "Hide the truth under *More*. Let the class agree on P(bird) for an animal of 8 cm that can"
        " fly, then show it.",
        "Count with 30 intervals and 50 animals, then with 2. Which curve is closer to the truth?",
        "Fit logistic regression to 500 animals that cannot fly. Why does it go on rising where"
        " birds become rarer again?",
        "Fit the network to 20 animals, with the prior at 0.001 and at 1. Compare the cross-entropy on"
        " its own sample and on the population.",
        "Step through samples 0 to 9 with 10 animals each. How often is the estimate certain, and"
        " wrong?",
    ]
)
