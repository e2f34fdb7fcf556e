"""The trainings of a class, ranked by what they came to on held-out text."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.errors import RunError
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunState
from pages.shared.charts.class_trainings import TrainingBar, class_training_bars
from pages.shared.numbers import percent
from pages.shared.rooms.membership import Membership, membership
from pages.shared.trainings.trainings import known_jobs
from pages.shared.turns import fragment
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart

_MOST_BARS, _MOST_PROJECTED = 40, 10
_EVERY_S = 2.0


class ClassTraining(NamedTuple):
    """A training that a student of a class has asked for."""

    key: str  # of its run
    alias: str  # what the student was called then
    visitor: str  # who they are; not for others to see
    title: str  # its settings
    # what it learns from, in which vocabulary: losses on the same are comparable
    text: tuple[str, ...]
    state: RunState
    share: float  # of its steps, how many are done
    loss: float | None  # on held-out text; None before it was first looked at
    # whether all of the class may see what it writes: it is not private, or its student shares it
    is_open: bool


def class_trainings(code: str, experiment: str) -> list[ClassTraining]:
    """Return a class's trainings of one kind, the lowest held-out loss first; none where none are kept.

    What was cancelled or failed before its first look is left out.
    """
    try:
        return _ranked(code, experiment)
    except RunError:
        return []  # the panel of trainings says why


@st.cache_data(ttl=1.0, max_entries=64, show_spinner=False)
def _ranked(code: str, experiment: str) -> list[ClassTraining]:
    found = [
        ClassTraining(
            job.key,
            job.status.alias,
            job.status.visitor,
            job.config.title if is_open_to_class(job) else "a private training",
            (job.config.corpus_sha256, job.config.vocabulary, job.config.characters or ""),
            job.status.state,
            min(1.0, job.step / job.status.steps),
            job.run.held_out_loss(),
            is_open_to_class(job),
        )
        for job in known_jobs()
        if job.status.room == code and job.config.experiment == experiment
    ]
    kept = [training for training in found if training.state.is_live or training.loss is not None]
    return sorted(kept, key=lambda t: (math.inf if t.loss is None else t.loss, -t.share, t.key))


def is_open_to_class(job: Job) -> bool:
    """Return whether all of the class in which a training was asked for may see what it writes."""
    return not job.is_private or job.status.is_shared


def show_class_trainings(experiment: str, who: str, unit: str) -> None:
    """Draw the ranking of the class that this visit is in, anew while a training lasts; nothing outside.

    Parameters
    ----------
    experiment : str, which trainings: a name in `lm_core.jobs.registry`
    who : str, as `pages.shared.ui.visitor.visitor` says
    unit : str, that the losses are means over
    """
    here = membership()
    if here is None:
        return
    is_live = any(t.state.is_live for t in class_trainings(here.code, experiment))
    fragment(_ranking, run_every=_EVERY_S if is_live else None)(
        here, experiment, who, unit, is_live
    )


def _ranking(here: Membership, experiment: str, who: str, unit: str, was_live: bool) -> None:
    found = class_trainings(here.code, experiment)
    if was_live and not any(training.state.is_live for training in found):
        st.rerun()
    if not found:
        st.caption("Nobody in your class has started a training yet.")
        return
    texts = Counter(training.text for training in found)
    shared = [text for text, n in texts.most_common() if n > 1]
    with st.container(key="live_class_trainings"):
        for i, text in enumerate(shared):
            same = [training for training in found if training.text == text]
            numbered = {f"{rank}. {t.alias}": t for rank, t in enumerate(same, start=1)}
            title = f"{len(same)} trainings of your class on one text"
            _bars(numbered, who, unit, f"class_trainings_{i}", title)
        if alone := [training for training in found if texts[training.text] == 1]:
            title = "Trainings of your class"
            if len(found) > 1:
                title += ", each on a text of its own: not to be compared"
            _bars(_apart(alone), who, unit, "class_trainings_alone", title)


def _apart(trainings: Sequence[ClassTraining]) -> dict[str, ClassTraining]:
    """Return trainings under names that differ, though a student may have several."""
    named: dict[str, ClassTraining] = {}
    for training in trainings:
        n = sum(other.alias == training.alias for other in named.values())
        named[f"{training.alias} ({n + 1})" if n else training.alias] = training
    return named


def _bars(
    trainings: Mapping[str, ClassTraining], who: str, unit: str, key: str, title: str
) -> None:
    most = _MOST_PROJECTED if is_presenting() else _MOST_BARS
    shown = {
        name: training
        for place, (name, training) in enumerate(trainings.items())
        if place < most or training.visitor == who
    }
    drawing = class_training_bars([_bar(name, shown[name], who) for name in shown])
    left_out = f" (the first {most} shown)" if len(shown) < len(trainings) else ""
    st.markdown(f"**{title}{left_out}**: held-out loss in nats a {unit}")
    show_chart(
        drawing,
        pd.DataFrame([_row(training, who) for training in trainings.values()]),
        key=key,
        alt="; ".join(f"{name}: {_loss(training)}" for name, training in shown.items()),
        name="class-trainings",
    )


def _bar(name: str, training: ClassTraining, who: str) -> TrainingBar:
    return TrainingBar(
        name, training.title, training.loss, _progress(training), training.visitor == who
    )


def _progress(training: ClassTraining) -> str:
    if training.state is RunState.FINISHED:
        return ""
    if training.state is RunState.RUNNING:
        return percent(training.share)
    return "waits" if training.state.is_live else f"{training.state} at {percent(training.share)}"


def _loss(training: ClassTraining) -> str:
    return "none yet" if training.loss is None else f"{training.loss:.3f}"


def _row(training: ClassTraining, who: str) -> dict[str, object]:
    return {
        "Student": training.alias,
        "Training": training.title,
        "Held-out loss": training.loss,
        "State": str(training.state),
        "Steps done": percent(training.share),
        "Yours": training.visitor == who,
    }
