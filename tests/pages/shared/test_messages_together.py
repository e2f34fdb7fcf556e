"""What a run draws is handed over and sent together; nothing is lost, and all stays in order."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.shared.server.streamlit_inside import messages_together

DRAWN, ENDED = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def loop():
    loop = asyncio.SelectorEventLoop()
    yield loop
    loop.close()


class Session:
    """What the lab takes of a session of Streamlit, and what it was told."""

    def __init__(self, loop):
        self._event_loop, self.asked, self.come, self.told = loop, 0, [], asyncio.Event()

    def _call_soon_on_event_loop(self, callback):
        self.asked += 1
        self._event_loop.call_soon_threadsafe(callback)

    def _handle_scriptrunner_event_on_event_loop(self, sender, event, forward_msg=None):
        del sender
        self.come.append(forward_msg)
        if forward_msg == "broken":
            raise ValueError(forward_msg)
        if event is ENDED:
            self.told.set()


def draw(session, *messages):
    for message in messages:
        messages_together.hand_over(session, None, event=DRAWN, forward_msg=message)


def wait(loop, session):
    loop.run_until_complete(asyncio.wait_for(session.told.wait(), 60))


def test_what_is_drawn_is_handed_over_together_and_the_end_of_a_run_waits_for_nothing(loop):
    session = Session(loop)
    draw(session, *range(50))
    assert session.asked == 1
    messages_together.hand_over(session, None, ENDED)
    assert session.asked == 2
    loop.call_soon(loop.stop)
    loop.run_forever()  # once around, without a timer
    assert session.come == [*range(50), None]


def test_what_is_drawn_comes_before_its_run_ends(loop):
    session = Session(loop)
    draw(session, "first", "second")

    async def until_come():
        while not session.come:
            await asyncio.sleep(0.001)

    loop.run_until_complete(asyncio.wait_for(until_come(), 60))
    assert session.come == ["first", "second"]


def test_others_have_their_turn_between_hundreds_of_messages(loop):
    session, seen = Session(loop), []
    draw(session, *range(2 * messages_together.AT_ONCE + 1))
    messages_together.hand_over(session, None, ENDED)
    loop.call_soon(lambda: seen.append(len(session.come)))
    wait(loop, session)
    assert seen == [messages_together.AT_ONCE]


def test_messages_that_cannot_be_handled_keep_none_back(loop):
    session, said = Session(loop), []
    loop.set_exception_handler(lambda _, context: said.append(context["exception"]))
    draw(session, 1, "broken", "broken", 2)
    messages_together.hand_over(session, None, ENDED)
    wait(loop, session)
    assert session.come == [1, "broken", "broken", 2, None]
    assert [type(error) for error in said] == [ValueError, ValueError]


def test_no_message_of_several_threads_is_lost_and_they_stay_in_order(loop):
    session, n_threads, n_messages = Session(loop), 4, 2_000

    def run(thread):
        draw(session, *((thread, i) for i in range(n_messages)))

    async def serve():
        threads = [threading.Thread(target=run, args=(t,)) for t in range(n_threads)]
        for thread in threads:
            thread.start()
        async with asyncio.timeout(60):
            while len(session.come) < n_threads * n_messages:
                await asyncio.sleep(0.001)

    loop.run_until_complete(serve())
    for thread in range(n_threads):
        assert [i for t, i in session.come if t == thread] == list(range(n_messages))


def server(loop, *infos):
    manager = SimpleNamespace(list_active_sessions=lambda: list(infos))
    gone, sent = [], []

    def send_message(info, message):
        if info.is_closed:
            raise SessionClientDisconnectedError
        sent.append((info.session.id, message))

    return SimpleNamespace(
        _get_async_objs=lambda: SimpleNamespace(eventloop=loop),
        _session_mgr=manager,
        _send_message=send_message,
        disconnect_session=lambda name, client: gone.append((name, client)),
        gone=gone,
        sent=sent,
    )


def visitor(name, *messages, is_closed=False):
    waiting = list(messages)

    def flush():
        flushed = list(waiting)
        waiting.clear()
        return flushed

    session = SimpleNamespace(
        id=name, flush_browser_queue=flush, on_flushed_messages_sent=lambda: None
    )
    return SimpleNamespace(session=session, client=f"{name}'s browser", is_closed=is_closed)


def test_many_messages_are_sent_in_one_go_and_who_is_gone_keeps_nobody_waiting(loop):
    runtime = server(loop, visitor("a", 1, 2), visitor("b", 3, is_closed=True), visitor("c", 4))
    sendings = []
    loop.call_soon_threadsafe = lambda act, *given: sendings.append((act, given))
    for _ in range(100):
        messages_together.send_soon(runtime)
    ((act, given),) = sendings
    assert act is messages_together.send
    act(*given)
    assert runtime.sent == [("a", 1), ("a", 2), ("c", 4)]
    assert runtime.gone == [("b", "b's browser")]
    messages_together.send_soon(runtime)
    assert len(sendings) == 2
