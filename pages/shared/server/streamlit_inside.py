"""Streamlit's inner side, as far as the server's guards need it; no public function reaches there."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import streamlit
from google.protobuf.message import DecodeError
from streamlit import config, net_util, runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.server_util import get_url

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def never_ask_outside() -> None:
    """Keep Streamlit from asking a host on the internet for this server's address.

    It does so when it starts, and in the event loop whenever the origin of a connection is strange:
    for up to two seconds then nobody is answered.
    """
    net_util.get_external_ip = lambda: None


def own_addresses() -> list[str]:
    """Return where this server is found: on this machine, and on its network."""
    set_by_hand = config.get_option("server.address")
    hosts = [set_by_hand] if set_by_hand else ["localhost", net_util.get_internal_ip() or ""]
    return [get_url(host) for host in hosts if host]


def allowed_origins() -> list[str]:
    """Return the addresses that Streamlit's settings name as this server's, or allow beside it."""
    named: list[str] = [*config.get_option("server.corsAllowedOrigins")]
    if config.is_manually_set("browser.serverAddress"):
        named.append(f"//{config.get_option('browser.serverAddress')}")
    return named


def client_message(data: bytes) -> BackMsg | None:
    """Return what a page's browser has sent; None if it is no message."""
    try:
        return BackMsg.FromString(data)
    except DecodeError:
        return None


def json_values(message: BackMsg) -> Iterator[str]:
    """Yield what the components of a page say in a message, as the JSON that they have sent."""
    for widget in message.rerun_script.widget_states.widgets:
        yield from filter(None, (widget.json_value, widget.json_trigger_value))


def uploads_held() -> dict[str, int]:
    """Return the bytes of the uploaded files that this process holds, by session."""
    manager = runtime.get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    with manager._lock:
        return {
            session: sum(len(file.data) for file in files.values())
            for session, files in manager.file_storage.items()
        }


def forget_closed_sessions() -> None:
    """Let go of the sessions, and their files, whose pages were closed longer ago than they are kept.

    Streamlit itself does so only when another page is closed, and the garbage collector comes by.
    """
    manager = runtime.get_instance()._session_mgr
    for _, closed in manager._session_storage._cache.expire():  # type: ignore[attr-defined]
        closed.session.shutdown()
    known = {kept.session.id for kept in manager.list_sessions()}
    for session in uploads_held().keys() - known:
        runtime.get_instance().uploaded_file_mgr.remove_session_files(session)


def inline_script_hashes() -> list[str]:
    """Return what a Content-Security-Policy calls the scripts within Streamlit's own page."""
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    scripts = _INLINE_SCRIPT.findall(page.read_text(encoding="utf-8"))
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
