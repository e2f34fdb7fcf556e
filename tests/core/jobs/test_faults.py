"""Faults, each brought about for real: workers and servers are killed, disks filled, files forged.

The workers are the processes that `submit` starts. Where a test reads a run's folder only, nobody
tends the queue but the workers themselves.
"""

import dataclasses
import hashlib
import itertools
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lm_core.__main__ import main
from lm_core.errors import CheckpointError
from lm_core.files import record_sha256
from lm_core.jobs import jobs, launchers
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.queue import tend
from lm_core.jobs.records import RunState
from lm_core.jobs.resume import ResumeFile
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.jobs.worker import OWNED_BY_ANOTHER
from lm_core.training.checkpoints import load_checkpoint
from tests.core import small_runs

ROOT = Path(__file__).resolve().parents[3]
LONG = small_runs.small_config(steps=3_000)
"""Three seconds of work at least: the first state is saved after one."""


pytestmark = pytest.mark.usefixtures("background_home")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The checkpoint of `LONG`, trained in one go."""
    run = RunFolder(tmp_path_factory.mktemp("undisturbed") / "run")
    assert sum(1 for _ in train_here(run, LONG, small_runs.TEXT)) == LONG.training["steps"]
    return run.checkpoint


def submit(config, visitor="Anna"):
    return jobs.submit(config, small_runs.TEXT, visitor=visitor)


def running(config):
    """Submit a run and wait until a state of it is on the disk and the training has gone on."""
    run = submit(config).run
    small_runs.wait_until(run.resume_file.exists, "the first saved state")
    last = run.last_metrics()
    small_runs.wait_for_step(run, last["step"] + 1)
    return run


def end_worker(run, how):
    os.kill(run.status().pid, how)
    small_runs.wait_until(run.own, "the end of the worker").release()


def kill_in_mid_run(run):
    """Kill the worker at a moment when it has done steps that it has not saved; return the saved state."""

    def has_unsaved_steps():
        os.kill(run.status().pid, signal.SIGSTOP)
        saved = ResumeFile(run.resume_file).load()
        if run.last_metrics()["step"] > saved["step"]:
            return saved
        os.kill(run.status().pid, signal.SIGCONT)
        return None

    saved = small_runs.wait_until(has_unsaved_steps)
    end_worker(run, signal.SIGKILL)
    return saved


# The whole way --------------------------------------------------------------------------------


def test_two_jobs_are_trained_one_after_the_other_though_nobody_looks(tmp_path):
    first = submit(small_runs.small_config(), "Anna").run
    second = submit(small_runs.small_config(seed=2), "Boris").run
    small_runs.wait_for_state(first, RunState.FINISHED)
    small_runs.wait_for_state(second, RunState.FINISHED)
    assert second.status().ticket == first.status().ticket + 1
    here = RunFolder(tmp_path / "here")
    list(train_here(here, small_runs.small_config(), small_runs.TEXT))
    small_runs.assert_same_weights(first.checkpoint, here.checkpoint)
    assert main(["jobs", "watch", first.key]) == 0


# Kills ----------------------------------------------------------------------------------------


def test_a_killed_worker_costs_ten_seconds_at_most_and_not_one_bit(undisturbed):
    run = running(LONG)
    saved = kill_in_mid_run(run)
    reached = run.last_metrics()
    assert reached["seconds"] - saved["seconds"] < 10.0
    assert run.status().state is RunState.RUNNING  # nobody has looked yet
    assert jobs.job(run.key).status.crashes == 1
    small_runs.wait_for_state(run, RunState.FINISHED)
    small_runs.assert_same_weights(run.checkpoint, undisturbed)
    reader = MetricsLogReader(run.metrics_file)
    steps = [row["step"] for row in reader.read()]
    again = next(later for earlier, later in itertools.pairwise(steps) if later <= earlier)
    assert again == saved["step"] + 1
    told = [row["step"] for row in reader.rows]
    assert told == sorted(set(told))


SERVER = """
import sys, threading
from lm_core.jobs import jobs
from tests.core.small_runs import TEXT, small_config
print(jobs.submit(small_config(steps={steps}), TEXT, visitor="Anna").key, flush=True)
threading.Event().wait()
"""


def test_a_killed_server_leaves_its_workers_at_work_and_the_next_look_makes_good_what_dies(
    undisturbed,
):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER.format(steps=LONG.training["steps"])],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    run = RunFolder.keyed(server.stdout.readline().strip())
    server.kill()
    server.communicate()
    step = small_runs.wait_for_step(run, 1)
    small_runs.wait_for_step(run, step + 1)
    [found] = jobs.jobs()
    assert (found.key, found.status.state) == (run.key, RunState.RUNNING)
    assert found.status.crashes == 0
    small_runs.wait_until(run.resume_file.exists)
    end_worker(run, signal.SIGKILL)
    assert jobs.jobs()[0].status.state in (RunState.STARTING, RunState.RUNNING)
    small_runs.wait_for_state(run, RunState.FINISHED)
    small_runs.assert_same_weights(run.checkpoint, undisturbed)


JUMPING = """
import itertools, sys, time
jumps = itertools.cycle([0.0, 4e9, -1e9])
time.time = lambda: next(jumps)
from lm_core.jobs import worker
sys.exit(worker.main(sys.argv[1:]))
"""


def test_a_worker_whose_machine_shuts_down_hands_the_run_back_though_its_clock_jumps(
    monkeypatch, undisturbed
):
    command = [sys.executable, "-c", JUMPING]
    monkeypatch.setattr(launchers, "worker_command", lambda run: [*command, str(run.path)])
    run = running(LONG)
    assert jobs.job(run.key).status.crashes == 0
    end_worker(run, signal.SIGTERM)
    status = run.status()
    assert (status.state, status.crashes) == (RunState.QUEUED, 0)
    assert ResumeFile(run.resume_file).load()["step"] == status.step
    tend()
    small_runs.wait_for_state(run, RunState.FINISHED)
    small_runs.assert_same_weights(run.checkpoint, undisturbed)


def test_a_run_in_progress_that_is_discarded_is_stopped_and_leaves_nothing():
    run = running(small_runs.small_config(steps=small_runs.NEVER_DONE))
    jobs.discard(run.key)
    assert not run.path.exists()


HANGING = """
import sys, threading
from lm_core.jobs import worker
from lm_core.training import language_modelling
language_modelling.Training.take_step = lambda training: threading.Event().wait()
sys.exit(worker.main(sys.argv[1:]))
"""


def test_a_worker_is_a_good_neighbour_and_no_step_without_end_can_hold_up_its_cancel(monkeypatch):
    monkeypatch.delenv("LM_LAB_WORKER_NICENESS")
    command = [sys.executable, "-c", HANGING]
    monkeypatch.setattr(launchers, "worker_command", lambda run: [*command, str(run.path)])
    run = submit(LONG).run
    pid = small_runs.wait_for_state(run, RunState.RUNNING).pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    assert os.getsid(pid) == pid
    jobs.cancel(run.key)
    small_runs.wait_for_state(run, RunState.CANCELLED)
    small_runs.wait_until(lambda: small_runs.has_ended(run), "the end of a process that hangs")
    assert run.marker() is None


# Owners ---------------------------------------------------------------------------------------


def test_a_second_owner_is_turned_away_and_watches():
    run = running(small_runs.small_config(steps=small_runs.NEVER_DONE))
    before = run.status()
    second = subprocess.run(
        launchers.worker_command(run), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert second.returncode == OWNED_BY_ANOTHER
    assert "is being trained by another process" in second.stderr
    assert run.status() == before
    watchers = [MetricsLogReader(run.metrics_file) for _ in range(2)]
    small_runs.wait_until(lambda: all(watcher.read() for watcher in watchers))
    small_runs.wait_for_step(run, max(watcher.rows[-1]["step"] for watcher in watchers) + 1)
    jobs.cancel(run.key)
    small_runs.wait_until(lambda: small_runs.has_ended(run))


# Disks ----------------------------------------------------------------------------------------

ON_A_SMALL_DISK = """
import sys, traceback
from pathlib import Path
from lm_core.errors import CheckpointError
from lm_core.training.checkpoints import load_checkpoint
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from tests.core.jobs.test_faults import check_small_disk
from tests.core.small_runs import TEXT, small_config

