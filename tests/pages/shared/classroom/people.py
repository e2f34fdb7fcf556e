"""A presenter and students, each a visit of their own with a browser that is known."""

import hashlib

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.registry import PAGES
from pages.shared.rooms.store import store
from tests.conftest import ROOT

RECALL = "pages/rnn_vs_lstm/page.py"
HOME = "pages/home/page.py"
_ADDRESSES = {spec.path: spec.address for spec in PAGES}


def visitor(who):
    """Return the visitor whose browser keeps `who` as its number."""
    return hashlib.sha256(who.encode()).hexdigest()[:16]


def arrive_as(who, page, /, **asked):
    """Open a page with the browser of `who`, and look once more, as the class's bar does by itself."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app._page_hash = calc_hash(_ADDRESSES[page])
    app.session_state["lab_visitor"] = who
    app.session_state["lab_visitor_confirmed"] = True
    for name, value in asked.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [error.value + str(error.stack_trace) for error in app.exception]
    return app


def opened():
    """Open a room as the visitor "teacher"; return its code and passcode."""
    return store().rooms.open(visitor("teacher"))


def look_again(app):
    """Run the page that a visit has reached anew, later than any state that is still believed."""
    app._page_hash = calc_hash(app.session_state["lab_room_page"])
    for code in list(store().states._kept):
        store().states.forget(code)
    app.run()
    assert not app.exception, [error.value + str(error.stack_trace) for error in app.exception]
    return app


def words(app):
    """Return all that is written on a page."""
    kinds = (app.markdown, app.caption, app.warning, app.error)
    return "\n".join(element.value for kind in kinds for element in kind)
