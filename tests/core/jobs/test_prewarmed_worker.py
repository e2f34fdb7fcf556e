"""A worker that waits for its run: what it is given it trains, and it outstays nobody."""

import os
import signal

import pytest

from lm_core.jobs import jobs, launchers
from lm_core.jobs.launchers import ProcessLauncher
from lm_core.jobs.prewarmed_worker import PrewarmedWorker
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder
from tests.core.small_runs import ENDLESS, TEXT, has_ended, small_config, wait_for_state, wait_until


@pytest.fixture
def prewarmed(monkeypatch, background_home):
    worker = PrewarmedWorker()
    monkeypatch.setattr(launchers, "_PREWARMED", worker)
    monkeypatch.delenv("LM_LAB_PREWARMED_WORKER", raising=False)
    yield worker
    worker.dismiss()


def a_run(**training):
    config = small_config(**training)
    run = RunFolder.keyed(config.fingerprint())
    run.create(config, RunStatus(RunState.STARTING, config.training["steps"], ticket=1), TEXT)
    return run


def waiting(prewarmed):
    """The prewarmed worker's process, as soon as it says that it waits."""
    ProcessLauncher().prepare()
    wait_until(lambda: launchers._PREWARMED._socket.recv(1, 2), "the word that it is ready")
    return prewarmed._process


def test_a_run_is_trained_by_the_process_that_waited(prewarmed):
    process, run = waiting(prewarmed), a_run()
    with run.own() as lock:
        ProcessLauncher().start(run, 0, lock)
    assert not prewarmed.is_waiting
    status = wait_for_state(run, RunState.FINISHED)
    assert status.pid == process.pid
    wait_until(lambda: has_ended(run))
    assert process.wait() == 0


def test_the_run_has_an_owner_all_the_while(prewarmed):
    waiting(prewarmed)
    run = a_run(steps=ENDLESS)
    with run.own() as lock:
        ProcessLauncher().start(run, 0, lock)
    assert run.own() is None
    wait_for_state(run, RunState.RUNNING)
    jobs.cancel(run.key)
    wait_until(lambda: has_ended(run))


def test_a_process_that_is_not_ready_is_left_to_get_ready(prewarmed):
    ProcessLauncher().prepare()
    process, run = prewarmed._process, a_run()
    process.send_signal(signal.SIGSTOP)
    with run.own() as lock:
        assert prewarmed.hand_over(run, lock, {}) is None
    assert prewarmed.is_waiting
    process.send_signal(signal.SIGCONT)


def test_a_process_that_does_not_answer_never_gets_the_run(prewarmed):
    process, run = waiting(prewarmed), a_run()
    process.send_signal(signal.SIGSTOP)
    with run.own() as lock:
        assert prewarmed.hand_over(run, lock, {}) is None
    assert process.poll() == -signal.SIGKILL
    assert has_ended(run) is False
    run.own().release()


def test_it_ends_with_whoever_made_it(prewarmed):
    process = waiting(prewarmed)
    prewarmed._socket.close()
    assert process.wait(30.0) == 0


def test_a_dead_one_is_replaced(prewarmed):
    process = waiting(prewarmed)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert waiting(prewarmed).pid != process.pid


def test_none_is_made_where_none_is_wanted(prewarmed, monkeypatch):
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")
    ProcessLauncher().prepare()
    assert not prewarmed.is_waiting


def test_none_is_made_while_a_run_is_live(prewarmed):
    run = a_run()
    run.update(state=RunState.QUEUED)
    jobs.expect_one()
    assert not prewarmed.is_waiting
    run.update(state=RunState.PAUSED)
    jobs.expect_one()
    assert prewarmed.is_waiting
