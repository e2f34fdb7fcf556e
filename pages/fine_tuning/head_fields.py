"""The fields of the four heads, and what was read of them."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from lm_core.experiments.fine_tuning.asking import MOST_CHARACTERS
from lm_core.text.what_was_read import what_a_model_reads
from pages.fine_tuning.subject import vocabulary
from pages.shared import page
from pages.shared.ui.text_input import say_limits
from pages.shared.ui.what_was_read import show_what_was_changed


def field(
    screen: page.FirstScreen,
    name: str,
    label: str,
    first: str,
    examples: Sequence[str] = (),
    take: Callable[[str], None] | None = None,
    **settings: Any,
) -> str:
    """Draw a field for a text with examples to pick; in the presenter view it is behind a button.

    Parameters
    ----------
    name, label, first : str, of the control, and what it begins with
    take : callable of a str, puts an example into its place; by default into this field
    **settings
        ``height`` of a field of several lines.
    """
    place = screen.controls.popover(label) if page.is_presenting() else screen.picture
    with place, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = page.control(
            st.text_area if settings else st.text_input,
            name,
            label,
            first,
            label_visibility="collapsed",
            max_chars=MOST_CHARACTERS,
            width="stretch",
            **settings,
        )
        if examples:
            key = f"{name}_examples"
            st.menu_button(
                "Examples", list(examples), key=key, on_click=_take, args=(key, take or name)
            )
    with place:
        say_limits({name: MOST_CHARACTERS})
    return str(typed)


def _take(key: str, into: str | Callable[[str], None]) -> None:
    picked = str(st.session_state[key])
    if callable(into):
        into(picked)
    else:
        st.session_state[into] = picked


def say_what_was_read(typed: str, ours: Sequence[str]) -> None:
    """Say what the encoder leaves out of a visitor's text, or changes; of ours it reads all."""
    if typed not in ours:
        show_what_was_changed(what_a_model_reads(typed, vocabulary()), "own_text")
