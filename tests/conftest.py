"""Every test starts clean and leaves nothing behind: no cache, thread, variable or file."""

import os
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
collect_ignore = ["pages/trial.py"]  # a page, not a module: it only runs under a server
_OF_LIBRARIES = ("PYTEST_", "KMP_", "TORCH", "OMP_")


def _environment():
    return {k: v for k, v in os.environ.items() if not k.startswith(_OF_LIBRARIES)}


def _threads():
    """Threads that would keep the process alive, but for the browser driver's own."""
    own = (t for t in threading.enumerate() if not t.name.startswith("asyncio_"))
    return {t for t in own if not t.daemon or t.name.startswith("train-")}


def _files():
    """What lies at the top of the project and among its assets."""
    ignored = {"__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache"}
    below = {f"{folder}/{name}" for folder, _, names in os.walk(ROOT / "assets") for name in names}
    return below | {path.name for path in ROOT.iterdir()} - ignored


@pytest.fixture(autouse=True)
def nothing_left_behind():
    environment, threads, files = _environment(), _threads(), _files()
    yield
    assert _environment() == environment, "the test changed the environment"
    assert _threads() <= threads, "the test left a thread running"
    assert _files() == files, "the test left files in the project"


@pytest.fixture(autouse=True)
def own_cache(nothing_left_behind, tmp_path, monkeypatch):
    """The test's own cache folder, and none of Streamlit's cached values after it."""
    monkeypatch.setenv("LM_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")
    yield
    if streamlit := sys.modules.get("streamlit"):
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