disk = Path(sys.argv[1])
run = RunFolder(disk / "run")
steps = train_here(run, small_config(steps=100), TEXT)
for _ in range(20):
    next(steps)
steps.close()
assert load_checkpoint(run.checkpoint).meta.steps == 20
state = run.resume_file.read_bytes()
ballast = (disk / "ballast").open("wb", buffering=0)
for size in (4096, 512, 1):
    try:
        while True:
            ballast.write(bytes(size))
    except OSError as error:
        assert error.errno == 28, error
# Room for the status, but neither for a state nor for a checkpoint.
ballast.truncate(ballast.tell() - 12_288)
ballast.close()
steps = train_here(run, small_config(steps=100), TEXT)
try:
    next(steps)
    steps.close()
except CheckpointError:
    traceback.print_exc()
check_small_disk(disk)
"""


@pytest.mark.skipif(not shutil.which("unshare"), reason="no unshare to mount a small disk with")
def test_a_full_disk_stops_the_run_with_advice_and_harms_nothing_old(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=256k tmpfs "$1" || exit 77; "$2" -c "$3" "$1"'
    finished = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh",
         str(disk), sys.executable, ON_A_SMALL_DISK],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if finished.returncode == 77 or "unshare" in finished.stderr:
        pytest.skip(f"no small disk can be mounted here: {finished.stderr}")
    assert finished.returncode == 0, finished.stderr
    assert "CheckpointError" in finished.stderr
    assert "could not be written" in finished.stderr
    assert "No space left on device" in finished.stderr
    assert "Free some space" in finished.stderr


def check_small_disk(disk):
    """Look, inside the small disk's name space, at what the failure has left."""
    run = RunFolder(disk / "run")
    status = run.status()
    assert status.state is RunState.FAILED, status
    assert "Free some space" in status.message
    assert load_checkpoint(run.checkpoint).meta.steps == 20
    assert ResumeFile(run.resume_file).load()["step"] == 20
    (disk / "ballast").unlink()
    assert [
        s.step for s in train_here(run, small_runs.small_config(steps=100), small_runs.TEXT)
    ] == list(range(21, 101))


