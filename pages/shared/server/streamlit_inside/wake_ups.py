"""Wake-ups of the server's event loop: one in a few milliseconds, not one for each message of a page.

A page's script runs in a thread of its own, and hands each of its hundred messages to the event loop.
For each, asyncio writes a byte into a socket so that the loop wakes up, and the two threads fight for
the interpreter. That took a fifth of the processor time of a run. Here the loop, once woken, looks again
by itself after a moment, and until then nobody has to wake it.
"""

import asyncio

LOOKS_AGAIN_S = 0.005
"""As long as a message may wait; Streamlit gathers them for as long anyway."""


def wake_rarely(loop: asyncio.AbstractEventLoop) -> None:
    """Let a loop be woken by a byte only if it will not look by itself."""
    if not isinstance(loop, asyncio.SelectorEventLoop):
        return
    write, process = loop._write_to_self, loop._process_self_data  # type: ignore[attr-defined]
    looks_by_itself = False

    def write_to_self() -> None:
        nonlocal looks_by_itself
        if not looks_by_itself:
            looks_by_itself = True  # when the byte arrives, and for a moment after
            write()

    def process_self_data(data: bytes) -> None:
        process(data)
        loop.call_later(LOOKS_AGAIN_S, look)

    def look() -> None:
        # The loop now does what was handed over before, and sleeps only when nothing is left.
        nonlocal looks_by_itself
        looks_by_itself = False

    loop._write_to_self = write_to_self  # type: ignore[attr-defined]
    loop._process_self_data = process_self_data  # type: ignore[attr-defined]
