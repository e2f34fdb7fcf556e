"""How many groups are there? Four criteria for the number of clusters, and why they disagree."""

import streamlit as st

from lm_core.clustering import metrics
from lm_core.clustering.number_of_clusters import candidates
from lm_core.clustering.restarts import likeliest
from pages.number_of_clusters.comparison import choose_settings, compare, offer_more
from pages.number_of_clusters.explanation import ANSWERS, elbow, how_to_read, information, judge
from pages.number_of_clusters.picture import Answer, draw, finding
from pages.shared import page
from pages.shared.clustering.collapses import warn_of_numbers_of_clusters
from pages.shared.clustering.data import IRIS
from pages.shared.ui import lesson

lesson.page_header(
    "number-of-clusters",
    "k-means and EM must be told K, the number of clusters. Four criteria propose a K; each asks another"
    " question, so they may disagree.",
)

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen(picture=3.0)
heading = screen.picture.container()
settings = choose_settings(screen)
comparison = compare(settings, screen.picture)

# Picture and explanation ----------------------------------------------------------------------
if comparison is not None:
    question = "150 irises of three species: how many groups does BIC pick?"
    asked = page.ask(screen, "bic", question, ANSWERS, when=settings.data.name == IRIS)
    with screen.beside:
        judge(comparison, asked)
        st.caption(
            "□ what a criterion picks · △ your guess · ┊ K on screen. Grey lines show the inertia of"
            " points without groups, and the fit −2 ln L, to which BIC and AIC add a penalty."
        )
    counts = (asked.prediction and asked.prediction.class_counts) or {}
    of_class = tuple((ANSWERS[said], count) for said, count in counts.items())
    answer = Answer(not asked.masks, asked.value, of_class)
    heading.markdown(f"**{finding(settings, comparison, answer)}**")
    with screen.picture:
        draw(settings, comparison, answer)
        offer_more(settings)
    st.caption(settings.data.note)
    warn_of_numbers_of_clusters(comparison.of)
    how_to_read()
    elbow(comparison)
    if not asked.masks:
        information(settings, comparison)

# Code and suggestions -------------------------------------------------------------------------
lesson.show_source(candidates, likeliest, metrics.bic, metrics.aic, metrics.silhouette)
lesson.try_this()
