"""The training itself: begun by a button, stopped by another, and kept for as long as the visit."""

import streamlit as st

from lm_core.errors import DivergenceError
from lm_core.experiments.word2vec.short_text import RecordedTraining
from pages.shared.server import model_calls
from pages.shared.ui.controls import asked_by_link
from pages.word2vec.texts import OWN, Material

MOMENT = "snapshot"
"""Name of the control that says which snapshot is shown."""

_KEPT, _RUNNING = "vector_training", "vector_training_runs"
_STEPS_A_LOOK = 8


def training_of(material: Material) -> RecordedTraining | None:
    """Draw the buttons and, while it runs, the progress; return the training if there is one."""
    kept = st.session_state.get(_KEPT)
    training = kept[1] if kept and kept[0] == material.settings else None
    if training is None:
        st.session_state[_RUNNING] = False
        if asked_by_link(MOMENT) and material.kind != OWN:
            training = _begin(material)
    with st.container(horizontal=True, vertical_alignment="center"):
        _buttons(material, training)
    if training is not None and st.session_state.get(_RUNNING):
        _run(training)
    return training


def _buttons(material: Material, training: RecordedTraining | None) -> None:
    if st.session_state.get(_RUNNING):
        st.button("Stop", icon=":material/stop:", key="vectors_stop", on_click=_stop)
        return
    is_done = training is not None and training.is_done
    st.button(
        "Train" if training is None or is_done else "Go on",
        icon=":material/model_training:",
        type="primary",
        key="vectors_train",
        disabled=is_done,
        on_click=_begin,
        args=(material,),
    )
    if training is None:
        st.caption("A few seconds on this server; Stop keeps what was learned so far.")
    else:
        done = training.snapshots[-1].share
        st.caption(
            f"{len(training.losses):,} of {training.n_steps:,} steps of {training.config.batch} words"
            f" · {training.seconds:.1f} s · CBOW, full softmax, Adam, learning rate"
            f" {training.config.learning_rate:g} falling to 0 · seed {training.config.seed}"
            + ("" if done >= 1.0 else " · stopped")
        )


def _begin(material: Material) -> RecordedTraining:
    kept = st.session_state.get(_KEPT)
    if not kept or kept[0] != material.settings:
        kept = (material.settings, RecordedTraining(material.short, material.config))
        st.session_state[_KEPT] = kept
    st.session_state[_RUNNING] = True
    return kept[1]


def _stop() -> None:
    st.session_state[_RUNNING] = False


def _run(training: RecordedTraining) -> None:
    """Take the steps that are left; a click on Stop ends this run of the page between two of them."""
    bar = st.progress(0.0)
    steps = iter(training)
    try:
        while True:
            with model_calls:
                step = next(steps, None)
            if step is None:
                break
            if step.step % _STEPS_A_LOOK == 0:
                bar.progress(
                    training.share, f"step {step.step:,}, loss {step.loss:.2f} nats a word"
                )
    except DivergenceError as error:
        st.session_state.pop(_KEPT)
        st.session_state[_RUNNING] = False
        st.error(str(error), icon=":material/warning:")
        st.stop()
    st.session_state[_RUNNING] = False
    st.session_state[MOMENT] = len(training.snapshots) - 1
    st.rerun()
