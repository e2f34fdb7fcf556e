"""For all tests of charts."""

import pytest
from altair.utils import schemapi


@pytest.fixture(autouse=True)
def compared_with_the_schema(monkeypatch):
    """Compare every chart with Vega-Lite's schema, which `server.boot` leaves out."""
    monkeypatch.setattr(schemapi, "DEBUG_MODE", True)
