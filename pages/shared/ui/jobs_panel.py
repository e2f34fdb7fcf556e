"""The trainings of this machine as everybody sees them: one is watched live, the past ones listed."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import streamlit as st

from lm_core.errors import LMCoreError, RunError
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import RunState
from lm_core.training.checkpoints import META_FILE, read_meta
from pages.shared.classroom.class_trainings import show_class_trainings
from pages.shared.classroom.membership import membership
from pages.shared.turns import fragment
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import duration
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.training_playback import play_training
from pages.shared.ui.trainings import damaged_jobs, is_of_class, known_jobs, name_of, title_of
from pages.shared.ui.visitor import is_presenter, presenter_login

_LOG, _SAMPLES, _REFUSED = "lab_metrics_log", "lab_samples", "lab_job_refused"
_ICONS = {
    RunState.QUEUED: "hourglass_empty",
    RunState.STARTING: "hourglass_top",
    RunState.RUNNING: "model_training",
    RunState.PAUSED: "pause_circle",
    RunState.CANCELLED: "cancel",
    RunState.FAILED: "error",
    RunState.FINISHED: "check_circle",
}


Picture = Callable[[Job, MetricsLogReader], None]
"""Draws how far a training has come, from the lines that it has written so far."""


def jobs_panel(
    who: str,
    use: Callable[[Job], None] | None = None,
    *,
    experiment: str = "war_and_peace",
    picture: Picture | None = None,
    unit: str | None = None,
    nothing_yet: Callable[[], None] | None = None,
) -> None:
    """Draw the chosen training, live while it lasts, and the list of all of one kind.

    Parameters
    ----------
    who : str
        As `pages.shared.ui.visitor.visitor` says.
    use : callable of a Job, optional
        Called when a visitor wants its model on the page.
    experiment : str
        Which trainings: a name in `lm_core.jobs.registry`.
    picture : callable of (Job, MetricsLogReader), optional
        Draws a training; by default its loss and what it writes.
    unit : str, optional
        That held-out losses are means over: by them the trainings of a class are ranked.
    nothing_yet : callable, optional
        Draws what is seen as long as there is no training.
    """
    try:
        everyone = _all_of(experiment)
    except RunError as error:
        show_error(f"No training can be kept on this server. {error}")
        return
    _name_damaged()
    if not everyone:
        st.info("Nothing has been trained on this server yet.")
        if nothing_yet:
            nothing_yet()
        return
    if unit and not is_presenting():
        show_class_trainings(experiment, who, unit)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = control(
            st.selectbox,
            "job",
            "Training to watch",
            list(everyone),
            # Without its state: the browser keeps the words of the option that was chosen.
            format_func=lambda key: title_of(everyone[key]) if key in everyone else key,
            label_visibility="collapsed" if is_presenting() else "visible",
        )
        presenter_login()
    is_live = everyone[key].status.state.is_live
    watch = fragment(_watch, run_every=1.0 if is_live else None)
    watch(key, is_live, who, use, picture or _learning)
    if not is_presenting():  # large type leaves room for how far it has come alone
        _past([job for job in everyone.values() if not job.status.state.is_live], who)


def _name_damaged() -> None:
    if damaged := damaged_jobs():
        show_error(f"Trainings left out: {'; '.join(damaged.values())}", st.warning)


def _all_of(experiment: str) -> dict[str, Job]:
    """Return the trainings of a kind by key, one that was asked for a moment ago included."""
    everyone = {job.key: job for job in known_jobs() if job.config.experiment == experiment}
    chosen = st.session_state.get("job")
    if chosen and chosen not in everyone:
        with contextlib.suppress(RunError):  # it is gone, or a link made it up
            job = jobs.job(chosen)
            if job.config.experiment == experiment:
                everyone[chosen] = job
    return everyone


def _watch(
    key: str, was_live: bool, who: str, use: Callable[[Job], None] | None, picture: Picture
) -> None:
    """Draw one training; redrawn every second while it is live."""
    try:
        job = jobs.job(key)
    except RunError:
        st.info("This training is gone: it was removed to make room.", icon=":material/delete:")
        return
    if was_live and not job.status.state.is_live:
        known_jobs.clear()
        st.rerun()
    log = _reader(_LOG, job.key, job.run.metrics_file)
    with st.container(key="live_training"):
        if not is_presenting():
            st.caption(_settings(job, who))
        _state(job, log)
        if log.rows:
            picture(job, log)
    if not is_presenting():
        _buttons(job, who, use)


def _reader(name: str, key: str, file: Path) -> MetricsLogReader:
    """Return this visit's reader of a file of a run, which goes on where it stopped a second ago."""
    known, log = st.session_state.get(name, (None, None))
    if known != key:
        log = MetricsLogReader(file)
        st.session_state[name] = (key, log)
    log.read()
    return log


def _whose(job: Job, who: str) -> str:
    return "yours" if job.status.visitor == who else "somebody else's"


def _settings(job: Job, who: str) -> str:
    """Say what a training is: not in the list of choices, whose words are in links for everybody."""
    training = job.config.training
    rate = f", learning rate {training['learning_rate']:.3g}" if "learning_rate" in training else ""
    return f"{escaped(name_of(job))}{rate}, seed {training['seed']}: {_whose(job, who)}."


