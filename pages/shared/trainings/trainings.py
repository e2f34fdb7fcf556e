"""The trainings of this machine and the models that came out of them, beside the shipped ones."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from lm_core.errors import LMCoreError, RunError
from lm_core.jobs import jobs, store
from lm_core.jobs.jobs import Job
from lm_core.jobs.run_folder import RunFolder
from lm_core.training import checkpoints
from lm_core.training.checkpoints import SHIPPED
from pages.shared.rooms.membership import Membership, membership
from pages.shared.ui.visitor import visitor

OWN_RUNS = (
    "The same is true of what is trained on it: others see *a private training* and how far it has come."
    " The training's copy of the text is deleted when it has ended; its model and what it wrote stay until"
    f" you delete the training, at most {store.PRIVATE_S / 86_400:.0f} days. A model may have memorised"
    " parts of the text."
)
"""Said beside a visitor's own text that is about to be learned from."""
_RUN = "run-"
"""Beginning of the name of a model that was trained here; its run's key follows."""
_STEP = "-step-"
"""Follows the name of such a model in the names of its snapshots, before their steps."""


@st.cache_resource(ttl=1.0, max_entries=1, show_spinner=False)
def known_jobs() -> list[Job]:
    """Return all trainings, the live ones first; all visitors together look once a second.

    Raises RunError if the folder of the trainings cannot be read or written.
    """
    return jobs.jobs()


def live_trainings(experiment: str) -> list[Job]:
    """Return the trainings of one kind that wait, start or run; none where none can be kept."""
    try:
        known = known_jobs()
    except RunError:
        return []
    return [
        job for job in known if job.config.experiment == experiment and job.status.state.is_live
    ]


@st.cache_data(ttl=10.0, max_entries=1, show_spinner=False)
def damaged_jobs() -> dict[str, str]:
    """Return what is wrong with the trainings that cannot be read, by key."""
    return store.damaged()


def may_see(job: Job) -> bool:
    """Whether this visit may see what a training writes and use its model.

    A private one is its owner's, and of their class if they have said so.
    """
    if not job.is_private or job.config.owner == visitor():
        return True
    here = membership()
    return job.status.is_shared and here is not None and is_of_class(job, here)


def visible_trainings() -> list[Job]:
    """Return all trainings that this visit may see.

    Raises RunError if the folder of the trainings cannot be read or written.
    """
    return [job for job in known_jobs() if may_see(job)]


def own_trainings() -> list[Job]:
    """Return this visitor's trainings, the live ones first.

    Raises RunError if the folder of the trainings cannot be read or written.
    """
    return [job for job in known_jobs() if job.status.visitor == visitor()]


def name_of_model(job: Job) -> str:
    """Return the name under which a page knows a training's model."""
    return f"{_RUN}{job.key}"


def name_of(job: Job) -> str:
    """Return a training's title, after the name of the student who asked for it in a class.

    It is the same for whoever may see it: links choose a training by it.
    """
    alias = job.status.alias
    title = job.config.title if may_see(job) else "a private training"
    return f"{alias}: {title}" if alias else title


def is_of_class(job: Job, here: Membership) -> bool:
    """Whether somebody asked for a training in this class room, which may be closed by now."""
    return job.status.room == here.code


def title_of(job: Job) -> str:
    """Return a training's name with the beginning of its key: two may have the same text and size."""
    return f"{name_of(job)} ({job.key[:4]})"


def is_private_model(name: str | None) -> bool:
    """Return whether a model was trained here on a visitor's own text."""
    if not name or not is_trained_here(name):
        return False
    return RunFolder.keyed(_key_of(name)).is_private


def is_trained_here(name: str) -> bool:
    """Whether a model's name is that of a training's, not of a shipped one."""
    return name.startswith(_RUN)


def folder_of_checkpoint(name: str) -> Path:
    """Return the folder of a shipped checkpoint or of a training's."""
    if is_trained_here(name):
        _, _, steps = name.partition(_STEP)
        run = RunFolder.keyed(_key_of(name))
        return run.snapshot(int(steps)) if steps else run.checkpoint
    return SHIPPED / name


def _key_of(name: str) -> str:
    """Return the key of the run that left a model or a snapshot of that name."""
    return name.removeprefix(_RUN).partition(_STEP)[0]


def trained_here() -> dict[str, checkpoints.CheckpointMeta]:
    """Return the provenances of the language models that this visit may use of those trained here, by name.

    Models that are part of an experiment are left out: its own page alone uses them. None where
    trainings cannot be kept: the panel of trainings says why.
    """
    provenances: dict[str, checkpoints.CheckpointMeta] = {}
    try:
        known = visible_trainings()
    except RunError:
        return provenances
    for job in known:
        folder = job.run.path / "checkpoint" / job.config.name
        if job.status.state.is_live or not (folder / checkpoints.META_FILE).exists():
            continue
        try:
            name = name_of_model(job)
            meta = checkpoints.read_meta(folder)
            if meta.experiment is None:
                provenances[name] = replace(meta, name=name, title=title_of(job))
        except LMCoreError:
            continue  # a damaged one is reported where trainings are listed, not here
    return provenances


def snapshots_here(model: checkpoints.CheckpointMeta) -> list[checkpoints.CheckpointMeta]:
    """Return the provenances of the snapshots that a training of this machine has left of its model.

    `model`: CheckpointMeta, as `trained_here` has it.
    """
    stored = _stored(RunFolder.keyed(model.name.removeprefix(_RUN)), model.name, model.title)
    return [meta for meta in stored if meta.snapshot_of is not None]


def checkpoints_of(job: Job) -> list[checkpoints.CheckpointMeta]:
    """Return the provenances of all that a training has stored, its snapshots and its model, by step."""
    return _stored(job.run, name_of_model(job), title_of(job))


def _stored(run: RunFolder, name: str, title: str) -> list[checkpoints.CheckpointMeta]:
    """Return the provenances of a run's checkpoints, under the names by which pages find them."""
    stored = [
        replace(meta, name=name, title=title)
        if meta.snapshot_of is None
        else replace(meta, name=f"{name}{_STEP}{meta.steps}", title=title, snapshot_of=name)
        for meta in checkpoints.list_checkpoints(run.checkpoints)
    ]
    return sorted(stored, key=lambda meta: meta.steps)
