"""The browser's Back and Forward, where Streamlit 1.67 loses settings of the page that they lead to.

A move to another page is told what that page's URL asks for. Streamlit leaves out of it what the page
before has a control for: of two pages with a `seed`, or with parts, the one that one comes back to would
open on its default.
"""

import functools
from collections.abc import Callable

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state.safe_session_state import SafeSessionState


def unbind_controls(state: SafeSessionState) -> None:
    """Let no control of the page before claim a parameter of the URL, and tell the browser nothing of it."""
    with state.query_params() as parameters:
        parameters.clear_with_no_forward_msg(preserve_embed=True)
        # Of parameters left, it would tell the browser.
        parameters.remove_stale_bindings(frozenset())


def restore_all_settings() -> None:
    """Put the guard in place, for all visitors of this process; call it once."""
    run = _with_all_settings(ScriptRunner._run_script)
    ScriptRunner._run_script = run  # type: ignore[assignment,method-assign]


def _with_all_settings(
    run: Callable[[ScriptRunner, RerunData], None],
) -> Callable[[ScriptRunner, RerunData], None]:
    """Unbind the controls before a run that the browser's Back or Forward has asked for."""

    @functools.wraps(run)
    def run_script(runner: ScriptRunner, asked: RerunData) -> None:
        if asked.is_history_navigation:
            unbind_controls(runner._session_state)
        run(runner, asked)

    return run_script
