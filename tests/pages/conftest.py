"""For all tests that run pages."""

import pytest

# Limits the threads of numpy and torch when it is first imported: before any test compares the
# environment with what it was.
from pages.shared import server  # noqa: F401
from pages.shared.ui import folds


@pytest.fixture(autouse=True)
def open_folds(request, monkeypatch):
    """Draw the tables under the charts at once: tests read them. Not where marked ``folded``."""
    if "folded" not in request.keywords:
        monkeypatch.setattr(folds, "is_open", lambda fold: True)
