"""The sentence as words to click: a click covers a word, or uncovers it."""

from collections.abc import Collection, Mapping

import streamlit as st

from lm_core.text.whole_words import SubwordText
from pages.shared.components.texts import MASKED, PLAIN, SECOND, Tint, tinted_text
from pages.shared.ui.controls import is_presenting

_GAP = "[MASK]"


def word_strip(
    text: SubwordText,
    gaps: Collection[int],
    *,
    key: str,
    readings: Mapping[int, str] | None = None,
    hint: str = "Click a word to cover it.",
) -> int | None:
    """Draw the words, covered ones as ``[MASK]``, and return the number of the one just clicked.

    Parameters
    ----------
    gaps : collection of int, numbers of the covered words, from 0
    readings : mapping of int to str, what is read out where somebody points at a covered word
    hint : str, shown while nothing is pointed at
    """
    tokens, tints, word_of = [], [], []
    for i, word in enumerate(text.words):
        spelled = "".join(text.spelled[place] for place in word)
        space = spelled[: len(spelled) - len(spelled.lstrip())]
        if i in gaps:
            tokens.append(space + " ".join([_GAP] * len(word)))
            tints.append(Tint((SECOND, MASKED), 35, (readings or {}).get(i, "covered")))
        else:
            tokens.append(spelled)
            tints.append(PLAIN)
        word_of.append(i)
    with st.container(key=f"sentence_{key}"):
        clicked = tinted_text(
            tokens,
            tints,
            key=key,
            legend=(),
            unit="word",
            label="The sentence, covered words as [MASK]",
            click_hint="" if is_presenting() else hint,
        )
    return None if clicked is None else word_of[clicked]


def keep_click(name: str, value: object) -> None:
    """Let a control that is drawn already have another value from the next run on, and run again."""
    st.session_state[f"{name}_clicked"] = value
    st.rerun()


def take_click(name: str) -> None:
    """Give a control the value that a click has asked for; call it before the control is drawn."""
    if f"{name}_clicked" in st.session_state:
        st.session_state[name] = st.session_state.pop(f"{name}_clicked")
