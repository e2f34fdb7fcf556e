"""After Back or Forward no control of the page that was left claims a parameter of the URL."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from pages.shared.server.streamlit_inside import history_moves
from pages.shared.server.streamlit_inside.history_moves import unbind_controls

SEED, WIDGET = "seed", "$$ID-of-the-page-before-seed"


@pytest.fixture
def state():
    """A visit to a page whose seed is in its URL, beside what embeds the page."""
    state = SafeSessionState(SessionState(), lambda: None)
    with state.query_params() as parameters:
        parameters.set_with_no_forward_msg(SEED, "3")
        parameters.set_with_no_forward_msg("embed", "true")
        parameters.bind_widget(SEED, WIDGET, "double_value", "the page before")
    return state


def claims(state):
    with state.query_params() as parameters:
        return parameters.is_bound(SEED)


def test_no_control_is_bound_any_more_and_the_browser_hears_nothing(state, monkeypatch):
    with state.query_params() as parameters:
        told = []
        monkeypatch.setattr(type(parameters), "_send_query_param_msg", told.append)
        unbind_controls(state)
        assert not parameters.is_bound(SEED)
        assert parameters.get_binding_for_widget(WIDGET) is None
        assert not parameters.has_param(SEED)
        assert parameters.has_param("embed")
        assert not told


@pytest.mark.parametrize("by_browser", [True, False])
def test_only_a_move_of_the_browser_unbinds_them_before_its_run(state, monkeypatch, by_browser):
    seen = []
    monkeypatch.setattr(
        ScriptRunner, "_run_script", lambda runner, asked: seen.append(claims(state))
    )
    history_moves.restore_all_settings()
    asked = RerunData(is_history_navigation=by_browser)
    ScriptRunner._run_script(SimpleNamespace(_session_state=state), asked)
    assert seen == [not by_browser]
