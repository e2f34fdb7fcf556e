"""What lies around Streamlit's application, layer by layer."""

from dataclasses import dataclass

from starlette.types import ASGIApp, Scope


@dataclass
class Layer:
    """ASGI middleware, which passes on what it does not answer itself."""

    app: ASGIApp  # ASGI application: answers for everything else


def asks_for_page(scope: Scope) -> bool:
    """Return whether a person's browser asks for a page, and not a page for its parts."""
    return scope["type"] == "http" and any(
        name == b"accept" and b"text/html" in value for name, value in scope["headers"]
    )
