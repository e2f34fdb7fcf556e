"""Fields that say why they refuse a paste."""

from collections.abc import Mapping

import streamlit as st

from pages.shared.components import component

_LIMITS = component("text_limits")


def say_limits(limits: Mapping[str, int]) -> None:
    """Let fields tell, at the foot of the window, that a paste is longer than they hold.

    Call it once where the fields are drawn; it takes no room.

    Parameters
    ----------
    limits : mapping of str to int
        Most characters by the name of the control, as its ``max_chars``.
    """
    with st.container(key=f"floating_{'_'.join(limits)}"):
        _LIMITS(key=f"limits_{'_'.join(limits)}", data={"limits": dict(limits)})
