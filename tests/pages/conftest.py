"""For all tests that run pages."""

import pytest
from altair.utils import schemapi

# Limits the threads of numpy and torch when it is first imported: before any test compares the
# environment with what it was.
from pages.shared import server
from pages.shared.ui import folds


@pytest.fixture(scope="session", autouse=True)
def checked_charts():
    """Compare every chart that a page draws with Vega-Lite's schema, which the server leaves out."""
    server.boot()
    schemapi.enable_debug_mode()


@pytest.fixture(autouse=True)
def open_folds(request, monkeypatch):
    """Draw the tables under the charts at once: tests read them. Marked ``folded``, as visitors do."""
    if "folded" not in request.keywords:
        monkeypatch.setattr(folds, "is_open", lambda fold: True)
