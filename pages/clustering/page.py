"""Where are the groups? k-means and EM side by side on the same points, step by step."""

import streamlit as st

from lm_core.clustering import em, initialisation, k_means
from pages.clustering.editing import changed_by_hand
from pages.clustering.explanation import (
    chosen_point,
    objectives,
    one_point,
    wrong_points_table,
)
from pages.clustering.in_words import finding, legend
from pages.clustering.picture import buttons, draw_panels, picture_bounds
from pages.clustering.prediction import (
    ask_class_of,
    ask_who_finds_the_groups,
    guessed_methods,
    question_of,
    reveal,
)
from pages.clustering.random_restarts import restarts, take_clicked_restart
from pages.clustering.results import (
    data_tables,
    download_edited_points,
    run_both,
    words_of_clusters,
)
from pages.clustering.settings import choose_settings, go_to_next_step, remember_end
from pages.shared.clustering.collapses import warn_of_collapses
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import answer_is_masked, page_header, show_source, try_this
from pages.shared.ui.playback import playback_bar

page_header(
    "clustering",
    "*k-means* gives each point to one centre. *EM* (expectation maximisation) divides it among normal"
    " distributions.",
)

# Controls and question ------------------------------------------------------------------------
take_clicked_restart()
screen = first_screen(picture=3.0)
below = st.container()
settings = choose_settings(screen)
runs = run_both(settings)
with screen.beside:
    move = st.container()
    prediction = ask_who_finds_the_groups(settings, runs)
    if not prediction.revealed:
        settings = settings.without_truth()
    legend(settings)


# Picture --------------------------------------------------------------------------------------
def draw(step: int) -> None:
    """Draw all that depends on the step: the panels, and what lies below the first screen."""
    if changed_by_hand():
        st.rerun()
    remember_end(is_last=step == len(runs.steps) - 1)
    with below:
        controls = st.container(key="clusters_buttons", horizontal=True)
        between, numbers = st.container(), st.container()
    with controls:
        buttons(settings, runs, step)
        question = question_of(settings, runs, step)
    # A fragment may only fill later what it has drawn in the page's own run, so here is always something.
    with move, st.container():
        asked = ask_class_of(question, settings.data.directions, picture_bounds(settings, runs))
        if asked is None:
            reveal(question)
    with numbers:
        point = chosen_point(settings)
    with panels:
        st.markdown(f"**{finding(runs, step, is_masked=answer_is_masked(prediction))}**")
        draw_panels(settings, runs, step, point, question, asked, guessed_methods(prediction))
    with between:
        data_tables(settings, runs, step)
        download_edited_points(settings)
        st.caption(settings.data.note)
        if prediction.revealed:
            wrong_points_table(settings, runs, step)
        words_of_clusters(settings, runs, step)
        objectives(runs, step)
        warn_of_collapses(runs.steps.at(step)[1])
    with numbers:
        one_point(settings, runs, step, point)


with screen.picture:
    panels = st.container(gap="xsmall")
    go_to_next_step()
    playback_bar(
        "step",
        len(runs.steps),
        draw,
        start=len(runs.steps) - 1,
        seconds_per_step=settings.seconds_per_step,
    )

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
        " two? What do EM's ellipses do meanwhile? Does the next restart end in the same place?",
        "*unequal sizes* with K = 3: does any restart of k-means find the three groups? Compare its"
        " inertia with that of the true groups.",
        "Drag one centre onto a lonely point and step on. Can you place the centres so that k-means"
        " finds both groups?",
        "*unequal sizes* with K = 3: compare the errors of both methods. Then try *moons* and"
        " *rings*, where both fail: which shape can EM find?",
        "Iris with K = 3: choose both initialisations of EM (*More*). Compare the errors and the"
        " log-likelihood.",
        "*no structure*: the methods still find clusters. What would make you doubt them?",
        "Draw fifty restarts with K = 5, with random points and with k-means++. Which finds the best"
        " inertia more often?",
        "Switch *Guess each move* on and guess three M-steps in a row. Which mean is hardest to guess?",
    ]
)
