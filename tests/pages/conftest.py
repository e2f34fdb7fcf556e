"""For all tests that run pages."""

from concurrent.futures import Future
from functools import cache, lru_cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import local_script_runner

# Limits the threads of numpy and torch when it is first imported: before any test compares the
# environment with what it was.
from pages.shared.server import start  # noqa: F401

# isort: split
from lm_core.experiments.attention.head_scores import HeadResults
from lm_core.jobs import jobs, queue
from lm_core.text import corpora
from lm_core.training import checkpoints
from lm_core.training.checkpoints import SHIPPED
from pages.shared.models import tokenizers
from pages.shared.ui import folds
from pages.war_and_peace import memorised, session
from tests.core.small_runs import BusyMachine
from tests.vega_lite_schema import compared_with_the_schema  # noqa: F401  a fixture

_SCANNED_ONCE = cache(manifest_scanner.scan_component_manifests)
_RANKED_ONCE = cache(tokenizers.load_ranked_tokenizer)
_SCORES_ONCE = cache(HeadResults.load)
_CHECKPOINT, _RECORDS = checkpoints.load_checkpoint, checkpoints._read_all
_CHECKPOINT_ONCE, _RECORDS_ONCE = lru_cache(16)(_CHECKPOINT), cache(_RECORDS)
_LOOK = local_script_runner.require_widgets_deltas
_FIRST_TEXT, _FIRST_TEXTS = session._first_text.__wrapped__, {}


@pytest.fixture(autouse=True)
def one_scan(monkeypatch):
    """Let Streamlit read the metadata of all installed packages once, not for each visit of a test.

    It looks for components in them, as a server does when it starts; that takes ten times as long as
    a page.
    """
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _SCANNED_ONCE)


@pytest.fixture(autouse=True)
def nobody_polls(monkeypatch):
    """Wait for the thread of a run: AppTest would look every millisecond whether it is through."""

    def wait(runner, timeout=3):
        runner._script_thread.join(timeout)
        _LOOK(runner, 0 if runner._script_thread.is_alive() else timeout)

    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", wait)


@pytest.fixture(autouse=True)
def published_once(monkeypatch):
    """Read the published tokenizers once, as a server does, though each test empties the caches."""
    monkeypatch.setattr(tokenizers, "load_ranked_tokenizer", _RANKED_ONCE)


@pytest.fixture(autouse=True)
def shipped_once(monkeypatch):
    """Read what is shipped once as well, and write once what War and Peace begins with."""

    def load_checkpoint(folder, device="cpu"):
        is_shipped = folder.parent == SHIPPED
        return (_CHECKPOINT_ONCE if is_shipped else _CHECKPOINT)(folder, device)

    def read_all(root):
        return (_RECORDS_ONCE if root == SHIPPED else _RECORDS)(root)

    def first_text(identity, settings, opening):
        key = identity, settings
        if key not in _FIRST_TEXTS:
            _FIRST_TEXTS[key] = _FIRST_TEXT(*key, opening)
        return _FIRST_TEXTS[key]

    monkeypatch.setattr(checkpoints, "load_checkpoint", load_checkpoint)
    monkeypatch.setattr(checkpoints, "_read_all", read_all)
    monkeypatch.setattr(HeadResults, "load", _SCORES_ONCE)
    monkeypatch.setattr(session, "_first_text", first_text)


@pytest.fixture(autouse=True)
def book_never_read(monkeypatch):
    """Have nobody read the book for its index: that process would begin when the test is over."""
    monkeypatch.setattr(memorised, "book_index", lambda characters: Future())


@pytest.fixture(autouse=True)
def open_folds(request, monkeypatch):
    """Draw the tables under the charts at once: tests read them. Not where marked ``folded``."""
    if "folded" not in request.keywords:
        monkeypatch.setattr(folds, "is_open", lambda fold: True)


@pytest.fixture
def no_workers(monkeypatch, tmp_path):
    """A home of the test's own without a text in it, on a machine whose workers are all busy."""
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_DEVICE", "cpu")
    monkeypatch.setattr(queue, "chosen_launcher", BusyMachine)
    monkeypatch.setattr(jobs, "chosen_launcher", BusyMachine)
    monkeypatch.setattr(corpora, "search_folders", lambda: [tmp_path])
