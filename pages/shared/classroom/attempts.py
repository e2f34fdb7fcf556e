"""What buttons of the class room do: it is done before the page is drawn, and a refusal is shown there."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.rooms.membership import membership
from pages.shared.ui.messages import show_error

_REFUSAL = "lab_room_refusal"


def attempt(action: Callable[..., Any], *args: Any) -> None:
    """Do what a button says; call it in a callback. If it is refused, `show_refusal` says why."""
    refusal_of(action, *args)


def refusal_of(action: Callable[..., Any], *args: Any) -> LMCoreError | None:
    """Do as `attempt` does, and return why it was refused; None if it was done."""
    forget_refusal()
    refusal = None
    try:
        action(*args)
    except LMCoreError as error:
        refusal = error
        st.session_state[_REFUSAL] = str(error)
    if here := membership():
        here.changed()
    return refusal


def show_refusal() -> None:
    """Show why the last attempt was refused, until the next one, or until there is nothing to attempt."""
    if refusal := st.session_state.get(_REFUSAL):
        show_error(refusal, st.warning)


def forget_refusal() -> None:
    """Show the last refusal no more: what it was about is over."""
    st.session_state.pop(_REFUSAL, None)
