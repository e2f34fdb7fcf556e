"""Where are the groups? k-means and EM side by side on the same points, step by step."""

import streamlit as st

from lm_core.clustering import em, initialisation, k_means
from pages.clustering.editing import changed_by_hand
from pages.clustering.explanation import (
    chosen_point,
    collapses,
    objectives,
    one_point,
    wrong_points_table,
)
from pages.clustering.picture import buttons, draw_panels
from pages.clustering.prediction import question_of, reveal
from pages.clustering.random_restarts import restarts, take_clicked_restart
from pages.clustering.results import (
    data_tables,
    download_edited_points,
    run_both,
    words_of_clusters,
)
from pages.clustering.settings import choose_settings
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.playback import playback_bar

page_header(
    "clustering",
    "*k-means* assigns each point to one centre. *EM* (expectation maximisation) divides each point"
    " among normal distributions.",
)

# Controls and picture -------------------------------------------------------------------------
take_clicked_restart()
settings = choose_settings()
runs = run_both(settings)


def draw(step: int) -> None:
    """Draw all that depends on the step."""
    if changed_by_hand():
        st.rerun()
    picture, below = st.container(), st.container(key="clusters_buttons", horizontal=True)
    between, numbers = st.container(), st.container()
    with below:
        buttons(settings, runs, step)
        question = question_of(settings, runs, step)
    with numbers:
        point = chosen_point(settings)
    with picture:
        draw_panels(settings, runs, step, point, question)
        reveal(question)
        data_tables(settings, runs, step)
    with between:
        download_edited_points(settings)
        wrong_points_table(settings, runs, step)
        words_of_clusters(settings, runs, step)
        objectives(runs, step)
        collapses(runs, step)
    with numbers:
        one_point(settings, runs, step, point)


playback_bar("step", len(runs.steps), draw, label="Step")

# Random restarts ------------------------------------------------------------------------------
restarts(settings)

# Code and suggestions -------------------------------------------------------------------------
show_source(
    k_means.assignment_step,
    k_means.update_step,
    em.e_step,
    em.m_step,
    initialisation.k_means_plus_plus,
)
try_this(
    [
        "Step through *95 : 5 groups*. In which step does k-means begin to cut the large group in"
        " two? What do EM's ellipses do meanwhile?",
        "Drag one centre onto a lonely point and step on. Can you place the centres so that k-means"
        " finds both groups?",
        "*unequal sizes* with K = 3: compare the errors of both methods. Then try *moons* and"
        " *rings*, where both fail: which shape can EM find?",
        "Iris with K = 3: choose both initialisations of EM (*More*). Compare the errors and the"
        " log-likelihood.",
        "*no structure*: the methods still find clusters. What would make you doubt them?",
        "Draw fifty restarts with K = 5, with random points and with k-means++. Which finds the best"
        " inertia more often?",
        "Switch *Predict* on and guess three M-steps in a row. Which mean is hardest to guess?",
    ]
)