# Forgeries ------------------------------------------------------------------------------------


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


def test_a_pickle_disguised_as_a_checkpoint_is_refused_and_never_executed(tmp_path):
    run = RunFolder(tmp_path / "run")
    list(train_here(run, small_runs.small_config(), small_runs.TEXT))
    payload = pickle.dumps(Bomb(tmp_path / "executed"))
    (run.checkpoint / "model.safetensors").write_bytes(payload)
    with pytest.raises(CheckpointError, match="the file was altered"):
        load_checkpoint(run.checkpoint)
    _forge_hash(run.checkpoint, payload)
    with pytest.raises(CheckpointError, match="weights and config do not fit"):
        load_checkpoint(run.checkpoint)
    assert not (tmp_path / "executed").exists()
    pickle.loads(payload)
    assert (tmp_path / "executed").exists()  # it would have been seen


def test_a_run_does_not_start_from_a_forged_checkpoint(tmp_path):
    first = RunFolder(tmp_path / "first")
    list(train_here(first, small_runs.small_config(), small_runs.TEXT))
    recipe = dataclasses.replace(small_runs.RECIPE, starts_from="tiny")
    config = small_runs.small_config(recipe, start=first.checkpoint)
    weights = first.checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    run = submit(config).run
    small_runs.wait_for_state(run, RunState.FAILED)
    assert "the file was altered or cut off" in run.status().message
    small_runs.wait_until(lambda: "the file was altered or cut off" in run.log_file.read_text())


def _forge_hash(folder, payload):
    path = folder / "meta.json"
    meta = json.loads(path.read_text()) | {"weights_sha256": hashlib.sha256(payload).hexdigest()}
    del meta["sha256"]
    path.write_text(json.dumps({**meta, "sha256": record_sha256(meta)}))
