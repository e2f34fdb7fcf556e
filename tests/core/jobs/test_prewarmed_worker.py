"""A worker that waits for its run: what it is given it trains, and it outstays nobody."""

import signal

import pytest

from lm_core.jobs import jobs, launchers
from lm_core.jobs.launchers import ProcessLauncher
from lm_core.jobs.prewarmed_worker import PrewarmedWorker, _is_ready
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder
from tests.core.small_runs import TEXT, has_ended, small_config, wait_for_state, wait_until


@pytest.fixture
def prewarmed(monkeypatch, background_home):
    worker = PrewarmedWorker()
    monkeypatch.setattr(launchers, "_PREWARMED", worker)
    monkeypatch.delenv("LM_LAB_PREWARMED_WORKER", raising=False)
    yield worker
    worker._let_go()


def a_run(**training):
    config = small_config(**training)
    run = RunFolder.keyed(config.fingerprint())
    run.create(config, RunStatus(RunState.STARTING, config.training["steps"], ticket=1), TEXT)
    return run


def waiting(prewarmed):
    """The prewarmed worker's process, as soon as it says that it waits."""
    ProcessLauncher().prepare()
    wait_until(lambda: _is_ready(prewarmed._socket), "the word that it is ready")
    return prewarmed._process


def test_a_run_is_trained_by_the_process_that_waited_and_has_an_owner_all_the_while(prewarmed):
    process, run = waiting(prewarmed), a_run()
    with run.own() as lock:
        ProcessLauncher().start(run, 0, lock)
    assert run.own() is None
    assert not prewarmed.is_waiting
    status = wait_for_state(run, RunState.FINISHED)
    assert status.pid == process.pid
    wait_until(lambda: has_ended(run))
    assert process.wait() == 0


def test_a_process_that_does_not_answer_gets_no_run_neither_before_it_is_ready_nor_after(prewarmed):
    ProcessLauncher().prepare()
    process, run = prewarmed._process, a_run()
    process.send_signal(signal.SIGSTOP)
    with run.own() as lock:
        assert prewarmed.hand_over(run, lock, {}) is None
    assert prewarmed.is_waiting, "it is left to get ready"
    process.send_signal(signal.SIGCONT)
    assert waiting(prewarmed) is process
    process.send_signal(signal.SIGSTOP)
    with run.own() as lock:
        assert prewarmed.hand_over(run, lock, {}) is None
    assert process.poll() == -signal.SIGKILL
    assert has_ended(run) is False
    run.own().release()


def test_none_is_made_where_none_is_wanted(prewarmed, monkeypatch):
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")
    ProcessLauncher().prepare()
    assert not prewarmed.is_waiting


def test_none_is_made_while_a_run_is_live_a_dead_one_is_replaced_and_it_outlives_nobody(prewarmed):
    run = a_run()
    run.update(state=RunState.QUEUED)
    jobs.expect_one()
    assert not prewarmed.is_waiting
    run.update(state=RunState.PAUSED)
    jobs.expect_one()
    assert prewarmed.is_waiting
    dead = prewarmed._process
    dead.kill()
    dead.wait()
    process = waiting(prewarmed)
    assert process.pid != dead.pid
    prewarmed._socket.close()
    assert process.wait(30.0) == 0
