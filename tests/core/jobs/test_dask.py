"""The same run folders on a Dask cluster: a scheduler and two workers on loopback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lm_core.errors import RunError
from lm_core.jobs import jobs, launchers
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from tests.core import small_runs

pytest.importorskip("distributed", reason="Dask is an optional extra: pip install distributed")

ROOT = Path(__file__).resolve().parents[3]
CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, host="127.0.0.1", threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def cluster(background_home, monkeypatch, tmp_path):
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    address = process.stdout.readline().strip()
    monkeypatch.setenv("LM_LAB_SCHEDULER", address)
    yield
    launchers._client(address).close()
    launchers._client.cache_clear()
    process.communicate()


def submit(config, visitor):
    return jobs.submit(config, small_runs.TEXT, visitor=visitor)


def test_two_jobs_run_at_once_on_two_workers_and_the_third_waits(cluster, tmp_path):
    runs = [
        submit(small_runs.small_config(steps=small_runs.NEVER_DONE, seed=s), f"visitor {s}").run
        for s in (1, 2)
    ]
    third = submit(small_runs.small_config(seed=3), "visitor 3")
    assert (third.status.state, third.n_ahead) == (RunState.QUEUED, 2)
    for run in runs:
        small_runs.wait_for_step(run, 1)
    assert {job.status.crashes for job in jobs.jobs()} == {0}
    assert runs[0].status().pid != runs[1].status().pid
    jobs.pause(runs[0].key)
    jobs.cancel(runs[1].key)
    small_runs.wait_until(lambda: all(small_runs.has_ended(run) for run in runs))
    assert [run.status().state for run in runs] == [RunState.PAUSED, RunState.CANCELLED]

    small_runs.wait_until(lambda: jobs.job(third.key).status.state is RunState.FINISHED)
    here = RunFolder(tmp_path / "here")
    list(train_here(here, small_runs.small_config(seed=3), small_runs.TEXT))
    small_runs.assert_same_weights(third.run.checkpoint, here.checkpoint)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_SCHEDULER", "tcp://127.0.0.1:9")
    monkeypatch.setattr(launchers, "_SCHEDULER_TIMEOUT_S", 1)
    with pytest.raises(RunError, match=r"scheduler at tcp://127\.0\.0\.1:9 does not answer"):
        submit(small_runs.small_config(), "Anna")
