"""My work: a visitor's trainings, whatever page they were started on, and what else is kept for them."""

import streamlit as st

from lm_core.errors import RunError
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from pages.shared.trainings.training_controls import act_buttons, progress_bar, undo_buttons
from pages.shared.trainings.training_links import link_of
from pages.shared.trainings.training_requests import show_refusal
from pages.shared.trainings.trainings import own_trainings
from pages.shared.turns import fragment
from pages.shared.ui.controls import follow_link
from pages.shared.ui.kept import HOW_LONG, forget_all, kept_names
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.visitor import forget_this_device, is_known, visitor

_EVERY_S = 1.0
_PREFIX = "mine_"


def my_work() -> None:
    """Draw the button beside a page's title; what it opens is drawn once it is open."""
    popover = st.popover("My work", icon=":material/work:", key="my_work", on_change="rerun")
    if popover.open:
        with popover:
            draw_my_work()


def draw_my_work() -> None:
    """Draw the visitor's trainings with what can be done with each, and what is kept for them."""
    if not is_known():
        visitor()  # and the page is run again when the browser has answered
        st.caption("Your browser is asked who you are …")
        return
    fragment(_trainings, run_every=_EVERY_S if _is_one_live() else None)()
    _kept()
    st.button(
        "Forget me on this computer",
        icon=":material/person_off:",
        key="my_work_forget_me",
        on_click=forget_me,
        help="For a computer that you share: your trainings are stopped, those on your own texts and all that"
        " is kept for you are deleted, and whoever comes next here is somebody else, in no class.",
    )


def forget_me() -> None:
    """Delete what is the visitor's alone, and have their browser forget who they are."""
    with errors_in_place():
        for job in own_trainings():
            if job.is_private:
                jobs.discard(job.key)
            elif job.status.state.is_live:
                jobs.cancel(job.key)
    forget_all()
    forget_this_device()


def _is_one_live() -> bool:
    try:
        return any(job.status.state.is_live for job in own_trainings())
    except RunError:
        return False  # `_trainings` says why


def _trainings() -> None:
    show_refusal()
    try:
        own = own_trainings()
    except RunError as error:
        show_error(f"No training can be kept on this server. {error}")
        return
    if not own:
        st.markdown("You have started no training on this server yet.")
    for job in own:
        with st.container(border=True, key=f"{_PREFIX}{job.key}"):
            _training(job)
    undo_buttons(visitor(), prefix=_PREFIX)


def _training(job: Job) -> None:
    st.markdown(f"**{escaped(job.config.title)}**")
    progress_bar(job, job.run.last_metrics())
    if job.status.message:
        show_error(job.status.message, st.caption)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Show it",
            icon=":material/arrow_forward:",
            type="primary",
            key=f"{_PREFIX}show_{job.key}",
        ):
            follow_link(link_of(job))
        act_buttons(job, visitor(), prefix=_PREFIX)


def _kept() -> None:
    """Say what is kept for the visitor, and offer to forget it."""
    n = len(kept_names())
    if not n:
        st.caption("Outside a class, no text, file or answer of yours is kept on this server.")
        return
    st.caption(
        f"The texts, files and answers that you left on the pages are kept for you as well ({n} in all),"
        f" {HOW_LONG}. Nobody else sees them."
    )
    st.button(
        "Forget them",
        icon=":material/delete:",
        key="my_work_forget",
        on_click=forget_all,
        help="They are deleted from this server at once. What this page shows stays until you reload it.",
    )
