"""A worker process: ``python -m lm_core.jobs.worker RUN_FOLDER``, or ``--prewarmed`` to wait for one.

It owns the run, trains it at low priority on one thread, and then sees to the queue, so that the
next job starts without anybody looking.
"""

import argparse
import contextlib
import os
import signal
import sys
import traceback
from collections import deque
from pathlib import Path

import torch

from lm_core.jobs.locks import FileLock, adopt
from lm_core.jobs.prewarmed_worker import wait_for_run
from lm_core.jobs.queue import tend
from lm_core.jobs.records import Marker, RunState
from lm_core.jobs.run import carry_out
from lm_core.jobs.run_folder import RunFolder
from lm_core.settings import settings

_OWNER_WAIT_S, _QUEUE_WAIT_S = 2.0, 10.0
OWNED_BY_ANOTHER = 3
"""Exit status where the run has an owner already."""


def main(arguments: list[str] | None = None) -> int:
    """Carry out one run; return 0, 1 if it failed, or `OWNED_BY_ANOTHER`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("folder", type=Path, nargs="?")
    given.add_argument(
        "--prewarmed", type=int, help="descriptor of a socket by which a run will come"
    )
    parser.add_argument("--lock", type=int, help="descriptor of the run's lock, if inherited")
    parsed = parser.parse_args(arguments)
    _give_way()
    torch.set_num_threads(1)  # one thread a process was measured fastest on shared cores
    if parsed.prewarmed is not None:
        come = wait_for_run(parsed.prewarmed)
        return _work(*come) if come else 0
    run = RunFolder(parsed.folder.absolute())
    lock = adopt(parsed.lock) if parsed.lock is not None else run.own(_OWNER_WAIT_S)
    return _work(run, lock)


def _work(run: RunFolder, lock: FileLock | None) -> int:
    """Carry out a run and see to the queue; return the exit status."""
    if lock is None:
        sys.stderr.write(f"{run.path} is being trained by another process\n")
        return OWNED_BY_ANOTHER
    signal.signal(signal.SIGTERM, lambda *_: run.mark(Marker.REQUEUE))
    with lock:
        status = _carry_out(run)
        is_shutting_down = run.status().state is RunState.QUEUED
    if not is_shutting_down:
        tend(_QUEUE_WAIT_S)
    return status


def _give_way() -> None:
    """Let everybody else on this machine go first."""
    niceness = settings().worker_niceness
    os.nice(niceness)
    # Linux shares the processor among sessions before it considers niceness, and a worker has a
    # session of its own; without autogroups there is no such file, and nothing to be done.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")


def _carry_out(run: RunFolder) -> int:
    try:
        deque(carry_out(run, may_exit=True), maxlen=0)
    except Exception:  # the status tells the visitor, the log tells the rest
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
