"""Which sentences are labelled, and with which labels."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.fine_tuning.own_labels import (
    MOST_CHARACTERS,
    MOST_SENTENCES,
    read_sentences,
    what_was_read,
)
from lm_core.experiments.fine_tuning.own_tuning import OWN_METHODS
from lm_core.text.what_was_read import WhatWasRead
from pages.fine_tuning.examples import LABELS, SENTENCES
from pages.fine_tuning.subject import vocabulary
from pages.shared import page
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits
from pages.shared.ui.what_was_read import show_what_was_read

_LONGEST_LABEL = 20
_MOST_PASTED = MOST_SENTENCES * MOST_CHARACTERS
_OURS = "\n".join(SENTENCES)


class Choice(NamedTuple):
    """What is labelled: the sentences, the two labels' names, and how it is learned."""

    sentences: tuple[str, ...]
    names: tuple[str, str]
    method: str


def choose_sentences(screen: page.FirstScreen) -> Choice:
    """Draw the choice of sentences and labels, and return both."""
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
    return Choice(sentences, names, str(method))


def _read(pasted: str) -> tuple[tuple[str, ...], WhatWasRead]:
    text = checked_text(pasted, most=_MOST_PASTED, name="the list")
    return read_sentences(text, vocabulary()), what_was_read(text, vocabulary())


def _name(name: str, label: str, first: str) -> str:
    typed = page.text(name, label, first, max_chars=_LONGEST_LABEL, width=140)
    return " ".join(str(typed)[:_LONGEST_LABEL].split()) or first