def _state(job: Job, log: MetricsLogReader) -> None:
    status = job.status
    last = log.rows[-1] if log.rows else None
    step = last["step"] if last else status.step
    st.progress(min(1.0, step / status.steps), text=_sentence(job, step, last))
    if log.n_unreadable:
        st.caption(
            f"Lines of its metrics left out, because they cannot be read: {log.n_unreadable}"
        )
    if status.message:
        show_error(status.message, st.error if status.state is RunState.FAILED else st.info)


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
        if "window" in training:
            speed = step * training["batch"] * training["window"] / last["seconds"]
            parts.append(f"{speed:,.0f} characters/s")
        if status.state is RunState.RUNNING:
            left = last["seconds"] / step * (status.steps - step)
            parts.append(f"{duration(left)} left")
        else:
            parts.append(f"{duration(last['seconds'])} of training")
    return ", ".join([*parts, escaped(status.device or "")]).removesuffix(", ")


def _learning(job: Job, log: MetricsLogReader) -> None:
    """Draw the loss of a language model, and play what it wrote in the course of its training."""
    samples = _reader(_SAMPLES, job.key, job.run.samples_file).rows

    def draw(i: int) -> None:
        st.caption(f"What it writes after {samples[i]['step']:,} steps")
        with st.container(border=True):
            st.text(samples[i]["text"])

    play_training(job, log, [sample["step"] for sample in samples], draw, label="Sample")


def _buttons(job: Job, who: str, use: Callable[[Job], None] | None) -> None:
    state = job.status.state
    is_own = _presents_to(job) or job.status.visitor == who
    has_model = (job.run.checkpoint / META_FILE).exists()
    with st.container(horizontal=True, vertical_alignment="center", key="training_buttons"):
        if is_own:
            _own_buttons(job, who)
        if has_model and not state.is_live:
            with errors_in_place():
                _model(job, use)
    if job.run.is_barred:
        st.caption("The presenter stopped it: only the presenter can resume it.")
    elif state.is_live and not is_own:
        st.caption("Another visitor started it: they may stop it, and so may the presenter.")
    if refused := st.session_state.pop(_REFUSED, None):
        show_error(refused)


def _model(job: Job, use: Callable[[Job], None] | None) -> None:
    """Draw what can be done with a training's model.

    Raises
    ------
    CheckpointError
        If it cannot be read.
    """
    read_meta(job.run.checkpoint)
    if use and st.button(
        "Use this model on the page",
        icon=":material/edit_note:",
        type="primary",
        key=f"use_{job.key}",
        on_click=use,
        args=(job,),
    ):
        st.toast(f"{escaped(name_of(job))} writes the text now.")
        st.rerun()  # all of the page, not only this panel
    download_checkpoint(job.run.checkpoint, key=f"download_{job.key}")


def _own_buttons(job: Job, who: str) -> None:
    """Draw what the visitor whose job it is and the presenter may do with it."""
    if job.status.state.is_live:
        _button("Pause", "pause", job, jobs.pause)
        _button(
            "Cancel",
            "stop",
            job,
            lambda key: jobs.cancel(key, is_presenter=_stops_others(job, who)),
        )
        return
    can_go_on = job.status.state is not RunState.FINISHED and not job.run.lacks_text
    if can_go_on and (_presents_to(job) or not job.run.is_barred):
        _button(
            "Resume",
            "play_arrow",
            job,
            lambda key: jobs.resume(key, visitor=who, is_presenter=_presents_to(job)),
        )
    if is_presenter() or job.status.visitor == who:
        _button("Delete", "delete", job, jobs.clean, help="Its text, its model and its curves.")


def _presents_to(job: Job) -> bool:
    """Whether this visit presents here: on the whole server, or to the class of a training."""
    here = membership()
    return is_presenter() or (
        here is not None and here.member.is_presenter and is_of_class(job, here)
    )


def _stops_others(job: Job, who: str) -> bool:
    """Whether it is the presenter who acts, on a job of somebody else."""
    return _presents_to(job) and job.status.visitor != who


def _button(
    label: str, icon: str, job: Job, act: Callable[[str], object], help: str | None = None
) -> None:
    """Draw a button that changes a job, and redraw the page when it has."""
    if st.button(label, icon=f":material/{icon}:", key=f"{label.lower()}_{job.key}", help=help):
        try:
            act(job.key)
        except LMCoreError as error:
            st.session_state[_REFUSED] = str(error)
        known_jobs.clear()
        st.rerun()


def _past(ended: list[Job], who: str) -> None:
    if not ended:
        return
    with st.expander(f"Past trainings: {len(ended)}", icon=":material/history:"):
        st.dataframe(
            pd.DataFrame([_row(job, who) for job in ended]),
            hide_index=True,
            column_config={"Validation loss": st.column_config.NumberColumn(format="%.4f")},
        )


def _row(job: Job, who: str) -> dict[str, object]:
    last = job.run.last_metrics() or {}
    return {
        "Training": name_of(job),
        "Whose": _whose(job, who),
        "State": str(job.status.state),
        "Steps": job.status.step,
        "Validation loss": last.get("validation_loss"),
        "Seed": job.config.training["seed"],
        "Device": job.status.device,
        "Time": duration(last["seconds"]) if last else "",
        "Ended": (job.status.ended_at or "")[:16].replace("T", " "),
        "Key": job.key,
    }
