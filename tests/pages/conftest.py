"""For all tests that run pages."""

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

# Limits the threads of numpy and torch when it is first imported: before any test compares the
# environment with what it was.
from pages.shared import server, tokenizers  # noqa: F401
from pages.shared.ui import folds

_SCANNED_ONCE = cache(manifest_scanner.scan_component_manifests)
_RANKED_ONCE = cache(tokenizers.load_ranked_tokenizer)


@pytest.fixture(autouse=True)
def one_scan(monkeypatch):
    """Let Streamlit read the metadata of all installed packages once, not for each visit of a test.

    It looks for components in them, as a server does when it starts; that takes ten times as long as
    a page.
    """
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _SCANNED_ONCE)


@pytest.fixture(autouse=True)
def published_once(monkeypatch):
    """Read the published tokenizers once, as a server does, though each test empties the caches."""
    monkeypatch.setattr(tokenizers, "load_ranked_tokenizer", _RANKED_ONCE)


@pytest.fixture(autouse=True)
def open_folds(request, monkeypatch):
    """Draw the tables under the charts at once: tests read them. Not where marked ``folded``."""
    if "folded" not in request.keywords:
        monkeypatch.setattr(folds, "is_open", lambda fold: True)
