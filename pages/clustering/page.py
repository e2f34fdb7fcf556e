"""Where are the groups? k-means and EM side by side on the same points, step by step."""

import streamlit as st

from lm_core.clustering import em, k_means
from lm_core.clustering.initialisation import k_means_plus_plus
from pages.clustering import editing, gestures, groups, moves, numbers, picture, tables
from pages.clustering.random_restarts import restarts, take_clicked_restart
from pages.clustering.runs import Moment, run_both
from pages.clustering.settings import SECONDS, choose_settings
from pages.shared import page
from pages.shared.clustering.collapses import warn_of_collapses
from pages.shared.clustering.panels import METHODS


def clusters(screen: page.FirstScreen) -> None:
    """Draw both methods at a step, their numbers, and where other starts lead."""
    take_clicked_restart()
    below = st.container()
    settings = choose_settings(screen)
    start = Moment(settings, run_both(settings), 0)
    with screen.beside:
        asked_of_move = st.container()
    asked = groups.ask_who_finds_the_groups(screen, start.end)
    start = start._replace(settings=settings._replace(is_masked=asked.masks))
    with screen.beside:
        picture.legend(start.settings)
    guessed = [asked.guess in (method, groups.BOTH) for method in METHODS]
    n_steps = len(start.runs)

    def draw(step: int) -> None:
        """Draw all that depends on the step: the panels, and what lies below the first screen."""
        if editing.changed_by_hand():
            st.rerun()
        editing.remember_end(is_last=step == n_steps - 1)
        now = start.at(step)
        with below:
            controls = st.container(key="clusters_buttons", horizontal=True)
            between, of_point = st.container(), st.container()
        with controls:
            gestures.buttons(now)
            move = moves.question_of(now)
        # A fragment may only fill later what it has drawn in the page's own run, so here is always something.
        with asked_of_move, st.container():
            if move:
                moves.answer(move, now, picture.picture_bounds(now))
        with of_point:
            point = numbers.chosen_point(settings)
        with panels:
            st.markdown(f"**{picture.finding(now)}**")
            picture.draw_panels(now, point, move, guessed)
        with between:
            tables.data_tables(now)
            tables.download_edited_points(settings)
            st.caption(settings.data.note)
            if not asked.masks:
                groups.wrong_points_table(now)
            tables.words_of_clusters(now)
            numbers.objectives(now)
            warn_of_collapses(now.soft)
        with of_point:
            numbers.one_point(now, point)

    with screen.picture:
        panels = st.container(gap="xsmall")
        editing.go_to_next_step()
        seconds = SECONDS[settings.chosen.speed]
        page.playback_bar("step", n_steps, draw, seconds_per_step=seconds)
    restarts(settings)
    page.below("Where the steps come from", "step_formulas", numbers.formulas)


_CODE = (k_means.assignment_step, k_means.update_step, em.e_step, em.m_step, k_means_plus_plus)

page.draw(
    "clustering",
    "*k-means* gives each point to the nearest of K centres. *EM* (expectation maximisation) fits K"
    " normal distributions, so a point may belong to several of them in shares.",
    [page.Part("Clusters", clusters, _CODE)],
    picture=3.0,
)
