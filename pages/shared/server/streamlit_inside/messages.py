"""What the browser of a page sends to Streamlit, as the guards read it; the lab does not start without."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg


def client_message(data: bytes) -> "BackMsg | None":
    """Return what a page's browser has sent; None if it is no message."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    try:
        return BackMsg.FromString(data)
    except DecodeError:
        return None


def json_values(message: "BackMsg") -> Iterator[str]:
    """Yield what the components of a page say in a message, as the JSON that they have sent."""
    for widget in message.rerun_script.widget_states.widgets:
        yield from filter(None, (widget.json_value, widget.json_trigger_value))
