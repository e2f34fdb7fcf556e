"""A text field that answers while one types."""

from typing import Any

import streamlit as st

from pages.shared.components import component
from pages.shared.ui.controls import control

_LIVE = component("live_text")


def live_text(name: str, label: str, default: str, *, most: int, **settings: Any) -> str:
    """Draw a text field as a control, and return its text, new after each pause in typing.

    Draw it in a fragment: every pause runs again what is around it.

    Parameters
    ----------
    name, label, default : str
        As for `control`.
    most : int
        Characters that it holds, kept to on the server too. A longer paste is refused in words, and
        changes nothing; of a longer text in a link the beginning is taken, with a note.
    **settings
        Of ``st.text_area``.
    """
    text = control(st.text_area, name, label, default, max_chars=most, **settings)
    _LIVE(key=f"{name}_live", data={"control": name, "most": most})
    return text
