import os
import signal

import pytest

from lm_core.jobs import store
from lm_core.jobs.records import RunState
from tests.core.small_runs import wait_until


@pytest.fixture
def background_home(monkeypatch, tmp_path):
    """Runs of the test's own; what its workers still train at its end is killed."""
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_DEVICE", "cpu")
    # A worker that stands back would make a test wait for all that runs beside it.
    monkeypatch.setenv("LM_LAB_WORKER_NICENESS", "0")
    yield
    for run, status in store.live():
        run.update(state=RunState.CANCELLED)  # so that nobody starts it any more
        lock = run.own()
        if lock is None:
            os.kill(status.pid, signal.SIGKILL)
            lock = wait_until(run.own, "the end of the worker")
        lock.release()
