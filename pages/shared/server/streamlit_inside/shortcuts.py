"""Shortcuts through Streamlit: what it works out anew for each run or widget, and need not.

Each gives what Streamlit's own way gives; together they take a tenth off the processor time of a run, and
18 kB off what it sends.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache, wraps
from typing import Any

import streamlit.emojis  # noqa: F401  asked for by the first icon: no visitor waits for it
from google.protobuf.message import Message
from streamlit import type_util
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX
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


def kept_for_itself(look_up: Callable[[SafeSessionState, str], Any]) -> Callable[..., Any]:
    """Return a function that looks up what a session keeps, at once what no widget has anything to do with.

    Each control asks for a handful of such things; Streamlit first looks for a widget of that name.
    """

    @wraps(look_up)
    def look_up_at_once(session: SafeSessionState, key: str) -> Any:
        state = session._state
        if key not in state._key_id_mapper and not key.startswith(GENERATED_ELEMENT_ID_PREFIX):
            for kept in (state._new_session_state, state._old_state):
                if key in kept:
                    return kept[key]
        return look_up(session, key)

    return look_up_at_once


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
    """Return a function that gives a message its hash, and has browsers keep all pages, all styles and each picture.

    They keep any message that says so, and name it when they ask for the next run, which then only names
    it too. Streamlit says it of large ones alone; the list of pages is eleven kilobytes of each run, and
    the small pictures of the home page are thirty.
    """

    def populate_hash_and_keep_menu(message: ForwardMsg) -> None:
        populate_hash(message)
        element = message.delta.new_element
        if message.HasField("navigation") or element.HasField("html") or element.HasField("imgs"):
            message.metadata.cacheable = True

    return populate_hash_and_keep_menu


def asked_first(handle: Callable[[ScriptRunner], None]) -> Callable[[ScriptRunner], None]:
    """Return a function that ends a run if it is to end; most often nobody has asked for that.

    It is called three hundred times in a run: for each message, and for each look at what a session keeps.
    The lab has no fragments that run side by side, whose errors Streamlit looks for here as well.
    """

    @wraps(handle)
    def end_if_asked(runner: ScriptRunner) -> None:
        if runner._requests._state is not ScriptRequestType.CONTINUE:
            handle(runner)

    return end_if_asked


def copied_once(self: DeltaGenerator, _memo: dict[int, Any]) -> DeltaGenerator:
    """Return a copy of a place on the page, and make one copy of each place that it lies in.

    Each fragment keeps copies of where it was called: of a place, of the one around it, and so on. Streamlit
    copies what is around each of them anew.
    """
    copied = DeltaGenerator(
        root_container=self._root_container,
        cursor=deepcopy(self._cursor, _memo),
        parent=deepcopy(self._parent, _memo),
        block_type=self._block_type,
    )
    copied._form_data = self._form_data  # a tuple of a text
    copied._creating_fragment_id = self._creating_fragment_id
    return copied


_FUNCTIONS = 1024
"""More than the lab caches the results of; those of its tests fall out again."""


def take_shortcuts() -> None:
    """Put the shortcuts in place, for all visitors of this process; call it once.

    Each look into a cache asks for its function's parameters by name, for each argument anew; Python
    takes longer to read them than to find what was kept.
    """
    type_util.get_func_parameters = lru_cache(_FUNCTIONS)(type_util.get_func_parameters)
    ScriptRunner._maybe_handle_execution_control_request = asked_first(  # type: ignore[assignment,method-assign]
        ScriptRunner._maybe_handle_execution_control_request
    )
    DeltaGenerator.__deepcopy__ = copied_once  # type: ignore[method-assign]
    app_session.AppSession._populate_app_pages = leave_out_pages  # type: ignore[method-assign]
    SafeSessionState.__getitem__ = kept_for_itself(SafeSessionState.__getitem__)  # type: ignore[method-assign]
    SafeSessionState.filtered_state = property(SessionLookup)  # type: ignore[assignment,method-assign]
    app_session._populate_theme_msg = filled_once(app_session._populate_theme_msg)
    script_run_context.populate_hash_if_needed = with_menu_kept(populate_hash_if_needed)  # type: ignore[assignment,attr-defined]
