"""Links to the lab's pages, here and as other devices know them, and codes that phones read."""

import socket
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno

from pages.shared.registry import PAGES
from pages.shared.server.streamlit_inside import visit

_OWN_NAMES = ("localhost", "127.0.0.1", "::1")


def code_for_phones(link: str) -> str:
    """Return a link's QR code as SVG, on white in either theme."""
    return segno.make(link, error="m").svg_inline(scale=5, border=3, light="white")


def link_to(page: str, parameters: Mapping[str, object] | None = None) -> str:
    """Return the link to a page of the lab: its address below the server's, and what it asks for.

    Parameters
    ----------
    page : str, its address, with or without parameters of its own
    parameters : mapping of str to object, optional
        Those that are added to it; several values of one name in a list.

    Examples
    --------
    >>> link_to("attention", {"query": 3, "heads": ["1.1", "2.4"]})
    'attention?query=3&heads=1.1&heads=2.4'
    >>> link_to("join")
    'join'
    """
    asked = urlencode(parameters or {}, doseq=True, safe=",")
    return f"{page}{'&' if '?' in page else '?'}{asked}" if asked else page


def for_others(link: str) -> str:
    """Return a link with this server's URL before it, as other devices know it.

    `link`: str, as `link_to` returns it.
    """
    return f"{this_server()}/{link}"


def this_server() -> str:
    """Return this server's URL as other devices know it, without a slash at its end."""
    # Not `st.context.url`: it cuts off whatever ends with a page's address, "cross-" before "attention".
    return server_of(visit.url())


def server_of(url: str) -> str:
    """Return the server's part of a page's URL, as other devices know it.

    Examples
    --------
    >>> server_of("https://lab.example.org/lm/cross-attention?query=3")
    'https://lab.example.org/lm'
    """
    parts = urlsplit(url)
    before, _, last = parts.path.rstrip("/").rpartition("/")
    is_page = any(last in (spec.address, *spec.former) for spec in PAGES)
    path = before if is_page else parts.path.rstrip("/")
    return reachable(urlunsplit(parts._replace(path=path, query="", fragment="")))


def reachable(server: str) -> str:
    """Return a server's URL as other devices know it: phones cannot open this computer's localhost.

    Examples
    --------
    >>> reachable("https://lab.example.org")
    'https://lab.example.org'
    """
    parts = urlsplit(server)
    if parts.hostname not in _OWN_NAMES:
        return server
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit(parts._replace(netloc=f"{own_address()}{port}"))


def own_address() -> str:
    """Return this computer's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation: nobody is there
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])
