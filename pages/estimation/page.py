"""What does a model estimate? P(bird | flight, length), from a sample of animals."""

import pandas as pd
import streamlit as st

from lm_core.experiments.estimation.experiment import Likelihood, count
from lm_core.experiments.estimation.models import LogisticRegression, SmallNetwork, fit
from lm_core.experiments.estimation.population import GROUPS, true_probability
from pages.estimation.choices import choose
from pages.estimation.picture import draw_estimates, explain
from pages.estimation.surprise import same_number
from pages.estimation.variability import spread_and_bias
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

page_header(
    "estimation",
    "Is an animal a bird, if all you know is whether it can fly and how long it is? Often nobody"
    " can say: what can be learned from a sample is a probability.",
)

# Controls and picture -------------------------------------------------------------------------
choice = choose()
draw_estimates(choice)

# Explanation ----------------------------------------------------------------------------------
explain(choice)
same_number(choice)

st.subheader("Another sample, another curve", anchor=False)
prediction = predict_then_reveal(
    "spread",
    "The thin curves come from other samples. With ten times as many animals, how much closer do"
    " they lie together?",
    ("Ten times closer", "About three times", "No closer"),
)
if prediction.revealed:
    spread_and_bias(choice)

with st.expander("The population, which only we know", icon=":material/pets:"):
    st.markdown(
        "These animals are invented: five groups, whose lengths are normally distributed in their"
        " logarithm. A sample is drawn from them at random, and the truth follows by Bayes' rule."
    )
    st.dataframe(
        pd.DataFrame(
            {
                "Group": [group.name for group in GROUPS],
                "Share": [f"{group.share:.0%}" for group in GROUPS],
                "Bird": ["yes" if group.is_bird else "no" for group in GROUPS],
                "Can fly": ["yes" if group.can_fly else "no" for group in GROUPS],
                "Median length (cm)": [group.median for group in GROUPS],
                "Spread of log length": [group.spread for group in GROUPS],
            }
        ),
        hide_index=True,
    )

# Code and suggestions -------------------------------------------------------------------------
show_source(count, LogisticRegression, SmallNetwork, fit, Likelihood, true_probability)
try_this(
    [
        "Hide the truth under *More*, and let the class agree on P(bird) for an animal of 8 cm that"
        " can fly. Then look.",
        "Count with 30 intervals and 50 animals, then with 2: which curve would you rather be"
        " judged by?",
        "Fit logistic regression to 500 animals that cannot fly. Why does it go on rising where"
        " birds become rarer again?",
        "Fit the network to 20 animals, with the prior at 0.001 and at 1: compare what its own sample"
        " and what the population says of it.",
        "Step through samples 0 to 9 of 10 animals each: how often would you have been sure, and"
        " wrong?",
    ]
)
