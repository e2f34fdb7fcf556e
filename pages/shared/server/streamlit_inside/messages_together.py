"""What a run draws comes to the browser a few times in a run, and not element by element.

A page's script runs in a thread of its own. Streamlit hands each of its hundred messages to the event loop by
itself, and the loop looks every few milliseconds for what is to be sent, each time by two new tasks, and goes
once around for each message. The two threads fight for the interpreter meanwhile. Here messages wait for
each other, and all are sent in one go; what begins and ends a run waits for nothing.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.session_manager import SessionClientDisconnectedError

WAITS_S = 0.02
"""As long as what is drawn may wait for more."""
AT_ONCE = 100
"""What is taken over before others have their turn; a browser that 500 messages wait for is given up."""
_EVENTS, _IS_TO_SEND = "lab_events", "lab_is_to_send"

Events = deque[Callable[[], None]]


def send_together() -> None:
    """Hand over and send messages together, for all visitors of this process; call it once."""
    AppSession._on_scriptrunner_event = hand_over  # type: ignore[assignment,method-assign]
    Runtime._enqueued_some_message = send_soon  # type: ignore[method-assign]


def hand_over(
    session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **details: Any
) -> None:
    """Give the event loop what happens in a run, in order; a message may wait for those after it."""
    events: Events = vars(session).setdefault(_EVENTS, deque())
    events.append(
        partial(session._handle_scriptrunner_event_on_event_loop, sender, event, **details)
    )
    take = partial(take_over, session, events)
    if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
        session._call_soon_on_event_loop(take)
    elif len(events) == 1:
        session._call_soon_on_event_loop(partial(_later, session, take))


def _later(session: AppSession, take: Callable[[], None]) -> None:
    session._event_loop.call_later(WAITS_S, take)


def take_over(session: AppSession, events: Events) -> None:
    """Handle what a run has handed over; call it on the event loop."""
    try:
        for _ in range(min(len(events), AT_ONCE)):
            events.popleft()()
    finally:
        if events:
            session._call_soon_on_event_loop(partial(take_over, session, events))


def send_soon(self: Runtime) -> None:
    """Have the event loop send what sessions have for their browsers, once for many messages."""
    if not getattr(self, _IS_TO_SEND, False):
        setattr(self, _IS_TO_SEND, True)
        self._get_async_objs().eventloop.call_soon_threadsafe(send, self)


def send(runtime: Runtime) -> None:
    """Send it; call it on the event loop."""
    setattr(runtime, _IS_TO_SEND, False)  # first: what comes from now on asks again
    for info in runtime._session_mgr.list_active_sessions():
        try:
            for message in info.session.flush_browser_queue():
                runtime._send_message(info, message)
        except SessionClientDisconnectedError:
            runtime.disconnect_session(info.session.id, client=info.client)
        info.session.on_flushed_messages_sent()
