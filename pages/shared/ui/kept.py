"""What is kept for a visitor on this server: it is there again after a reload, and nobody else gets it.

A link does not carry it. `HOW_LONG` says on the page when it goes.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from lm_core.errors import LimitError
from pages.shared.server.visitor_store import KEPT_DAYS, TAB, visitor_store
from pages.shared.ui.markdown import as_code
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address, is_known, tab, visitor

HOW_LONG = f"until you delete it, at most {KEPT_DAYS} days after your last visit"
"""Ends a sentence that says what is kept on this server."""

FOR_YOU_ALONE = (
    f"What you enter is kept for you on this server, {HOW_LONG}, so that it is still here after a reload."
    " Links do not contain it, and nobody else sees it."
)
"""Said beside a field or an uploader."""

State = TypeVar("State")
_LOOKED_UP, _ON_DISK, _FIRST = "lab_kept_looked_up", "lab_kept_on_disk", "lab_kept_first"


def recall(name: str) -> bytes | None:
    """Return what this visitor left under a name; None where that is nothing, or nobody knows who asks."""
    content = visitor_store().read(visitor(), name) if is_known() else None
    _on_disk()[name] = None if content is None else _digest(content)
    return content


def keep(name: str, content: bytes) -> None:
    """Keep a content for this visitor; what speaks against it is said where this is called.

    Nothing is done before the browser has said who asks, nor for what is kept already.
    """
    if not is_known() or _on_disk().get(name) == _digest(content):
        return
    try:
        visitor_store().keep(visitor(), name, content, address())
    except (LimitError, OSError) as error:
        reason = (
            str(error) if isinstance(error, LimitError) else "this server's disk cannot be written"
        )
        show_error(f"This is gone after a reload, because {reason}.", st.caption)
        return
    _on_disk()[name] = _digest(content)


def forget(name: str) -> None:
    """Delete what this visitor left under a name."""
    if name:
        visitor_store().drop(visitor(), name)
        _on_disk().pop(name, None)


def forget_all() -> None:
    """Delete all that this visitor left; what stands on the page is kept again once it changes."""
    visitor_store().forget(visitor())
    _on_disk().clear()
    st.session_state[_FIRST] = {}


def kept_names() -> list[str]:
    """Return the names under which this visitor left something."""
    return list(visitor_store().entries(visitor())) if is_known() else []


def name_in_tab(name: str) -> str:
    """Return a name for what only this tab of the visitor is to find again; empty where none is known."""
    return f"{TAB}{tab()}.{name}" if tab() else ""


def kept_state(key: str, name: str, empty: Callable[[], State]) -> State:
    """Return a state of this session, which begins with what the visitor left under a name.

    Parameters
    ----------
    key : str, of the state in the session
    name : str, under which `keep_state` keeps it
    empty : callable, returns the state of a visitor who has left nothing
    """
    looked_up: set[str] = st.session_state.setdefault(_LOOKED_UP, set())
    if name and is_known() and name not in looked_up:
        looked_up.add(name)
        if not st.session_state.get(key) and (content := recall(name)) is not None:
            st.session_state[key] = json.loads(content)
    state: State = st.session_state.setdefault(key, empty())
    return state


def keep_state(name: str, state: Any) -> None:
    """Keep a state for this visitor; plain values that JSON can hold."""
    if name:
        keep(name, json.dumps(state).encode())


class KeptValue:
    """The value of a control, which a visitor finds again as they left it.

    `name`: str, under which it is kept: of the page and of the control.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def recalled(self, key: str) -> Any:
        """Return what the control is to be set to; None to leave it as it is.

        It is set when it is first drawn, and once more when the browser has said who asks, unless the
        visitor has touched it meanwhile.

        `key`: str, of the control in the session.
        """
        looked_up: set[str] = st.session_state.setdefault(_LOOKED_UP, set())
        if key in st.session_state:
            first = st.session_state.get(_FIRST, {}).get(self._name, st.session_state[key])
            if self._name in looked_up or st.session_state[key] != first:
                return None
        if not is_known():
            return None
        looked_up.add(self._name)
        content = recall(self._name)
        return None if content is None else json.loads(content)

    def keep(self, value: Any) -> None:
        """Keep what the control shows, once it is no longer what it began with."""
        first = st.session_state.setdefault(_FIRST, {}).setdefault(self._name, value)
        if value != first or _on_disk().get(self._name):
            keep(self._name, json.dumps(value).encode())


class KeptFile(NamedTuple):
    """A file that a visitor dropped, in this visit or an earlier one."""

    name: str
    content: bytes


def kept_upload(label: str, name: str, *, most_mb: int) -> KeptFile | None:
    """Draw the place to drop a file; return what was dropped last, until the visitor forgets it.

    Parameters
    ----------
    name : str, unique among all pages: of the uploader, and of what is kept
    most_mb : int
        Megabytes. A file of any type is taken in, because what reads it says what it is, and what to do.
    """
    uploaded = st.file_uploader(
        label, key=name, max_upload_size=most_mb, on_change=_take, args=(name,)
    )
    kept = uploaded_before(name) if uploaded is None else _as_kept(uploaded)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_kept"):
            st.markdown(f"{as_code(kept.name)}, {len(kept.content):,} bytes", width="content")
            if uploaded is None:
                st.button("Forget it", key=f"{name}_forget", on_click=forget, args=(name,))
    return kept


def uploaded_before(name: str) -> KeptFile | None:
    """Return the file that a visitor dropped into an uploader before; None where there is none."""
    content = recall(name)
    if content is None:
        return None
    title, _, file = content.partition(b"\n")
    return KeptFile(json.loads(title), file)


def keep_file(name: str, file: KeptFile) -> None:
    """Keep a file for this visitor under the name of its uploader."""
    keep(name, json.dumps(file.name[:80]).encode() + b"\n" + file.content)


def _take(name: str) -> None:
    """Keep the file that an uploader has just got, or forget the one that was taken out of it."""
    uploaded = st.session_state.get(name)
    if uploaded is None:
        forget(name)
    else:
        keep_file(name, _as_kept(uploaded))


def _as_kept(uploaded: Any) -> KeptFile:
    return KeptFile(uploaded.name, uploaded.getvalue())


def _on_disk() -> dict[str, str | None]:
    """Return the hashes of what lies on the disk for this visitor, as far as this visit knows."""
    known: dict[str, str | None] = st.session_state.setdefault(_ON_DISK, {})
    return known


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
