"""Runs of fragments that Streamlit 1.67 begins at the wrong moment, which leaves a browser with a white page.

A fragment with a clock asks for its next run whatever the server is doing. Two of these requests do harm:

- One from the page that has just been left, underway when the server opened another (`follow_link`).
  Streamlit finds no such fragment any more, but tells the browser first that a run of the former page
  begins; the browser then throws away what it shows, and the next message about the new page has no place.
- One that arrives when the script has ended and its last messages are still to be sent. Streamlit begins
  another run and drops these messages; the next one about what was dropped has no place either.

What has no place ("Bad delta path index") ends the browser's whole page.
"""

import functools
from collections.abc import Callable
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

ASKS_AGAIN_S = 0.005
"""How much later a fragment's run is asked for again whose script is just ending."""


def leave_out_harmful_fragment_runs() -> None:
    """Put both guards in place, for all visitors of this process; call it once."""
    run, request = ScriptRunner._run_script, AppSession.request_rerun
    ScriptRunner._run_script = _unless_of_another_page(run)  # type: ignore[assignment,method-assign]
    AppSession.request_rerun = _once_all_is_sent(request)  # type: ignore[assignment,method-assign]


def _unless_of_another_page(
    run: Callable[[ScriptRunner, RerunData], None],
) -> Callable[[ScriptRunner, RerunData], None]:
    """Leave out a fragment's run if another page than the fragment's is open by now."""

    @functools.wraps(run)
    def run_script(runner: ScriptRunner, asked: RerunData) -> None:
        is_of_page = asked.page_script_hash == runner._pages_manager.current_page_script_hash
        if is_of_page or not asked.fragment_id_queue:
            run(runner, asked)

    return run_script


def _once_all_is_sent(
    request: Callable[[AppSession, ClientState | None], None],
) -> Callable[[AppSession, ClientState | None], None]:
    """Let a fragment's run wait until the session has heard the end of the run before."""

    @functools.wraps(request)
    def request_rerun(session: AppSession, asked: ClientState | None) -> None:
        if asked is not None and asked.fragment_id and _is_ending(session._scriptrunner):
            session._event_loop.call_later(ASKS_AGAIN_S, session.request_rerun, asked)
        else:
            request(session, asked)

    return request_rerun


def _is_ending(runner: Any) -> bool:
    return runner is not None and runner._requests._state == ScriptRequestType.STOP
