"""Your labels: sentences are labelled by tapping, a model is tuned on them, and its answers are checked."""

import contextlib
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.fine_tuning.own_labels import (
    FOR_TUNING,
    LEAST_OF_EACH,
    MOST_CHARACTERS,
    MOST_SENTENCES,
    OwnLabels,
    is_enough,
    read_sentences,
    what_was_read,
)
from lm_core.experiments.fine_tuning.own_tuning import OWN_METHODS
from lm_core.jobs import jobs
from lm_core.text.what_was_read import WhatWasRead
from pages.fine_tuning.examples import LABELS, SENTENCES
from pages.fine_tuning.own_tuning import current_tuning, forget_tuning, tune_button, watch
from pages.fine_tuning.subject import vocabulary
from pages.shared import page
from pages.shared.ui.kept import HOW_LONG, forget, keep_state, kept_state
from pages.shared.ui.markdown import escaped
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits
from pages.shared.ui.what_was_read import show_what_was_read

_GIVEN, _KEPT = "fine_tuning_labels", "fine-tuning.labels"
_SKIPPED = -1
_LONGEST_LABEL = 20
_MOST_PASTED = MOST_SENTENCES * MOST_CHARACTERS
_OURS = "\n".join(SENTENCES)


class _Choice(NamedTuple):
    """What is labelled: the sentences, the two labels' names, and how it is learned."""

    sentences: tuple[str, ...]
    names: tuple[str, str]
    method: str


def own_labels(screen: page.FirstScreen) -> None:
    """Draw the sentence at hand, the tuning, or what it makes of the other sentences."""
    choice = _choose(screen)
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
            st.button(
                "Start again",
                icon=":material/restart_alt:",
                key="own_restart",
                on_click=_start_again,
            )
    if tuned is not None:
        return
    page.note_beside(
        screen,
        f"The sentences and your labels are kept for you on this server, {HOW_LONG}; *Start again*"
        " deletes the labels. The link carries the labels' names alone, so nobody else sees what"
        " is tuned.",
    )


def _choose(screen: page.FirstScreen) -> _Choice:
    with screen.controls:
        with st.container(
            key="pairs_labels", horizontal=True, vertical_alignment="bottom", width="content"
        ):
            names = (
                _name("first_label", "First label", LABELS[0]),
                _name("second_label", "Second label", LABELS[1]),
            )
        method, pasted = OWN_METHODS[0], _OURS
        with st.popover("More", icon=":material/tune:"):
            method = page.choice("own_method", "Method", OWN_METHODS)
            pasted = page.control(
                st.text_area,
                "own_sentences",
                "Sentences, one a line",
                _OURS,
                in_link=False,
                max_chars=_MOST_PASTED,
                height=200,
            )
            say_limits({"own_sentences": _MOST_PASTED})
    with screen.picture:
        sentences, was_read = read_or_keep("own_sentences", str(pasted), _read, _OURS)
        if pasted != _OURS:
            show_what_was_read(was_read, "own_sentences")
    return _Choice(sentences, names, str(method))


def _read(pasted: str) -> tuple[tuple[str, ...], WhatWasRead]:
    text = checked_text(pasted, most=_MOST_PASTED, name="the list")
    return read_sentences(text, vocabulary()), what_was_read(text, vocabulary())


def _name(name: str, label: str, first: str) -> str:
    typed = page.text(name, label, first, max_chars=_LONGEST_LABEL, width=140)
    return " ".join(str(typed)[:_LONGEST_LABEL].split()) or first


# Labelling ------------------------------------------------------------------------------------


def _label_one(choice: _Choice, sentence: str, labels: list[int]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Which is it?** {min(len(labels), FOR_TUNING)} of {FOR_TUNING}")
        st.button(
            "Skip",
            key="own_skip",
            type="tertiary",
            icon=":material/skip_next:",
            on_click=_give,
            args=(sentence, _SKIPPED),
        )
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
        st.button("Undo", key="own_undo", type="tertiary", icon=":material/undo:", on_click=_undo)


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
