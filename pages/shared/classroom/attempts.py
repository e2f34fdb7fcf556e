"""What buttons of the class room do: it is done before the page is drawn, and a refusal is shown there."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.classroom.membership import membership
from pages.shared.ui.messages import show_error

_REFUSAL = "lab_room_refusal"


def attempt(action: Callable[..., Any], *args: Any) -> None:
    """Do what a button says; call it in a callback. If it is refused, `show_refusal` says why."""
    try:
        action(*args)
    except LMCoreError as error:
        st.session_state[_REFUSAL] = str(error)
    if here := membership():
        here.changed()


def show_refusal() -> None:
    """Show why the last attempt was refused, once."""
    if refusal := st.session_state.pop(_REFUSAL, None):
        show_error(refusal, st.warning)
