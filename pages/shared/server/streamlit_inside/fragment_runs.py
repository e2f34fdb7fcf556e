"""Runs of fragments that Streamlit 1.67 begins at the wrong moment, which leaves a browser with a white page.

A fragment with a clock asks for its next run whatever the server is doing. Two of these requests do harm:

- One from the page that has just been left, underway when the server opened another (`follow_link`).
  Streamlit finds no such fragment any more, but tells the browser first that a run of the former page
  begins; the browser then throws away what it shows, and the next message about the new page has no place.
- One that arrives when the script has ended and its last messages are still to be sent. Streamlit begins
  another run and drops these messages; the next one about what was dropped has no place either.

What has no place ("Bad delta path index") ends the browser's whole page.

A third loses what a visitor has done. A button in a fragment is pressed while the page still runs, so the
fragment's run waits for the page's end. If a whole run is asked for before that, Streamlit begins it in another
runner and drops the one that waits. Browsers say once that a button was pressed: it is as if it never was.
"""

import functools
from collections.abc import Callable
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

ASKS_AGAIN_S = 0.005
"""How much later a fragment's run is asked for again whose script is just ending."""


def leave_out_harmful_fragment_runs() -> None:
    """Put all guards in place, for all visitors of this process; call it once."""
    run, request = ScriptRunner._run_script, AppSession.request_rerun
    ScriptRunner._run_script = _unless_of_another_page(run)  # type: ignore[assignment,method-assign]
    AppSession.request_rerun = _once_all_is_sent(_with_what_waits(request))  # type: ignore[assignment,method-assign]


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


def _with_what_waits(
    request: Callable[[AppSession, ClientState | None], None],
) -> Callable[[AppSession, ClientState | None], None]:
    """Let a whole run bring what was pressed for a run of the same page that has not begun, and now never will."""

    @functools.wraps(request)
    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        runner = session._scriptrunner
        if runner is not None and client_state is not None and not client_state.fragment_id:
            _take_over_presses(runner._requests, client_state)
        request(session, client_state)

    return request_rerun


def _take_over_presses(requests: script_requests.ScriptRequests, asked: ClientState) -> None:
    with requests._lock:  # or the runner would begin this moment what is handed on
        waiting = requests._rerun_data
        if (
            requests._state != ScriptRequestType.RERUN
            or waiting.page_script_hash != asked.page_script_hash
        ):
            return
        requests._state = ScriptRequestType.STOP
    states = script_requests._coalesce_widget_states(waiting.widget_states, asked.widget_states)
    if states is not None:
        asked.widget_states.CopyFrom(states)


def _is_ending(runner: Any) -> bool:
    return runner is not None and runner._requests._state == ScriptRequestType.STOP
