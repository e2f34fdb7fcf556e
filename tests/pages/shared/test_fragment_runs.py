"""A fragment's run that would leave a browser without a page never begins."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)

from pages.shared.server.streamlit_inside import fragment_runs


@pytest.mark.parametrize(
    ("fragments", "page", "runs"),
    [
        (["clock"], "here", True),
        (["clock"], "left", False),
        ([], "left", True),  # a whole run opens its page
    ],
)
def test_a_fragment_of_a_page_that_was_left_is_not_run(fragments, page, runs):
    asked = RerunData(page_script_hash=page, fragment_id_queue=fragments)
    runner = SimpleNamespace(_pages_manager=SimpleNamespace(current_page_script_hash="here"))
    begun = []
    fragment_runs._unless_of_another_page(lambda _, data: begun.append(data))(runner, asked)
    assert begun == [asked] * runs


class Session:
    """One that has a script, and a loop that calls later only what it is told to."""

    def __init__(self, state):
        self.later, self.requested = [], []
        self._scriptrunner = SimpleNamespace(_requests=SimpleNamespace(_state=state))
        self._event_loop = SimpleNamespace(call_later=lambda s, f, *a: self.later.append((f, *a)))
        request = fragment_runs._once_all_is_sent(lambda _, asked: self.requested.append(asked))
        self.request_rerun = lambda asked: request(self, asked)


def test_a_fragment_waits_until_the_script_that_is_ending_has_been_heard():
    session, asked = Session(ScriptRequestType.STOP), ClientState(fragment_id="clock")
    session.request_rerun(asked)
    assert session.requested == []
    session._scriptrunner = None  # its last message has come
    for call, *arguments in session.later:
        call(*arguments)
    assert session.requested == [asked]


@pytest.mark.parametrize(
    ("state", "asked"),
    [
        (ScriptRequestType.CONTINUE, ClientState(fragment_id="clock")),
        (ScriptRequestType.STOP, ClientState()),
        (ScriptRequestType.STOP, None),
    ],
)
def test_everything_else_is_asked_for_at_once(state, asked):
    session = Session(state)
    session.request_rerun(asked)
    assert (session.requested, session.later) == ([asked], [])


def pressed(button, **settings):
    states = ClientState(**settings)
    states.widget_states.widgets.add(id=button, trigger_value=True)
    return states


def presses(states):
    return {state.id for state in states.widgets if state.trigger_value}


class Runs:
    """A session whose runner is busy; what is asked for reaches the runner, or a new one, as in Streamlit."""

    def __init__(self):
        self.begun = []
        self._scriptrunner = SimpleNamespace(_requests=ScriptRequests())
        self._event_loop = None
        ask = fragment_runs._once_all_is_sent(fragment_runs._with_what_waits(self._request))
        self.request_rerun = lambda asked: ask(self, asked)

    def _request(self, _, asked):
        waiting = RerunData(
            widget_states=asked.widget_states,
            page_script_hash=asked.page_script_hash,
            fragment_id=asked.fragment_id or None,
        )
        if asked.fragment_id:
            assert self._scriptrunner._requests.request_rerun(waiting)
        else:
            self._scriptrunner._requests.request_stop()
            self.begun.append(asked.widget_states)


@pytest.mark.parametrize("fragment", ["steps", ""])
def test_what_was_pressed_for_a_run_that_never_begins_comes_with_the_whole_run_in_its_place(
    fragment,
):
    runs = Runs()
    runs._scriptrunner._requests.request_rerun(
        RerunData(
            widget_states=pressed("forward").widget_states,
            page_script_hash="here",
            fragment_id=fragment or None,
        )
    )
    runs.request_rerun(pressed("reveal", page_script_hash="here"))
    assert presses(runs.begun[0]) == {"forward", "reveal"}


def test_what_a_run_has_begun_with_is_not_pressed_twice():
    runs = Runs()
    requests = runs._scriptrunner._requests
    runs.request_rerun(pressed("forward", page_script_hash="here", fragment_id="steps"))
    assert presses(requests.on_scriptrunner_ready().rerun_data.widget_states) == {"forward"}
    runs.request_rerun(ClientState(page_script_hash="here"))
    assert presses(runs.begun[0]) == set()


def test_what_was_pressed_on_a_page_that_was_left_stays_there():
    runs = Runs()
    runs.request_rerun(pressed("forward", page_script_hash="left", fragment_id="steps"))
    runs.request_rerun(ClientState(page_script_hash="here"))
    assert presses(runs.begun[0]) == set()


def test_streamlit_itself_still_loses_what_was_pressed():
    """If this fails, Streamlit has mended it: take the guard away."""
    requests = ScriptRequests()
    requests.request_rerun(
        RerunData(widget_states=pressed("forward").widget_states, fragment_id="steps")
    )
    requests.request_stop()
    assert requests.on_scriptrunner_ready().type == ScriptRequestType.STOP
