"""Who asks, and who may change a training: the visitor who started it, and the presenter."""

import hashlib
import hmac
import math
import re
import secrets

import streamlit as st

from lm_core.settings import settings
from pages.shared.guesses import Guesses
from pages.shared.server.component import component
from pages.shared.server.connections import network_of
from pages.shared.server.visitor_store import visitor_store
from pages.shared.turns import fragment

_BROWSER = component("visitor_id")
_GUESSES = Guesses()
_SALT = secrets.token_bytes(16)
_SECRET, _IS_CONFIRMED = "lab_visitor", "lab_visitor_confirmed"
_TAB, _IS_AWAITED, _FORGOTTEN = "lab_tab", "lab_visitor_awaited", "lab_visitor_forgotten"
_IS_PRESENTER = "lab_presenter"


def identify() -> None:
    """Have the browser say who is asking; draw it once a page, before all else, it cannot be seen.

    The page is run again when the browser has answered, if it has asked for the `visitor` meanwhile or
    something is kept for them.
    """
    st.session_state.pop(_IS_AWAITED, None)
    fragment(_identify)()


def _identify() -> None:
    was_known = is_known()
    who = confirmed_visitor("visitor_id")
    is_awaited = st.session_state.get(_IS_AWAITED, False)
    if who is not None and not was_known and (is_awaited or visitor_store().has(who)):
        st.rerun()


def visitor() -> str:
    """Return who is asking, the same after a refresh.

    The browser keeps a random number; what is returned, and written into run folders, is its hash,
    so nobody can pass for another visitor by what the folders show.
    """
    if not is_known():
        st.session_state[_IS_AWAITED] = True
    return _hashed()


def is_known() -> bool:
    """Return whether the browser has said who is asking."""
    return _IS_CONFIRMED in st.session_state


def tab() -> str:
    """Return which of a visitor's tabs this is, the same after a refresh; empty where no browser says."""
    said = st.session_state.get(_TAB, "")
    return hashlib.sha256(said.encode()).hexdigest()[:16] if said else ""


def confirmed_visitor(key: str) -> str | None:
    """Return the same as `visitor`, but None until the browser has said which number it keeps."""
    known = {
        "known": _secret(),
        "tab": st.session_state.get(_TAB, ""),
        "confirmed": is_known(),
        "forgotten": st.session_state.get(_FORGOTTEN, ""),
    }
    said = _BROWSER(key=key, data=known, on_id_change=lambda: None).id
    if isinstance(said, str):
        st.session_state[_IS_CONFIRMED] = True
        numbers = re.fullmatch("([0-9a-f]{32})-([0-9a-f]{32})", said)  # else it may keep nothing
        if numbers and numbers[1] != st.session_state.get(_FORGOTTEN):
            st.session_state[_SECRET], st.session_state[_TAB] = numbers.groups()
    return _hashed() if is_known() else None


def forget_this_device() -> None:
    """Have the browser forget its number: whoever uses it next is somebody else. Call it in a callback.

    What was answered, kept or started under that number is nobody's in this browser any more.
    """
    st.session_state[_FORGOTTEN] = st.session_state.pop(_SECRET, "")
    for key in (_TAB, _IS_CONFIRMED):
        st.session_state.pop(key, None)


def _secret() -> str:
    return str(st.session_state.setdefault(_SECRET, secrets.token_hex(16)))


def _hashed() -> str:
    return hashlib.sha256(_secret().encode()).hexdigest()[:16]


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
    code = settings().presenters_code()
    if not code or is_presenter():
        return
    with st.popover("Presenter", icon=":material/key:", type="tertiary"), st.form("presenter"):
        given = st.text_input("Presenter's code", type="password")
        if st.form_submit_button("Unlock", key="presenter_unlock"):
            _unlock(given, code)


def _unlock(given: str, code: str) -> None:
    """Compare the codes, unless too many wrong ones came: then nobody learns anything by trying."""
    wait_s = _GUESSES.wait_s(address(), _hashed())
    if wait_s > 0.0:
        st.error(
            "Several wrong codes came from your network. Press the button again in"
            f" {math.ceil(wait_s)} s: the right one is accepted then."
        )
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
