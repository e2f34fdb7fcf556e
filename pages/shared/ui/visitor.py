"""Who may stop a training: the visitor who started it, and the presenter."""

import hashlib
import hmac
import re
import secrets

import streamlit as st

from lm_core.settings import settings
from pages.shared.components import component

_BROWSER = component("visitor_id")
_SECRET, _IS_PRESENTER = "lab_visitor", "lab_presenter"


def visitor() -> str:
    """Return who is asking, the same after a refresh; draw it once a page, it cannot be seen.

    The browser keeps a random number; what is returned, and written into run folders, is its hash,
    so nobody can pass for another visitor by what the folders show.
    """
    secret = st.session_state.setdefault(_SECRET, secrets.token_hex(16))
    kept = _BROWSER(key="visitor_id", data={"known": secret}, on_id_change=lambda: None).id
    if isinstance(kept, str) and re.fullmatch("[0-9a-f]{32}", kept):
        secret = st.session_state[_SECRET] = kept
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def is_presenter() -> bool:
    """Return whether this visit has given the presenter's code."""
    return bool(st.session_state.get(_IS_PRESENTER))


def presenter_login() -> None:
    """Offer the powers of the presenter to who knows the code, if this server has one."""
    code = settings().presenter_code
    if not code or is_presenter():
        return
    with st.popover("Presenter", icon=":material/key:", type="tertiary"), st.form("presenter"):
        given = st.text_input("Presenter's code", type="password")
        if st.form_submit_button("Unlock", key="presenter_unlock"):
            if hmac.compare_digest(given.encode(), code.encode()):
                st.session_state[_IS_PRESENTER] = True
                st.rerun()
            st.error("That is not the code of this server.")
