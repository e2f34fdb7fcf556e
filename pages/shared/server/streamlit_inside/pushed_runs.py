"""Runs of a fragment that the server begins by itself, because something has changed that concerns it.

Streamlit has a clock for that, which the browser keeps: a phone asks twice in a second whether anything
is new, and for each answer React draws its whole page again. No public function lets the server begin.
"""

from typing import TYPE_CHECKING, NamedTuple

from pages.shared.server.streamlit_inside.reliances import PUSHED_RUNS, is_on

if TYPE_CHECKING:
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext


class DrawnFragment(NamedTuple):
    """A fragment that an open page has drawn."""

    session: str
    fragment: str
    page: str
    """What Streamlit calls the page's script."""


def can_push() -> bool:
    """Return whether the server can begin a run; if not, fragments have to ask by a clock."""
    return is_on(PUSHED_RUNS)


def _context() -> "ScriptRunContext | None":
    if not is_on(PUSHED_RUNS):
        return None
    from streamlit import runtime
    from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

    return get_script_run_ctx(suppress_warning=True) if runtime.exists() else None


def fragment_being_drawn() -> DrawnFragment | None:
    """Return the fragment that this thread draws; None outside of one, and without a server."""
    context = _context()
    if context is None:
        return None
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

    fragment = ThreadState.get().fragment_id
    if fragment is None:
        return None
    return DrawnFragment(context.session_id, fragment, context.page_script_hash)


def runs_by_itself() -> bool:
    """Return whether this thread draws fragments alone, not a whole page."""
    context = _context()
    return context is not None and bool(context.fragment_ids_this_run)


def this_session() -> str | None:
    """Return the visit for which this thread draws; None without a server."""
    context = _context()
    return None if context is None else context.session_id


def is_open(session: str) -> bool:
    """Return whether the page of a visit is connected."""
    return _session(session) is not None


def draw_anew(drawn: DrawnFragment) -> None:
    """Have a fragment drawn anew, unless its page is being drawn just now, or is open no more."""
    if session := _session(drawn.session):
        session._event_loop.call_soon_threadsafe(_request, session, drawn)


def _session(session: str) -> "AppSession | None":
    from streamlit import runtime

    if not runtime.exists():
        return None
    found = runtime.get_instance()._session_mgr.get_active_session_info(session)
    return None if found is None else found.session


def _request(session: "AppSession", drawn: DrawnFragment) -> None:
    from streamlit.proto.ClientState_pb2 import ClientState

    if session._scriptrunner is None:
        session.request_rerun(
            ClientState(
                query_string=session._client_state.query_string,
                context_info=session._client_state.context_info,  # or a dark page has dark letters
                page_script_hash=drawn.page,
                fragment_id=drawn.fragment,
                is_auto_rerun=True,
            )
        )
