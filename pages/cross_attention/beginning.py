"""The beginning that the decoder is made to write: typed, picked word by word, and taken back."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.text.translation_vocabulary import END, UNKNOWN_ID, shipped_vocabulary
from pages.shared import page

STOP = "■"
"""At the end of a beginning that was typed: the translation ends there."""
_BEGIN, STEP = "begins_with", "written"
PICKED, PICKS = "cross_picked", "cross_picks"
_FORMER, _SPELLED = "cross_former", "cross_spelled"
_MOST_CHARACTERS = 300
_MOST_TOKENS = 80
Spelled = tuple[str, tuple[int, ...]]
"""A beginning and the tokens that were clicked: its text may be spelled in others."""
_NOTHING: Spelled = ("", ())


class _Beginning(NamedTuple):
    """How a translation began before a choice was made."""

    text: str
    spelled: Spelled
    step: int  # that was looked at


def choose_beginning() -> tuple[int, ...]:
    """Draw how the translation begins, and the button that takes the last choice back."""
    typed = page.text(
        _BEGIN,
        "The translation begins with",
        "",
        max_chars=_MOST_CHARACTERS,
        placeholder="its own words",
        help="French words, also the beginning of one. Or click one of the bars below."
        f" {STOP} ends the translation.",
    )
    begun = page.read_or_keep(_BEGIN, typed, _read_beginning, "")
    if st.session_state.get(_FORMER):
        st.button("Undo", icon=":material/undo:", key="cross_undo", on_click=_undo)
    return begun


def _read_beginning(typed: str) -> tuple[int, ...]:
    """Return the tokens of a beginning: those that were clicked, or those of the words typed.

    Raises TextError if it is too long, or has characters that the models never write.
    """
    spelled = st.session_state.get(_SPELLED, _NOTHING)
    if typed == spelled[0]:
        return spelled[1]
    text = page.checked_text(typed, most=_MOST_CHARACTERS, name="the beginning").strip()
    words = text.removesuffix(STOP)
    tokens = tuple(shipped_vocabulary().encode(words)) if words.strip() else ()
    if UNKNOWN_ID in tokens:
        raise TextError("the models write no such characters: begin with French words")
    if len(tokens) > _MOST_TOKENS:
        raise TextError(f"the beginning may have at most {_MOST_TOKENS} tokens, got {len(tokens)}")
    return (*tokens, END) if words != text else tokens


def take_pick() -> None:
    """Let the translation begin with the token that was clicked and all before it."""
    tokens = st.session_state.pop(PICKED, None)
    if tokens is None:
        return
    before = _Beginning(
        st.session_state.get(_BEGIN, ""), st.session_state.get(_SPELLED, _NOTHING), len(tokens) - 1
    )
    st.session_state.setdefault(_FORMER, []).append(before)
    st.session_state[PICKS] = st.session_state.get(PICKS, 0) + 1
    text = shipped_vocabulary().decode(tokens) + (STOP if tokens[-1] == END else "")
    _begin(_Beginning(text, (text, tokens), _last_step(tokens)))


def _undo() -> None:
    _begin(st.session_state[_FORMER].pop())


def _begin(beginning: "_Beginning") -> None:
    st.session_state[_BEGIN] = beginning.text
    st.session_state[_SPELLED] = beginning.spelled
    page.go_to(STEP, beginning.step)


def _last_step(tokens: tuple[int, ...]) -> int:
    """Return the last step that there is after some tokens: none follows the end."""
    return len(tokens) - (tokens[-1] == END)
