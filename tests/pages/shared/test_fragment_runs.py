"""A fragment's run that would leave a browser without a page never begins."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

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
