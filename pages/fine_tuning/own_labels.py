"""Your labels: sentences are labelled by tapping, a model is tuned on them, and its answers are checked."""

import contextlib

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.fine_tuning.own_labels import (
    FOR_TUNING,
    LEAST_OF_EACH,
    OwnLabels,
    is_enough,
)
from lm_core.jobs import jobs
from pages.fine_tuning.kept_tuning import forget_tuning
from pages.fine_tuning.own_tuning import current_tuning, tune_button, watch
from pages.fine_tuning.sentences_to_label import Choice, choose_sentences
from pages.shared import page
from pages.shared.ui.kept import HOW_LONG, forget, keep_state, kept_state
from pages.shared.ui.markdown import escaped

_GIVEN, _KEPT = "fine_tuning_labels", "fine-tuning.labels"
_SKIPPED = -1


def own_labels(screen: page.FirstScreen) -> None:
    """Draw the sentence at hand, the tuning, or what it makes of the other sentences."""
    choice = choose_sentences(screen)
    given = {s: label for s, label in _given().items() if s in choice.sentences}
    labels = [label for label in given.values() if label != _SKIPPED]
    others = tuple(s for s in choice.sentences if s not in given)
    tuned = current_tuning(given)
    if given and tuned is None:
        with contextlib.suppress(LMCoreError):  # a head start, no more: Tune says what is wrong
            jobs.expect_one()
    if tuned is not None:
        watch(screen, tuned, choice.names)
    elif is_enough(labels) and others:
        with screen.picture:
            st.markdown(
                f"**{len(labels)} sentences are labelled, {len(others)} wait for the model**"
            )
            tune_button(_own_labels(given, others), choice.method, dict(given))
            _undo_button()
    elif others:
        with screen.picture:
            _label_one(choice, others[0], labels)
    else:
        with screen.picture:
            st.info(f"No sentence is left, and there are {_counted(labels, choice.names)}.")
            _undo_button()
    with screen.beside:
        st.markdown(_said(labels, choice.names))
        if given:
            page.button("own_restart", "Start again", "restart_alt", _start_again)
    if tuned is not None:
        return
    page.note_beside(
        screen,
        f"The sentences and your labels are kept for you on this server, {HOW_LONG}; *Start again*"
        " deletes the labels. The link carries the labels' names alone, so nobody else sees what"
        " is tuned.",
    )


# Labelling ------------------------------------------------------------------------------------


def _label_one(choice: Choice, sentence: str, labels: list[int]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Which is it?** {min(len(labels), FOR_TUNING)} of {FOR_TUNING}")
        page.button("own_skip", "Skip", "skip_next", _give, sentence, _SKIPPED, type="tertiary")
        _undo_button()
    st.progress(min(1.0, len(labels) / FOR_TUNING))
    if len(labels) >= FOR_TUNING:
        st.caption(
            f"There are {_counted(labels, choice.names)}: label on until each has {LEAST_OF_EACH}."
        )
    _card(sentence)
    for column, label, key in zip(
        st.columns(2, gap="small"), (0, 1), ("Left", "Right"), strict=True
    ):
        with column:
            st.button(
                escaped(choice.names[label]),
                key=f"own_label_{label}",
                width="stretch",
                type="primary",
                shortcut=key,
                on_click=_give,
                args=(sentence, label),
            )


def _card(sentence: str) -> None:
    """Draw a sentence, large enough to be read from afar, and only ever as text."""
    with st.container(
        border=True, height=280 if page.is_presenting() else 120, vertical_alignment="center"
    ):
        st.header(escaped(sentence), anchor=False)


def _undo_button() -> None:
    if _given():
        page.button("own_undo", "Undo", "undo", _undo, type="tertiary")


def _given() -> dict[str, int]:
    """Return this visitor's labels by sentence, in the order in which they were given."""
    empty: dict[str, int] = {}
    return kept_state(_GIVEN, _KEPT, lambda: empty)


def _give(sentence: str, label: int) -> None:
    _given()[sentence] = label
    keep_state(_KEPT, _given())


def _undo() -> None:
    if given := _given():
        given.popitem()
        keep_state(_KEPT, given)


def _start_again() -> None:
    _given().clear()
    forget(_KEPT)
    forget_tuning()


# Words ----------------------------------------------------------------------------------------


def _counted(labels: list[int], names: tuple[str, str]) -> str:
    return (
        f"{labels.count(0)} of *{escaped(names[0])}* and {labels.count(1)} of *{escaped(names[1])}*"
    )


def _said(labels: list[int], names: tuple[str, str]) -> str:
    if not labels:
        return (
            f"Label {FOR_TUNING} sentences by tapping, or with the keys ← and →. Then the encoder"
            " is tuned on them, so that it can tell the labels of the rest. You may rename the"
            " labels and paste your own sentences."
        )
    return f"So far {_counted(labels, names)}."


def _own_labels(given: dict[str, int], others: tuple[str, ...]) -> OwnLabels:
    labelled = {s: label for s, label in given.items() if label != _SKIPPED}
    return OwnLabels(tuple(labelled), tuple(labelled.values()), others)
