"""What a training says of itself, and what its visitor and the presenter may do with it."""

from collections.abc import Callable

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.jobs import jobs, store
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunState
from pages.shared.numbers import percent
from pages.shared.rooms.membership import membership
from pages.shared.trainings.training_requests import note_refused
from pages.shared.trainings.trainings import is_of_class, known_jobs
from pages.shared.ui.markdown import escaped
from pages.shared.ui.times import duration
from pages.shared.ui.visitor import address, is_presenter

_ICONS = {
    RunState.QUEUED: "hourglass_empty",
    RunState.STARTING: "hourglass_top",
    RunState.RUNNING: "model_training",
    RunState.PAUSED: "pause_circle",
    RunState.CANCELLED: "cancel",
    RunState.FAILED: "error",
    RunState.FINISHED: "check_circle",
}


def progress_bar(job: Job, last: dict | None) -> None:
    """Draw how far a training has come.

    `last`: dict or None, the newest line of its metrics.
    """
    step = last["step"] if last else job.status.step
    st.progress(min(1.0, step / job.status.steps), text=_sentence(job, step, last))


def private_progress_bar(job: Job) -> None:
    """Draw how far a training has come, to somebody who may know no more of it."""
    share = min(1.0, job.step / job.status.steps)
    icon = f":material/{_ICONS[job.status.state]}:"
    st.progress(share, text=f"{icon} A private training, {percent(share)} done")


def _sentence(job: Job, step: int, last: dict | None) -> str:
    status = job.status
    icon = f":material/{_ICONS[status.state]}:"
    if status.state is RunState.QUEUED:
        place = f"{job.n_ahead} before it" if job.n_ahead else "next"
        return f"{icon} Waits its turn: {place}."
    if last is None:
        return f"{icon} {status.state.capitalize()}."
    parts = [f"{icon} {status.state.capitalize()}: step {step:,} of {status.steps:,}"]
    parts.append(f"loss {last['loss']:.3f}")
    if last["seconds"] and step:
        training = job.config.training
        if "window" in training and job.config.vocabulary:  # a language model's
            speed = step * training["batch"] * training["window"] / last["seconds"]
            parts.append(f"{speed:,.0f} characters/s")
        if status.state is RunState.RUNNING:
            left = last["seconds"] / step * (status.steps - step)
            parts.append(f"{duration(left)} left")
        else:
            parts.append(f"{duration(last['seconds'])} of training")
    return ", ".join([*parts, escaped(status.device or "")]).removesuffix(", ")


def may_act(job: Job, who: str) -> bool:
    """Whether this visit may stop a training, and let it go on."""
    return _presents_to(job) or _clears_address(job) or job.status.visitor == who


def act_buttons(job: Job, who: str, *, prefix: str = "") -> None:
    """Draw what the visitor whose job it is, and the presenter, may do with it.

    Parameters
    ----------
    who : str, as `pages.shared.ui.visitor.visitor` says
    prefix : str, of the buttons' keys, where a page may have these buttons twice
    """
    if job.status.state.is_live:
        _button("Pause", "pause", job, jobs.pause, prefix)
        is_others = _presents_to(job) and job.status.visitor != who
        _button("Cancel", "stop", job, lambda key: jobs.cancel(key, is_presenter=is_others), prefix)
        return
    if not _presents_to(job) and job.status.visitor != who:
        return
    can_go_on = job.status.state is not RunState.FINISHED and not job.run.lacks_text
    if can_go_on and (_presents_to(job) or not job.run.is_barred):
        _button(
            "Resume",
            "play_arrow",
            job,
            lambda key: jobs.resume(key, visitor=who, is_presenter=_presents_to(job)),
            prefix,
        )
    if is_presenter() or job.status.visitor == who:
        _button(
            "Delete",
            "delete",
            job,
            jobs.delete,
            prefix,
            help=f"Its text, its model and its curves; *Undo* is there for {store.UNDO_S / 60:.0f} minutes.",
        )


def undo_buttons(who: str, experiment: str | None = None, *, prefix: str = "") -> None:
    """Draw a line for each training that the visitor deleted a moment ago, with the way back.

    Parameters
    ----------
    experiment : str, only those of one kind
    prefix : str, of the buttons' keys
    """
    for job in jobs.deleted(who):
        if experiment in (None, job.config.experiment):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    f":material/delete: Deleted: {escaped(job.config.title)}", width="content"
                )
                _button("Undo", "undo", job, jobs.undo_delete, prefix)


def _presents_to(job: Job) -> bool:
    """Whether this visit presents here: on the whole server, or to the class of a training."""
    here = membership()
    return is_presenter() or (
        here is not None and here.member.is_presenter and is_of_class(job, here)
    )


def _clears_address(job: Job) -> bool:
    """Whether this visit presents to a class, at whose address somebody outside of any class trains.

    Whoever is in a hurry with many trainings takes the turns of a class there. Stopped so, a training
    may be resumed by whoever asked for it.
    """
    here = membership()
    is_here = bool(job.status.address) and job.status.address == address()
    return here is not None and here.member.is_presenter and is_here and not job.status.room


def _button(
    label: str,
    icon: str,
    job: Job,
    act: Callable[[str], object],
    prefix: str,
    help: str | None = None,
) -> None:
    """Draw a button that changes a job, and redraw the page when it has."""
    key = f"{prefix}{label.lower()}_{job.key}"
    if st.button(label, icon=f":material/{icon}:", key=key, help=help):
        try:
            act(job.key)
        except LMCoreError as error:
            note_refused(error)
        known_jobs.clear()
        st.rerun()
