"""Who asks, and who may change a training: the visitor who started it, and the presenter."""

import hashlib
import hmac
import math
import re
import secrets

import streamlit as st

from lm_core.settings import settings
from pages.shared.components import component
from pages.shared.connections import network_of
from pages.shared.guesses import Guesses

_BROWSER = component("visitor_id")
_GUESSES = Guesses()
_SALT = secrets.token_bytes(16)
_SECRET, _IS_CONFIRMED = "lab_visitor", "lab_visitor_confirmed"
_IS_PRESENTER = "lab_presenter"


def visitor() -> str:
    """Return who is asking, the same after a refresh; draw it once a page, it cannot be seen.

    The browser keeps a random number; what is returned, and written into run folders, is its hash,
    so nobody can pass for another visitor by what the folders show.
    """
    return confirmed_visitor("visitor_id") or _hashed()


def confirmed_visitor(key: str) -> str | None:
    """Return the same as `visitor`, but None until the browser has said which number it keeps.

    Parameters
    ----------
    key : str
        Unique on the page.
    """
    secret = st.session_state.setdefault(_SECRET, secrets.token_hex(16))
    known = {"known": secret, "confirmed": _IS_CONFIRMED in st.session_state}
    said = _BROWSER(key=key, data=known, on_id_change=lambda: None).id
    if isinstance(said, str):
        st.session_state[_IS_CONFIRMED] = True
        if re.fullmatch("[0-9a-f]{32}", said):  # else it may keep nothing
            st.session_state[_SECRET] = said
    return _hashed() if st.session_state.get(_IS_CONFIRMED) else None


def _hashed() -> str:
    return hashlib.sha256(st.session_state[_SECRET].encode()).hexdigest()[:16]


def address() -> str:
    """Return from where the visitor asks, hashed for as long as this server runs; empty from here.

    A class behind one router has one address; behind a proxy that does not name them so have all.
    """
    known = st.context.ip_address
    if not isinstance(known, str):  # a page under test has no address either
        return ""
    return hmac.digest(_SALT, network_of(known).encode(), "sha256").hex()[:16]


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
            _unlock(given, code)


def _unlock(given: str, code: str) -> None:
    """Compare the codes, unless too many wrong ones came: then nobody learns anything by trying."""
    wait_s = _GUESSES.wait_s(address())
    if wait_s > 0.0:
        st.error(f"Too many wrong codes: try again in {math.ceil(wait_s)} s.")
    elif _is_same(given, code):
        st.session_state[_IS_PRESENTER] = True
        st.rerun()
    else:
        _GUESSES.add(address())
        st.error("That is not the code of this server.")


def _is_same(given: str, code: str) -> bool:
    """Compare in a time that tells neither where two codes differ nor how long they are."""
    ours, theirs = (hmac.digest(_SALT, text.encode(), "sha256") for text in (code, given))
    return hmac.compare_digest(ours, theirs)
