"""How many groups are there? Four criteria for the number of clusters, and why they disagree."""

import streamlit as st

from lm_core.clustering import metrics
from lm_core.clustering.number_of_clusters import (
    candidates,
)
from pages.number_of_clusters.criteria import (
    choose_settings,
    compare,
    criteria,
    draw_panels,
    elbow,
    information,
)
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

page_header(
    "number-of-clusters",
    "k-means and EM are given the number of clusters K. Four criteria help to choose it.",
)

# Controls -------------------------------------------------------------------------------------
settings = choose_settings()

# Picture and explanation ----------------------------------------------------------------------
comparison = compare(settings)
if comparison is not None:
    draw_panels(settings, comparison)
    st.caption(settings.data.note)
    prediction = predict_then_reveal(
        "bic",
        "150 irises of three species: how many groups does BIC find?",
        ("1", "2", "3", "4 or more"),
    )
    if prediction.revealed:
        criteria(settings, comparison)
        elbow(comparison)
        information(settings, comparison)

# Code and suggestions -------------------------------------------------------------------------
show_source(candidates, metrics.bic, metrics.aic, metrics.silhouette)
try_this(
    [
        "Iris: try *tied*, *diagonal* and *spherical* covariances. Which number does BIC pick for"
        " each? Why do more restricted covariances need more components?",
        "*no structure*: which criteria find groups where there are none? Does BIC find more or fewer"
        " with 2,000 points?",
        "*two blobs*: at which K does the gap to the grey line open? Does it widen after that?",
        "*rings* has two groups. How many normal distributions does BIC choose for them?",
        "Iris with scaled columns, then without the two petal columns: which answers change?",
    ]
)
