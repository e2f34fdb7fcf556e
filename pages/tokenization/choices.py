"""What is cut, by which tokenizers, and how their words are numbered."""

from typing import NamedTuple

import streamlit as st

from pages.shared.tokenizers import BOOK_BPE, own_tokenizer_upload
from pages.shared.ui.controls import control
from pages.shared.ui.text_input import TEXT_CHARACTERS, live_text
from pages.tokenization.library import NAMES
from pages.tokenization.presets import PRESETS, QUESTION

_NUMBERED = ("This text", "The book")


class Choice(NamedTuple):
    """All that the controls say."""

    text: str
    names: list[str]
    by_the_book: bool
    show_bytes: bool


def choose() -> Choice:
    """Draw the controls."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.menu_button("Examples", list(PRESETS), key="tokens_example", on_click=_take_example)
        own_tokenizer_upload()
        show_bytes = control(st.toggle, "bytes", "Bytes under the tokens")
    text = live_text(
        "tokens_text",
        "Your text",
        QUESTION,
        most=TEXT_CHARACTERS,
        height=72,
        label_visibility="collapsed",
    )
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        names = control(
            st.pills,
            "tokenizers",
            "Tokenizers",
            NAMES,
            selection_mode="multi",
            default=[*NAMES[:2], NAMES[4], BOOK_BPE],
        )
    with right:
        numbered = control(
            st.segmented_control,
            "numbered",
            "Words numbered by",
            _NUMBERED,
            default=_NUMBERED[0],
            required=True,
            help="This text: each new word gets the next number. The book: the 9,999 most frequent"
            " words of War and Peace have their rank as number, all others are <unk>, number 0.",
        )
    return Choice(text, names, numbered == _NUMBERED[1], show_bytes)


def _take_example() -> None:
    st.session_state["tokens_text"] = PRESETS[st.session_state["tokens_example"]]
