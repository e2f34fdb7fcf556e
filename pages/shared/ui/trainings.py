"""The trainings of this machine and the models that came out of them, beside the shipped ones."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import streamlit as st

from lm_core.errors import LMCoreError, RunError
from lm_core.jobs import jobs, store
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunConfig
from lm_core.jobs.run_folder import RunFolder
from lm_core.training.checkpoints import (
    META_FILE,
    SHIPPED,
    CheckpointMeta,
    list_checkpoints,
    read_meta,
)
from pages.shared.classroom.membership import Membership, membership
from pages.shared.ui.controls import control
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address

_REFUSED = "training_refused"
_SEEDS = 99_999
"""From so many each student of a class has one of their own."""
_RUN = "run-"
"""Beginning of the name of a model that was trained here; its run's key follows."""
_STEP = "-step-"
"""Follows the name of such a model in the names of its snapshots, before their steps."""


@st.cache_resource(ttl=1.0, max_entries=1, show_spinner=False)
def known_jobs() -> list[Job]:
    """Return all trainings, the live ones first; all visitors together look once a second.

    Raises
    ------
    RunError
        If the folder of the trainings cannot be read or written.
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


def name_of_model(job: Job) -> str:
    """Return the name under which a page knows a training's model."""
    return f"{_RUN}{job.key}"


def name_of(job: Job) -> str:
    """Return a training's title, after the name of the student who asked for it in a class.

    It is the same for whoever looks: links choose a training by it.
    """
    alias = job.status.alias
    return f"{alias}: {job.config.title}" if alias else job.config.title


def is_of_class(job: Job, here: Membership) -> bool:
    """Whether somebody asked for a training in this class room, which may be closed by now."""
    return job.status.room == here.code


def title_of(job: Job) -> str:
    """Return a training's name with the beginning of its key: two may have the same text and size."""
    return f"{name_of(job)} ({job.key[:4]})"


def is_trained_here(name: str) -> bool:
    """Whether a model's name is that of a training's, not of a shipped one."""
    return name.startswith(_RUN)


def folder_of_checkpoint(name: str) -> Path:
    """Return the folder of a shipped checkpoint or of a training's."""
    if is_trained_here(name):
        key, _, steps = name.removeprefix(_RUN).partition(_STEP)
        run = RunFolder.keyed(key)
        return run.snapshot(int(steps)) if steps else run.checkpoint
    return SHIPPED / name


def trained_here() -> dict[str, CheckpointMeta]:
    """Return the provenances of the language models that trainings of this machine have left, by name.

    Models that are part of an experiment are left out: its own page alone uses them. None where
    trainings cannot be kept: the panel of trainings says why.
    """
    provenances: dict[str, CheckpointMeta] = {}
    try:
        known = known_jobs()
    except RunError:
        return provenances
    for job in known:
        folder = job.run.path / "checkpoint" / job.config.name
        if job.status.state.is_live or not (folder / META_FILE).exists():
            continue
        try:
            name = name_of_model(job)
            meta = read_meta(folder)
            if meta.experiment is None:
                provenances[name] = replace(meta, name=name, title=title_of(job))
        except LMCoreError:
            continue  # a damaged one is reported where trainings are listed, not here
    return provenances


def snapshots_here(model: CheckpointMeta) -> list[CheckpointMeta]:
    """Return the provenances of the snapshots that a training of this machine has left of its model.

    Parameters
    ----------
    model : CheckpointMeta
        As `trained_here` has it.
    """
    stored = _stored(RunFolder.keyed(model.name.removeprefix(_RUN)), model.name, model.title)
    return [meta for meta in stored if meta.snapshot_of is not None]


def checkpoints_of(job: Job) -> list[CheckpointMeta]:
    """Return the provenances of all that a training has stored, its snapshots and its model, by step."""
    return _stored(job.run, name_of_model(job), title_of(job))


def _stored(run: RunFolder, name: str, title: str) -> list[CheckpointMeta]:
    """Return the provenances of a run's checkpoints, under the names by which pages find them."""
    stored = [
        replace(meta, name=name, title=title)
        if meta.snapshot_of is None
        else replace(meta, name=f"{name}{_STEP}{meta.steps}", title=title, snapshot_of=name)
        for meta in list_checkpoints(run.checkpoints)
    ]
    return sorted(stored, key=lambda meta: meta.steps)


def choose_training_seed() -> int:
    """Draw the field for a training's seed, and return it.

    Equal settings are one training: of thirty students who press Train, one would have a training
    and twenty-nine would look on. So each student of a class begins with a seed of their own, and
    the link does not carry it: who follows the teacher keeps it. They also see by it how far equal
    settings end apart.
    """
    here = membership()
    own = 1 if here is None else 1 + int(here.member.id, 16) % _SEEDS
    seed = control(
        st.number_input,
        "train_seed" if here is None else "class_train_seed",
        "Seed of the training",
        0,
        2**31 - 1,
        own,
        in_link=here is None,
        help=None if here is None else "Your own: equal settings and seeds are one training.",
    )
    return int(seed)


def submit_training(config: Callable[[], RunConfig], who: str, text: str | None = None) -> None:
    """Ask for a training and follow it; `show_refusal` says on the next draw what speaks against it.

    Parameters
    ----------
    config : callable
        Returns what is to be trained, or raises what speaks against it.
    who : str
        As `pages.shared.ui.visitor.visitor` says.
    text : str, optional
        The training text, if its corpus is in no catalogue.
    """
    here = membership()
    room, alias = ("", "") if here is None else (here.code, here.member.alias)
    try:
        job = jobs.submit(
            config(), text=text, visitor=who, address=address(), room=room, alias=alias
        )
    except LMCoreError as error:
        st.session_state[_REFUSED] = str(error)
        return
    known_jobs.clear()
    st.session_state["job"] = job.key


def show_refusal() -> None:
    """Say why the training that was asked for last was refused, if it was."""
    if refused := st.session_state.pop(_REFUSED, None):
        show_error(refused)
