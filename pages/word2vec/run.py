"""The training on a longer text: a run, which a worker carries out, watched while it goes on."""

import contextlib
from dataclasses import replace

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.word2vec.experiment import read_record, short_text_run
from lm_core.experiments.word2vec.short_text import TrainingRecord
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunConfig, RunState
from lm_core.jobs.run_folder import RunFolder
from pages.shared import page
from pages.shared.trainings.training_requests import show_refusal, submit_training, train_button
from pages.shared.ui.controls import asked_by_link
from pages.shared.ui.visitor import is_presenter, visitor
from pages.word2vec.snapshots import SNAPSHOT, look_back
from pages.word2vec.text import OWN, Material
from pages.word2vec.training import description

_ASKED, _WATCHED = "vector_run", "vector_run_watched"


def trained_by_worker(material: Material) -> TrainingRecord | None:
    """Draw the buttons and, while it goes on, the training; return what it has left once it ended."""
    who, config = visitor(), _run_config(material)
    if asked_by_link(SNAPSHOT) and material.kind != OWN:
        _ask(material, config, who)
    show_refusal()
    job = _job(config, who)
    if job is not None and job.status.state.is_live:
        page.fragment(_watch, run_every=1.0)(material, job.key, who)
        return None
    training = _record(job.run) if job else None
    if job and training and st.session_state.pop(_WATCHED, None) == job.key:
        _show_last(training)  # however it ended, it left something since it was looked at
    with st.container(horizontal=True, vertical_alignment="center"):
        is_done = training is not None and training.is_done
        if train_button("vectors_train", disabled=is_done):
            _ask(material, config, who)
            st.rerun()
        if training is None:
            st.caption("Takes some seconds. Stop keeps what was learned so far.")
        else:
            st.caption(description(material, training))
    if job and job.status.state is RunState.FAILED:
        page.show_error(job.status.message, icon=":material/warning:")
    with contextlib.suppress(LMCoreError):  # a head start, no more: Train says what is wrong
        jobs.expect_one()
    return training


def _record(run: RunFolder) -> TrainingRecord:
    """Return what a run has left so far; it is read again only once its checkpoint has changed."""
    changed = run.checkpoint.stat().st_mtime_ns if run.checkpoint.exists() else 0
    return _record_as_of(run.key, changed, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _record_as_of(key: str, changed: int, _run: RunFolder) -> TrainingRecord:
    del key, changed
    return read_record(_run)


def _run_config(material: Material) -> RunConfig:
    corpus = "a text of one's own" if material.kind == OWN else material.kind
    config = short_text_run(
        material.text, material.short, material.kept.minimum_count, material.config, corpus=corpus
    )
    return replace(config, owner=visitor()) if material.kind == OWN else config


def _job(config: RunConfig, who: str) -> Job | None:
    """Return the run if this visitor has asked for it, in this visit or an earlier one."""
    key = config.fingerprint()
    if not RunFolder.keyed(key).path.exists():
        return None
    job = jobs.job(key)
    return job if st.session_state.get(_ASKED) == key or job.status.visitor == who else None


def _ask(material: Material, config: RunConfig, who: str) -> None:
    job = submit_training(lambda: config, who, material.text, is_private=bool(config.owner))
    if job is not None:
        st.session_state[_ASKED] = job.key
        _show_last(_record(job.run))


def _show_last(training: TrainingRecord) -> None:
    if training.snapshots:
        page.go_to(SNAPSHOT, len(training.snapshots) - 1)


def _cancel(key: str) -> None:
    jobs.cancel(key)


def _watch(material: Material, key: str, who: str) -> None:
    """Draw how far the training has come; redrawn every second while it is live."""
    job = jobs.job(key)
    st.session_state[_WATCHED] = key
    training = _record(job.run)
    _show_last(training)
    if not job.status.state.is_live:
        st.rerun()
    last = job.run.last_metrics()
    if last is None:
        waits = f"{job.n_ahead} trainings before it" if job.n_ahead else "a worker is started"
        st.progress(0.0, f"Waits: {waits}")
    else:
        share = last["step"] / job.status.steps
        st.progress(share, f"step {last['step']:,}, loss {last['loss']:.2f} {material.unit}")
    if is_presenter() or job.status.visitor == who:
        st.button("Stop", icon=":material/stop:", key="vectors_stop", on_click=_cancel, args=(key,))
    if training.snapshots:
        look_back(material, training)
