"""Every test starts clean and leaves nothing behind: no cache, thread, variable or file."""

import os
import sys
import threading
import uuid
from pathlib import Path

import pytest

# As on the server: figures of short trainings depend on how many threads add their numbers up.
os.environ.setdefault("OMP_NUM_THREADS", "1")

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


@pytest.fixture(autouse=True, scope="module")
def no_files_left_behind():
    files = _files()
    yield
    assert _files() == files, "a test of this module left files in the project"


@pytest.fixture(autouse=True)
def nothing_left_behind():
    environment, threads = _environment(), _threads()
    yield
    assert _environment() == environment, "the test changed the environment"
    assert _threads() <= threads, "the test left a thread running"


@pytest.fixture(autouse=True)
def own_cache(nothing_left_behind, tmp_path_factory, monkeypatch):
    """The test's own cache folder, made when it is used, and none of Streamlit's cached values after it."""
    folder = tmp_path_factory.getbasetemp() / "cache" / uuid.uuid4().hex
    monkeypatch.setenv("LM_LAB_CACHE", str(folder))
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")
    yield
    if streamlit := sys.modules.get("streamlit"):
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
