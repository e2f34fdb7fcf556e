"""The event loop is woken rarely by many messages, and loses none of them."""

import asyncio
import threading

import pytest

from pages.shared.server.streamlit_inside.wake_ups import LOOKS_AGAIN_S, wake_rarely


@pytest.fixture
def loop():
    loop = asyncio.SelectorEventLoop()
    yield loop
    loop.close()


def bytes_on_the_way(loop):
    return len(loop._ssock.recv(4096))


def test_many_messages_wake_it_once(loop):
    wake_rarely(loop)
    for _ in range(100):
        loop.call_soon_threadsafe(int)
    assert bytes_on_the_way(loop) == 1


def test_what_comes_while_it_looks_by_itself_is_done_without_a_byte(loop):
    wake_rarely(loop)
    loop._process_self_data(b"\0")  # it was woken, and looks again in a moment
    done = []

    def send():
        loop.call_soon_threadsafe(done.append, 1)

    async def serve():
        loop.call_soon_threadsafe(int)
        threading.Thread(target=send).start()
        while not done:
            await asyncio.sleep(0.001)

    loop.run_until_complete(asyncio.wait_for(serve(), 60))


def test_after_that_it_is_woken_again(loop):
    wake_rarely(loop)
    for _ in range(3):
        loop.call_soon_threadsafe(int)
        assert bytes_on_the_way(loop) == 1
        loop._process_self_data(b"\0")
        loop.run_until_complete(asyncio.sleep(2 * LOOKS_AGAIN_S))


def test_no_message_of_several_threads_is_lost_and_they_stay_in_order(loop):
    wake_rarely(loop)
    n_threads, n_messages, come = 4, 2_000, []

    def send(thread):
        for i in range(n_messages):
            loop.call_soon_threadsafe(come.append, (thread, i))

    async def serve():
        threads = [threading.Thread(target=send, args=(t,)) for t in range(n_threads)]
        for thread in threads:
            thread.start()
        async with asyncio.timeout(60):
            while len(come) < n_threads * n_messages:
                woken = loop.create_future()
                waker = threading.Thread(
                    target=loop.call_soon_threadsafe, args=(woken.set_result, None)
                )
                waker.start()
                await woken  # nothing but a byte ends this
                waker.join()
        for thread in threads:
            thread.join()

    loop.run_until_complete(serve())
    for thread in range(n_threads):
        assert [i for t, i in come if t == thread] == list(range(n_messages))


def test_signals_still_arrive(loop):
    wake_rarely(loop)
    signals = []
    loop._handle_signal = signals.append
    loop._process_self_data(b"\0\x0f")
    assert signals == [15]
