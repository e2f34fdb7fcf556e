"""Websocket messages are compressed with the memory of the run before, which said nearly the same."""

from typing import Any

from uvicorn.protocols.websockets import websockets_sansio_impl
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory


def remember_the_run_before() -> None:
    """Compress with a window of 32 kB for each visitor, from the next connection on.

    What a move sends again is then found in what the last one sent. Uvicorn's window of 4 kB holds no run
    of a page: the moves of `attention` are four times as many bytes with it, in more time
    (``python -m tests.benchmarks.compression``). A visitor takes 110 kB of memory instead of 40.
    """
    websockets_sansio_impl.ServerPerMessageDeflateFactory = _with_widest_window  # type: ignore[assignment,attr-defined]


def _with_widest_window(*, client_max_window_bits: int, **_: Any) -> ServerPerMessageDeflateFactory:
    """Return what agrees with a browser on compression: its own messages are short, and keep their window."""
    return ServerPerMessageDeflateFactory(client_max_window_bits=client_max_window_bits)
