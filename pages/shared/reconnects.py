"""A page whose server is gone goes on at another one, as it was.

When its connection comes back, the browser finds itself at a replica that has never heard of its visit:
after a crash, an update, or a move behind a reverse proxy. Streamlit's client then waits for the
visitor's next click, which the new session cannot make sense of. But a page on which a timer runs is
run again at once, with all that its link and its controls say: so each has a timer.
"""

from datetime import timedelta

from pages.shared.turns import fragment

_RARELY = timedelta(days=1)
"""A timer that no visit lives to see; a browser counts up to 24 days."""


def run_again_after_reconnect() -> None:
    """Have this page run again as soon as its browser is connected anew, at whatever server."""
    fragment(_draw_nothing, run_every=_RARELY)()


def _draw_nothing() -> None:
    """Do nothing: what counts is that it is to be done."""
