"""Where are the groups? k-means and EM side by side on the same points, half-step by half-step."""

import streamlit as st

from lm_core.clustering import em, k_means
from lm_core.clustering import initialisation as starts
from pages.clustering.choices import choose
from pages.clustering.following import buttons
from pages.clustering.guess import question_of, reveal
from pages.clustering.hands import changed_by_hand
from pages.clustering.lottery import lottery, take_clicked_start
from pages.clustering.picture import both_panels
from pages.clustering.tables import keep_points, tables
from pages.clustering.traces import chosen_point, collapses, objectives, one_point
from pages.clustering.verdict import verdict
from pages.clustering.walk import walk_of
from pages.clustering.word_lists import words_of_clusters
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.playback import playback_bar

page_header(
    "clustering",
    "*k-means* gives every point to one centre; *EM* shares it out among normal distributions.",
)

# Controls and picture -------------------------------------------------------------------------
take_clicked_start()
choice = choose()
walk = walk_of(choice)


def after(step: int) -> None:
    """Draw all that follows the half-step."""
    if changed_by_hand():
        st.rerun()
    picture, below = st.container(), st.container(key="clusters_buttons", horizontal=True)
    between, numbers = st.container(), st.container()
    with below:
        buttons(choice, walk, step)
        question = question_of(choice, walk, step)
    with numbers:
        point = chosen_point(choice)
    with picture:
        both_panels(choice, walk, step, point, question)
        reveal(question)
        tables(choice, walk, step)
    with between:
        keep_points(choice)
        verdict(choice, walk, step)
        words_of_clusters(choice, walk, step)
        objectives(walk, step)
        collapses(walk, step)
    with numbers:
        one_point(choice, walk, step, point)


playback_bar("step", len(walk.steps), after, label="Half-step")

# Closer looks ---------------------------------------------------------------------------------
lottery(choice)

# Code and suggestions -------------------------------------------------------------------------
show_source(
    k_means.assignment_step,
    k_means.update_step,
    k_means.steps,
    em.e_step,
    em.m_step,
    starts.k_means_plus_plus,
)
try_this(
    [
        "Step through the source's bad case: in which half-step does k-means begin to cut the large"
        " group in two? What do EM's ellipses do meanwhile?",
        "Drag one centre onto a lonely point and step on. Can you place the centres so that k-means"
        " gets the bad case right?",
        "*unequal sizes* with K = 3: compare the errors of both methods. Then look at *moons* and"
        " *rings*, where both must fail: what shape would a group need for EM to find it?",
        "Iris with K = 3: let EM begin where k-means ends (*More*), then from the same centres. Read"
        " off the errors and the log-likelihood.",
        "*no structure*: are the clusters still there? What would make you doubt them?",
        "Draw fifty starts with K = 5, at random and with k-means++. Which finds the best inertia"
        " more often?",
        "Switch *Predict* on and guess three updates of EM in a row. Which mean is hardest to guess?",
    ]
)
