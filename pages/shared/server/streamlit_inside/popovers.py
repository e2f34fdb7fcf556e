"""A popover is open as long as its visitor leaves it open, whatever is still on its way from the server.

Streamlit 1.67 tells the browser with each run whether a popover is open, as the browser has told it before.
Who closes one before the answer to its opening has come sees it opened again, and sometimes it stays so.
"""

import functools
from collections.abc import Callable

from streamlit import delta_generator
from streamlit.proto.Block_pb2 import Block


def leave_to_browsers() -> None:
    """Tell browsers no longer whether a popover is open; call it once. No page opens or closes one."""
    delta_generator._enqueue_add_block = _without_state(delta_generator._enqueue_add_block)


def _without_state(enqueue: Callable[..., None]) -> Callable[..., None]:
    """Return the function that sends a block, which now says of a popover nothing that the browser knows."""

    @functools.wraps(enqueue)
    def enqueue_add_block(
        delta_path: list[int], block_proto: Block, agent_props: str | None = None
    ) -> None:
        if block_proto.HasField("popover"):
            block_proto.popover.ClearField("open")
        enqueue(delta_path, block_proto, agent_props)

    return enqueue_add_block
