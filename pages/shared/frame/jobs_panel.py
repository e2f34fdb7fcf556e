"""The trainings of this machine as everybody sees them: one is watched live, the past ones listed."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import streamlit as st

from lm_core.errors import RunError
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import RunState
from lm_core.training.checkpoints import META_FILE, read_meta
from pages.shared.classroom.class_trainings import show_class_trainings
from pages.shared.frame.training_playback import play_training
from pages.shared.numbers import significant
from pages.shared.trainings import training_controls
from pages.shared.trainings.training_requests import show_refusal
from pages.shared.trainings.trainings import damaged_jobs, known_jobs, may_see, name_of, title_of
from pages.shared.turns import fragment
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.times import duration
from pages.shared.ui.visitor import presenter_login

_LOG, _SAMPLES = "lab_metrics_log", "lab_samples"


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
    who : str, as `pages.shared.ui.visitor.visitor` says
    use : callable of a Job, called when a visitor wants its model on the page
    experiment : str, which trainings: a name in `lm_core.jobs.registry`
    picture : callable of (Job, MetricsLogReader), optional
        Draws a training; by default its loss and what it writes.
    unit : str, that held-out losses are means over: by them the trainings of a class are ranked
    nothing_yet : callable, draws what is seen as long as there is no training
    """
    show_refusal()
    try:
        everyone = _all_of(experiment, who)
    except RunError as error:
        show_error(f"No training can be kept on this server. {error}")
        return
    _name_damaged()
    if unit and not is_presenting():
        show_class_trainings(experiment, who, unit)
    if not everyone:
        st.info("Nothing has been trained on this server yet.")
        training_controls.undo_buttons(who, experiment)
        if nothing_yet:
            nothing_yet()
        return
    titles = {key: title_of(job) for key, job in everyone.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = control(
            st.selectbox,
            "job",
            "Training to watch",
            list(everyone),
            # Without its state: the browser keeps the words of the option that was chosen.
            format_func=lambda key: titles.get(key, key),
            label_visibility="collapsed" if is_presenting() else "visible",
        )
        presenter_login()
    is_live = everyone[key].status.state.is_live
    watch = fragment(_watch, run_every=1.0 if is_live else None)
    watch(key, is_live, who, use, picture or _learning)
    if not is_presenting():  # large type leaves room for how far it has come alone
        training_controls.undo_buttons(who, experiment)
        _past([job for job in everyone.values() if not job.status.state.is_live], who)


def _name_damaged() -> None:
    if damaged := damaged_jobs():
        show_error(f"Trainings left out: {'; '.join(damaged.values())}", st.warning)


def _all_of(experiment: str, who: str) -> dict[str, Job]:
    """Return the trainings of a kind by key, one that was asked for a moment ago included.

    Of the private ones of others there are those that go on: they tell why one waits.
    """
    everyone = {
        job.key: job
        for job in known_jobs()
        if job.config.experiment == experiment
        and (job.status.state.is_live or may_see(job) or training_controls.may_act(job, who))
    }
    chosen = st.session_state.get("job")
    if chosen and chosen not in everyone:
        with contextlib.suppress(RunError):  # it is gone, or a link made it up
            job = jobs.job(chosen)
            if job.config.experiment == experiment and may_see(job):
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
        if not may_see(job):
            training_controls.private_progress_bar(job)
        else:
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
    rate = (
        f", learning rate {significant(training['learning_rate'], 3)}"
        if "learning_rate" in training
        else ""
    )
    return f"{escaped(name_of(job))}{rate}, seed {training['seed']}: {_whose(job, who)}."


def _state(job: Job, log: MetricsLogReader) -> None:
    status = job.status
    training_controls.progress_bar(job, log.rows[-1] if log.rows else None)
    if log.n_unreadable:
        st.caption(
            f"Lines of its metrics left out, because they cannot be read: {log.n_unreadable}"
        )
    if status.message:
        show_error(status.message, st.error if status.state is RunState.FAILED else st.info)


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
    is_own = training_controls.may_act(job, who)
    has_model = may_see(job) and (job.run.checkpoint / META_FILE).exists()
    with st.container(horizontal=True, vertical_alignment="center", key="training_buttons"):
        if is_own:
            training_controls.act_buttons(job, who)
        if has_model and not state.is_live:
            with errors_in_place():
                _model(job, use)
    if job.run.is_barred:
        st.caption("The presenter stopped it: only the presenter can resume it.")
    elif state.is_live and not is_own:
        st.caption("Another visitor started it: they may stop it, and so may the presenter.")


def _model(job: Job, use: Callable[[Job], None] | None) -> None:
    """Draw what can be done with a training's model; raises CheckpointError if it cannot be read."""
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
