"""How many groups are there? Four criteria for the number of clusters, and why they disagree."""

import streamlit as st

from lm_core.clustering import metrics
from lm_core.clustering import number_of_clusters as choosing
from pages.number_of_clusters.explanation import elbow, information
from pages.number_of_clusters.measured import choose, compare
from pages.number_of_clusters.picture import at_k, criteria
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

page_header(
    "number-of-clusters",
    "Neither method knows: the number of clusters K is given to it. Four criteria try to choose it.",
)

# Controls -------------------------------------------------------------------------------------
choice = choose()

# Picture and explanation ----------------------------------------------------------------------
comparison = compare(choice)
if comparison is not None:
    at_k(choice, comparison)
    st.caption(choice.data.note)
    prediction = predict_then_reveal(
        "bic",
        "150 irises of three species: how many groups will BIC find?",
        ("1", "2", "3", "4 or more"),
    )
    if prediction.revealed:
        criteria(choice, comparison)
        elbow(comparison)
        information(choice, comparison)

# Code and suggestions -------------------------------------------------------------------------
show_source(choosing.candidates, metrics.bic, metrics.aic, metrics.silhouette)
try_this(
    [
        "Iris: take *tied*, *diagonal* and *spherical* covariances. Which number does BIC pick for"
        " each, and why does it need more components the less free they are?",
        "*no structure*: which criteria find groups where there are none? Draw 2,000 points: does"
        " BIC find more or fewer?",
        "*two blobs*: at which K does the gap to the grey line open? Does it open further after it?",
        "*rings*: there are two groups. How many normal distributions does BIC want for them?",
        "Iris with scaled columns, then without the two petal columns: which answers change?",
    ]
)
