"""The run of a page that goes on: what has led to it, and what Streamlit knows of its controls."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.server.streamlit_inside.reliances import IDENTITIES, LINKS, VISITS, is_on

if TYPE_CHECKING:
    from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext


def is_visit() -> bool:
    """Return whether a visitor's page is being run, and not the server started."""
    is_on(VISITS)
    from streamlit import runtime

    return runtime.exists()


def _context() -> "ScriptRunContext | None":
    """Return what Streamlit knows of this run; None outside of one, or if Streamlit keeps it elsewhere."""
    if not is_on(LINKS):
        return None
    from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

    return get_script_run_ctx()


def url() -> str:
    """Return the page's URL as its browser has it; empty outside of a visit."""
    if not is_on(LINKS):
        return st.context.url or ""  # cut off where it ends with a page's address
    context = _context()
    return context.context_info.url if context and context.context_info else ""


def is_of_fragment() -> bool:
    """Return whether this is the run of a fragment, and not of a whole page."""
    context = _context()
    return bool(context and context.fragment_ids_this_run)


def unbind_all_controls() -> None:
    """Let no control of this page claim a parameter of the URL: another page is to be opened."""
    if context := _context():
        from pages.shared.server.streamlit_inside.history_moves import unbind_controls

        unbind_controls(context.session_state)


def let_url_decide(is_followed: bool) -> bool:
    """Have the URL decide all controls in this run, if a link was followed; return whether it does.

    It does as well where the browser's Back or Forward has led here. Outside of a visit nothing does.
    """
    context = _context()
    if context is None:
        return is_followed
    context.is_history_navigation |= is_followed
    return context.is_history_navigation


@contextmanager
def kept_as_set(name: str) -> Iterator[None]:
    """Keep what the page has set a control to: Streamlit would restore the default, not in the URL."""
    context = _context()
    if context is None or not context.is_history_navigation or name not in st.session_state:
        yield
        return
    context.is_history_navigation = False
    try:
        yield
    finally:
        context.is_history_navigation = True


def is_newly_set(name: str) -> bool:
    """Return whether the link or the click that has led to this run has set a control."""
    context = _context()
    return context is not None and context.session_state._state.is_new_state_value(name)


def forget_what_is_folded_away(name: str) -> None:
    """Have the browser forget a control in a popover that the page has just set.

    A browser keeps the value of a control that it once drew, and sends it with every click elsewhere: as
    long as its popover is closed it never hears of the new one. So the control gets another identity, of
    which the browser knows nothing but what the page says.
    """
    if is_on(IDENTITIES):
        from pages.shared.server.streamlit_inside import identities

        identities.forget_what_is_folded_away(name)
