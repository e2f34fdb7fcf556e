"""Of what a client sends, only what a page needs reaches Streamlit."""

import asyncio
import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.shared.server.guards.messages import ALLOWED, DEEPEST, MessageGuard, depth
from tests.pages.shared.guards.connection import Connection

KINDS = {f.name for f in BackMsg.DESCRIPTOR.fields_by_name.values() if f.containing_oneof}


def message(kind):
    made = BackMsg()
    field = BackMsg.DESCRIPTOR.fields_by_name[kind]
    if field.message_type:
        getattr(made, kind).SetInParent()
    else:
        setattr(made, kind, "" if field.type == field.TYPE_STRING else True)
    return made.SerializeToString()


def saying(value, of="json_value"):
    made = BackMsg()
    setattr(made.rerun_script.widget_states.widgets.add(id="x"), of, value)
    return made.SerializeToString()


def heard(*frames, silence_s=30.0):
    """Return what reaches the application of these frames, and the connection."""

    async def talk():
        passed = []

        async def app(scope, receive, send):
            while (got := await receive())["type"] == "websocket.receive":
                passed.append(got.get("bytes", got.get("text")))

        connection = Connection(MessageGuard(app, silence_s))
        for frame in frames:
            connection.waiting.put_nowait({"type": "websocket.receive", "bytes": frame})
        if silence_s > 1:
            connection.waiting.put_nowait({"type": "websocket.disconnect"})
        return passed, await connection.run()

    return asyncio.run(talk())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_no_page_needs_is_dropped(kind):
    passed, connection = heard(message(kind))
    assert passed == ([message(kind)] if kind in ALLOWED else [])
    assert not connection.closed


def test_the_kinds_that_harm_others_are_known_to_streamlit_and_not_allowed():
    assert ALLOWED | {"clear_cache", "load_git_info", "set_run_on_save"} <= KINDS
    assert not ALLOWED & {"clear_cache", "load_git_info", "set_run_on_save"}


def test_the_last_kind_of_a_message_counts_as_it_does_for_streamlit():
    assert heard(message("rerun_script") + message("clear_cache"))[0] == []


def test_what_is_no_message_is_left_to_streamlit():
    assert heard(b"\xff\xff\xff")[0] == [b"\xff\xff\xff"]


@pytest.mark.parametrize("of", ["json_value", "json_trigger_value"])
def test_a_value_that_python_cannot_read_closes_the_connection(of):
    deep = 100_000 * "[" + 100_000 * "]"
    passed, connection = heard(saying(deep, of), message("rerun_script"))
    assert passed == []
    assert connection.closed


def test_values_of_components_pass():
    points = json.dumps({"points": [[0.1, 0.2]] * 2_000, "name": "[[[[{{{{" * DEEPEST})
    passed, connection = heard(saying(points))
    assert len(passed) == 1
    assert not connection.closed


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", 0),
        ("1", 0),
        ("[]", 1),
        ('{"a": {"b": []}}', 3),
        ('"[[["', 0),
        ('["\\"[["]', 1),
        ('"[[', 0),
    ],
)
def test_depth(value, expected):
    assert depth(value) == expected


def test_whoever_asks_for_nothing_is_disconnected():
    passed, connection = heard(message("clear_cache"), silence_s=0.05)
    assert passed == []
    assert connection.closed
