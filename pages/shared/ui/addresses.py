"""URLs of this server as other devices know them, and codes that phones read."""

import socket
from urllib.parse import urlsplit, urlunsplit

import segno

from pages.shared.registry import PAGES

_OWN_NAMES = ("localhost", "127.0.0.1", "::1")


def code_for_phones(link: str) -> str:
    """Return a link's QR code as SVG, on white in either theme."""
    return segno.make(link, error="m").svg_inline(scale=5, border=3, light="white")


def server_of(url: str) -> str:
    """Return the server's part of a page's URL, as other devices know it."""
    return reachable(url.removesuffix(page_of(url)).rstrip("/"))


def page_of(address: str) -> str:
    """Return which page a URL leads to: the last part of its path, empty for the home page."""
    last = urlsplit(address).path.rsplit("/", 1)[-1]
    return last if any(spec.address == last for spec in PAGES) else ""


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
