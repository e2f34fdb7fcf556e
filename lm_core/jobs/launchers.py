"""How a job gets a worker: a process on this machine, or one somewhere on a Dask cluster.

That is all that differs between the two; everything else goes through the run folder. With
``LM_LAB_SCHEDULER=tcp://host:8786`` a run folder on a shared file system is handed to the cluster,
whose scheduler and workers are started with this project on their Python path.
"""

import functools
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch

import lm_core
from lm_core.errors import RunError
from lm_core.jobs.locks import FileLock
from lm_core.jobs.prewarmed_worker import PrewarmedWorker
from lm_core.jobs.run_folder import RunFolder
from lm_core.settings import settings
from lm_core.training.devices import choose_device

if TYPE_CHECKING:
    from distributed import Client

_SOURCES = Path(lm_core.__file__).parents[1]
_SCHEDULER_TIMEOUT_S = 10
_ALL_CARDS = "LM_LAB_CARDS"
_PREWARMED = PrewarmedWorker()


class Launcher(Protocol):
    """Starts workers; `jobs` decides which run is next."""

    def slots(self) -> int:
        """Return how many jobs may run at once."""
        ...

    def start(self, run: RunFolder, slot: int, lock: FileLock) -> None:
        """Start a worker on a run that the caller owns by `lock`, and do not wait for it."""
        ...

    def is_on_its_way(self, run: RunFolder) -> bool:
        """Whether a worker that was started is still to take hold of its run."""
        ...

    def prepare(self) -> None:
        """Have a worker ready for the next run, if that would make it start sooner."""
        ...


class ProcessLauncher:
    """Workers are processes of this machine, in sessions of their own: they outlive the server."""

    def slots(self) -> int:
        """Return one a graphics card, or one for the processor."""
        return len(_cards()) or 1

    def start(self, run: RunFolder, slot: int, lock: FileLock) -> None:
        """Start a process that inherits the lock, so that the run is never without an owner.

        Raises OSError if the process cannot be started.
        """
        process = _PREWARMED.hand_over(run, lock, _graphics_card(slot)) or self._start(
            run, slot, lock
        )
        # Nobody asks for its exit status, the run folder says it all; but somebody must wait for
        # it, or a dead process stays in the system's table as long as this one lives.
        threading.Thread(target=process.wait, name=f"wait-{process.pid}", daemon=True).start()

    def _start(self, run: RunFolder, slot: int, lock: FileLock) -> "subprocess.Popen[bytes]":
        with run.log_file.open("ab") as log:
            return subprocess.Popen(
                [*worker_command(run), "--lock", str(lock.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=_environment(slot),
                pass_fds=[lock.fileno()],
                start_new_session=True,
            )

    def is_on_its_way(self, run: RunFolder) -> bool:
        """Return False: a worker owns its run from birth."""
        del run
        return False

    def prepare(self) -> None:
        """Start a worker that waits for the next run, unless ``LM_LAB_PREWARMED_WORKER`` is 0.

        Raises RunError if the process cannot be started.
        """
        if not settings().prewarmed_worker:
            return
        try:
            _PREWARMED.prepare(_environment(None))
        except OSError as error:
            raise RunError(f"no worker could be started: {error}") from error


class DaskLauncher:
    """Workers are processes somewhere on a Dask cluster that shares this machine's run folders."""

    def __init__(self, address: str) -> None:
        self._address = address

    def slots(self) -> int:
        """Return one a thread of the cluster's workers."""
        return max(1, sum(self._client().nthreads().values()))

    def start(self, run: RunFolder, slot: int, lock: FileLock) -> None:
        """Hand the run over; the worker takes hold of it as soon as it comes to life.

        Raises RunError if the scheduler does not answer.
        """
        del slot, lock
        from distributed import fire_and_forget

        fire_and_forget(
            self._client().submit(run_worker, str(run.path), key=_task(run), pure=False, retries=0)
        )
        # The scheduler learns of it a moment later, and until then the run would seem to have no owner.
        deadline = time.monotonic() + _SCHEDULER_TIMEOUT_S
        while not self.is_on_its_way(run) and time.monotonic() < deadline:
            threading.Event().wait(0.01)

    def is_on_its_way(self, run: RunFolder) -> bool:
        """Whether the scheduler still has the run's task."""
        return bool(self._client().run_on_scheduler(_has_task, key=_task(run)))

    def prepare(self) -> None:
        """Do nothing: who may keep processes waiting on a cluster is its owner's business."""

    def _client(self) -> "Client":
        return _client(self._address)


def run_worker(folder: str) -> int:
    """Run a worker process to its end, on the machine where this is called; return its exit status."""
    run = RunFolder(Path(folder))
    with run.log_file.open("ab") as log:
        finished = subprocess.run(
            worker_command(run), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=_environment(None), start_new_session=True, check=False,
        )  # fmt: skip
    return finished.returncode


def worker_command(run: RunFolder) -> list[str]:
    """Return the command of a run's worker."""
    return [sys.executable, "-m", "lm_core.jobs.worker", str(run.path)]


def chosen_launcher() -> Launcher:
    """Return the launcher that ``LM_LAB_SCHEDULER`` asks for, by default this machine's own."""
    address = settings().scheduler
    return DaskLauncher(address) if address else ProcessLauncher()


def _environment(slot: int | None) -> dict[str, str]:
    """Return a worker's environment: our sources, one thread, and its own graphics card."""
    paths = [str(_SOURCES), os.environ.get("PYTHONPATH", "")]
    changes = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return os.environ | changes | _graphics_card(slot)


def _graphics_card(slot: int | None) -> dict[str, str]:
    """Return what a worker's environment must hold for it to see its own graphics card only."""
    cards = _cards()
    if slot is None or not cards:
        return {}
    return {"CUDA_VISIBLE_DEVICES": cards[slot], _ALL_CARDS: ",".join(cards)}


def _cards() -> list[str]:
    """Return the graphics cards that trainings may have; none if they run on something else.

    A worker sees its own card alone. It starts the next run all the same, so it is told of the
    others: by what it sees, it would count one slot and take its card for the first.
    """
    if choose_device().type != "cuda":
        return []
    known = os.environ.get(_ALL_CARDS) or os.environ.get("CUDA_VISIBLE_DEVICES")
    return known.split(",") if known else [str(card) for card in range(torch.cuda.device_count())]


def _task(run: RunFolder) -> str:
    """Return the name of this request for the run: one that the scheduler knows is not done again."""
    status = run.status()
    return f"lm-lab-{run.key}-{status.ticket}-{status.crashes}"


def _has_task(dask_scheduler: object, key: str) -> bool:
    """Run inside the scheduler."""
    task = dask_scheduler.tasks.get(key)  # type: ignore[attr-defined]
    return task is not None and task.state in ("waiting", "no-worker", "queued", "processing")


@functools.lru_cache(maxsize=4)
def _client(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise RunError(
            "LM_LAB_SCHEDULER needs Dask: pip install distributed, or unset the variable"
        ) from error
    try:
        return Client(address, timeout=_SCHEDULER_TIMEOUT_S, set_as_default=False)
    except OSError as error:
        raise RunError(
            f"the Dask scheduler at {address} does not answer: {error}. Start it, or unset"
            " LM_LAB_SCHEDULER"
        ) from error
