"""Shortcuts through Streamlit: what it works out anew for each run or widget, and need not.

Each gives what Streamlit's own way gives; together they take a tenth off the processor time of a run, and
18 kB off what it sends.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import streamlit.emojis  # noqa: F401  asked for by the first icon: no visitor waits for it
from google.protobuf.message import Message
from streamlit import type_util
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState


class SessionLookup(Mapping[str, Any]):
    """All that a visitor's session remembers by key, looked up only where somebody asks for it.

    Each number, text and choice on a page collects all of it, to look at its own value alone.
    """

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        with self._state._lock:
            return iter(self._state._state.filtered_state)

    def __len__(self) -> int:
        with self._state._lock:
            return len(self._state._state.filtered_state)


def filled_once(fill: Callable[..., None]) -> Callable[..., None]:
    """Return a function that fills in a section of the theme, as read when it is first asked for.

    The settings do not change while the server runs; every run sends six sections of them.
    """
    filled: dict[str, Message] = {}

    def copy_section(msg: Message, section: str = "theme") -> None:
        if section not in filled:
            first = type(msg)()
            fill(first, section)
            filled[section] = first
        if filled[
            section
        ].ListFields():  # merging nothing would still say that the section is there
            msg.MergeFrom(filled[section])

    return copy_section


def leave_out_pages(self: object, msg: object, pages: object) -> None:
    """Put none of the pages into the message that begins a run.

    The browser learns of them by another message, from `st.navigation`, and never looks for them here.
    """
    del self, msg, pages


def with_menu_kept(populate_hash: Callable[[ForwardMsg], None]) -> Callable[[ForwardMsg], None]:
    """Return a function that gives a message its hash, and has browsers keep the one that lists all pages.

    They keep any message that says so, and name it when they ask for the next run, which then only names
    it too. Streamlit says it of charts and the like alone; the list is eleven kilobytes of each run.
    """

    def populate_hash_and_keep_menu(message: ForwardMsg) -> None:
        populate_hash(message)
        if message.HasField("navigation"):
            message.metadata.cacheable = True

    return populate_hash_and_keep_menu


_FUNCTIONS = 1024
"""More than the lab caches the results of; those of its tests fall out again."""


def take_shortcuts() -> None:
    """Put the shortcuts in place, for all visitors of this process; call it once.

    Each look into a cache asks for its function's parameters by name, for each argument anew; Python
    takes longer to read them than to find what was kept.
    """
    type_util.get_func_parameters = lru_cache(_FUNCTIONS)(type_util.get_func_parameters)
    app_session.AppSession._populate_app_pages = leave_out_pages  # type: ignore[method-assign]
    SafeSessionState.filtered_state = property(SessionLookup)  # type: ignore[assignment,method-assign]
    app_session._populate_theme_msg = filled_once(app_session._populate_theme_msg)
    script_run_context.populate_hash_if_needed = with_menu_kept(populate_hash_if_needed)  # type: ignore[assignment,attr-defined]
