"""An experiment that a presenter shares out: each phone of the class makes a run, and all see what comes."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.records import ClassExperiment, FinishedRun, RoomState, SharedOut
from lm_core.errors import LMCoreError
from pages.shared.classroom import following
from pages.shared.classroom.attempts import attempt
from pages.shared.registry import page_at
from pages.shared.rooms.membership import Membership, membership
from pages.shared.rooms.store import store
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link
from pages.shared.ui.messages import errors_in_place

PAGE = "thirty-runs"
"""The page whose parts are the experiments; an experiment is named as its part."""
_DRAWN, _NONE_LEFT, _TAKEN = "lab_runs_drawn", "lab_runs_none_left", "lab_runs_taken"

Choose = Callable[[int, Callable[[float], None]], None]
"""Draws the run of a number; what it is given beside it hands in what the visitor chooses."""


class ClassRuns(NamedTuple):
    """What a class has made of an experiment so far."""

    shared: SharedOut
    finished: list[FinishedRun]

    @property
    def settings(self) -> Mapping[str, str]:
        """What all runs have in common."""
        return self.shared.experiment.settings


def class_runs(name: str) -> ClassRuns | None:
    """Return what this visit's class has made of an experiment; None if it was not shared out last."""
    here = membership()
    if here is None:
        return None
    st.session_state[_DRAWN] = following.page()
    try:
        shared = here.state.shared_out
        if shared is None or shared.experiment.name != name:
            return None
        found = store().experiments.finished_runs(here.code, here.visitor, shared.id)
    except LMCoreError:  # the page goes on without the class, whose bar says why
        return None
    return ClassRuns(shared, found)


def run_buttons(
    experiment: ClassExperiment,
    make: Callable[[int], float] | None = None,
    label: str = "Make a run",
    waits: str = "",
    choose: Choose | None = None,
) -> None:
    """Draw what a member may do: a presenter shares out and ends, a student makes a run.

    Parameters
    ----------
    experiment : ClassExperiment, what is shared out, with what is chosen on a presenter's page
    make : callable, makes the run of a number, with the settings that were shared out
    label : str, of the button that makes a run
    waits : str, said to a student in its place while there is nothing to do
    choose : callable, draws the run of a number in place of `make`, where the visitor says what it comes to
    """
    here = membership()
    if here is None:
        return
    with errors_in_place():
        shared = here.state.shared_out
        runs = (
            shared is not None and shared.experiment.name == experiment.name and not shared.is_over
        )
        if here.member.is_presenter:
            _for_presenters(here, experiment, shared, runs)
        elif runs and shared is not None and waits:
            st.info(waits)
        elif runs and shared is not None:
            _for_students(here, shared, make, label, choose)


def _for_presenters(
    here: Membership, experiment: ClassExperiment, shared: SharedOut | None, runs: bool
) -> None:
    experiments = store().experiments
    if runs and shared is not None:
        if shared.experiment.round_size:
            st.button(
                "Go on without those who are missing",
                icon=":material/skip_next:",
                key="class_runs_end_round",
                on_click=attempt,
                args=(experiments.end_round, here.code, here.visitor, shared.id),
            )
        st.button(
            "End it: no more runs",
            icon=":material/stop:",
            key="class_runs_end",
            on_click=attempt,
            args=(experiments.end, here.code, here.visitor, shared.id),
        )
        return
    size = experiment.round_size
    st.button(
        f"Share out {experiment.n_runs // size} rounds to the class"
        if size
        else f"Share out {experiment.n_runs} runs to the class",
        icon=":material/groups:",
        type="primary",
        key="class_runs_share",
        help="Each phone makes one run of a round, and a round begins when the one before is complete."
        if size
        else "Each phone makes one run, and another if it likes. Each result appears here at once.",
        on_click=attempt,
        args=(experiments.share_out, here.code, here.visitor, experiment),
    )


def _for_students(
    here: Membership,
    shared: SharedOut,
    make: Callable[[int], float] | None,
    label: str,
    choose: Choose | None,
) -> None:
    if st.session_state.get(_NONE_LEFT) == shared.id:
        st.info("No run is left for you. Watch all of them come in on your teacher's screen.")
        return
    taken, number = st.session_state.get(_TAKEN, (None, 0))
    if choose is not None and taken == shared.id:
        choose(number, partial(attempt, _hand_in, here, shared, number))
        return
    st.button(
        label,
        icon=":material/play_arrow:",
        type="primary",
        key="class_runs_make",
        on_click=attempt,
        args=(_make_one, here, shared, make),
    )


def _make_one(
    here: Membership, shared: SharedOut, make: Callable[[int], float] | None = None
) -> None:
    """Take a run; make it and hand in what it came to, if the visitor does not choose that.

    Raises
    ------
    RoomError
        If the experiment is over.
    """
    experiments = store().experiments
    number = experiments.take_run(here.code, here.visitor, shared.id)
    if number is None:
        if not shared.experiment.round_size:
            st.session_state[_NONE_LEFT] = shared.id
    elif make is None:
        st.session_state[_TAKEN] = shared.id, number
    else:
        experiments.finish_run(here.code, here.visitor, shared.id, number, make(number))


def _hand_in(here: Membership, shared: SharedOut, number: int, value: float) -> None:
    """Hand in what a visitor has chosen, and take the next run; RoomError as `_make_one`."""
    del st.session_state[_TAKEN]
    store().experiments.finish_run(here.code, here.visitor, shared.id, number, value)
    _make_one(here, shared)


def runs_drawn(state: RoomState, *, is_presenter: bool) -> tuple[object, ...] | None:
    """Return what of an experiment this visit's page draws; it is drawn anew when that changes."""
    if st.session_state.get(_DRAWN) != following.page() or state.shared_out is None:
        return None
    count = state.run_count if is_presenter else state.run_count_of_rounds
    return state.shared_out.id, state.shared_out.is_over, count


def draw_way_to_runs(state: RoomState) -> None:
    """Draw, in a student's bar, the way to an experiment that is shared out, unless its page is open."""
    shared = state.shared_out
    if shared is None or shared.is_over or following.is_at(PAGE):
        return
    title = page_at(PAGE).term
    st.button(
        f"{title}: make a run",
        icon=":material/play_arrow:",
        type="primary",
        key="class_runs_go",
        on_click=follow_link,
        args=(link_to(PAGE, {"part": shared.experiment.name, **shared.experiment.settings}),),
    )
