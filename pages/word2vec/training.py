"""The training on the synthetic text, begun and stopped by a button: a second or two, in the server."""

import streamlit as st

from lm_core.errors import DivergenceError
from lm_core.experiments.word2vec.negative_sampling_training import NegativeSamplingConfig
from lm_core.experiments.word2vec.short_text import (
    RecordedTraining,
    TrainingRecord,
    VectorConfig,
)
from pages.shared import page
from pages.shared.counts import counted
from pages.shared.trainings.training_requests import train_button
from pages.shared.ui.controls import asked_by_link
from pages.shared.ui.playback import go_to, play
from pages.word2vec.snapshots import SNAPSHOT
from pages.word2vec.text import Material

_KEPT, _RUNNING = "vector_training", "vector_training_runs"
_LOOKS = 40
"""How often a training says how far it is: it takes a second or two."""


def trained_here(material: Material) -> TrainingRecord | None:
    """Draw the buttons and, while it runs, the progress; return what the training has left, if there is one."""
    kept = st.session_state.get(_KEPT)
    training = kept[1] if kept and kept[0] == material.settings else None
    if training is None:
        st.session_state[_RUNNING] = False
        if asked_by_link(SNAPSHOT):
            training = _begin(material)
    with st.container(horizontal=True, vertical_alignment="center"):
        _buttons(material, training)
    if training is not None and st.session_state.get(_RUNNING):
        _run(material, training)
        return None  # it has diverged: what is there without it stays on screen
    return training.record if training else None


def _buttons(material: Material, training: RecordedTraining | None) -> None:
    if st.session_state.get(_RUNNING):
        st.button("Stop", icon=":material/stop:", key="vectors_stop", on_click=_stop)
        return
    is_done = training is not None and training.is_done
    label = "Train" if training is None or is_done else "Go on"
    if train_button("vectors_train", label, disabled=is_done):
        _train(material)
        st.rerun()
    if training is None:
        st.caption("Takes a few seconds. Stop keeps what was learned so far.")
    else:
        st.caption(description(material, training.record))


def description(material: Material, training: TrainingRecord) -> str:
    """Say how much has been learned, and how."""
    config = material.config
    return (
        f"{len(training.losses):,} of {training.n_steps:,} steps"
        f" · {training.seconds:.1f} s · {_method(config)}, learning rate"
        f" {config.learning_rate:g} falling to 0 · seed {config.seed}"
        + ("" if training.is_done else " · stopped")
    )


def _method(config: VectorConfig) -> str:
    if isinstance(config, NegativeSamplingConfig):
        return f"skip-gram, {counted(config.negatives, 'negative sample')}, gradient descent"
    return f"CBOW, full softmax, Adam, {config.batch} words a step"


def _train(material: Material) -> None:
    """Begin or go on; what is trained already is played, as if it were trained now."""
    training = _begin(material)
    if training.is_done:
        play(SNAPSHOT, len(training.snapshots))


def _begin(material: Material) -> RecordedTraining:
    """Go on with this visit's training, or begin one; what another visit has finished is shared."""
    kept = st.session_state.get(_KEPT)
    if not kept or kept[0] != material.settings:
        done = _finished(material.settings)
        training = done[0] if done else RecordedTraining(material.short, material.config)
        kept = st.session_state[_KEPT] = (material.settings, training)
    st.session_state[_RUNNING] = not kept[1].is_done
    return kept[1]


@st.cache_resource(max_entries=8, show_spinner=False)
def _finished(settings: tuple[str, int, VectorConfig]) -> list[RecordedTraining]:
    """Return the place where a finished training is kept for everybody."""
    del settings  # the key
    return []


def _stop() -> None:
    """Stop, and show what is learned by now."""
    st.session_state[_RUNNING] = False
    _, training = st.session_state[_KEPT]
    training.take_snapshot()
    go_to(SNAPSHOT, len(training.snapshots) - 1)


def _run(material: Material, training: RecordedTraining) -> None:
    """Take the steps that are left, and run the page anew; come back only if they diverge.

    A click on Stop ends this run of the page between two of them.
    """
    bar, every = st.progress(0.0), max(1, training.n_steps // _LOOKS)
    steps = iter(training)
    try:
        while True:
            with page.model_calls:
                step = next(steps, None)
            if step is None:
                break
            if step.step % every == 0:
                bar.progress(
                    training.share, f"step {step.step:,}, loss {step.loss:.2f} {material.unit}"
                )
    except DivergenceError as error:
        st.session_state.pop(_KEPT)
        st.session_state[_RUNNING] = False
        page.show_error(error, icon=":material/warning:")
        return
    _finished(material.settings).append(training)
    st.session_state[_RUNNING] = False
    if not asked_by_link(SNAPSHOT):
        play(SNAPSHOT, len(training.snapshots))  # it took a second: too short to be watched
    st.rerun()
