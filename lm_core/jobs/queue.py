"""The queue of jobs: by turns of those who ask, each served first come first, looked after by whoever looks.

No process has to live for it. What is live is in the run folders, all changes are made under one
lock on `LM_LAB_HOME`, and those of one run by its owner alone; nothing is decided by a clock or a
process number.
"""

import contextlib
from collections.abc import Iterator

from lm_core.errors import RunError
from lm_core.files import now
from lm_core.jobs import store
from lm_core.jobs.launchers import Launcher, chosen_launcher
from lm_core.jobs.locks import FileLock, take
from lm_core.jobs.records import Marker, RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder, home

_LONGEST_WAIT_S = 20.0
_MOST_CRASHES = 3


@contextlib.contextmanager
def changing_queue() -> Iterator[None]:
    """Hold the queue while it is changed, then start what can be started.

    Raises RunError if others hold it for too long, or the folder of the runs cannot be made.
    """
    lock = _lock_queue(_LONGEST_WAIT_S)
    if lock is None:
        raise RunError(f"the queue in {home()} has been busy for {_LONGEST_WAIT_S:g} s: try again")
    with lock:
        yield
        _tend(chosen_launcher())


def tend(wait_s: float = 0.0) -> None:
    """Put back the runs whose worker died, and start free workers on what is next.

    Does nothing if somebody else is at it for `wait_s` seconds.
    """
    lock = _lock_queue(wait_s)
    if lock:
        with lock:
            _tend(chosen_launcher())


def _tend(launcher: Launcher) -> None:
    busy, waiting = set(), []
    n_unknown = sum(1 for run in store.unreadable() if _has_owner(run))
    for run, status in store.live():
        lock = run.own()
        if lock is None:
            busy.add(status.slot)
            continue
        with lock:
            status = run.status()  # it may have ended just before we owned it
            if status.state is RunState.STARTING and launcher.is_on_its_way(run):
                busy.add(status.slot)
            elif status.state in (RunState.STARTING, RunState.RUNNING):
                status = _recover(run, status)
            if status.state is RunState.QUEUED:
                waiting.append(run)
    if waiting:
        free = [slot for slot in range(launcher.slots()) if slot not in busy]
        n_free = max(0, len(free) - n_unknown)
        for run, slot in zip(waiting, free[:n_free], strict=False):
            _launch(launcher, run, slot)


def _has_owner(run: RunFolder) -> bool:
    """Whether a worker is at a run, whatever its folder says: its slot is not free."""
    lock = run.own()
    if lock:
        lock.release()
    return lock is None


def _recover(run: RunFolder, status: RunStatus) -> RunStatus:
    """Decide what becomes of a run whose worker is gone without a word."""
    last = run.last_metrics()
    step = last["step"] if last else status.step
    died = f"its process died at about step {step}"
    asked = run.marker()
    if asked is Marker.CANCEL:
        return run.update(state=RunState.CANCELLED, step=step, ended_at=now())
    if asked is Marker.PAUSE or status.ticket == 0:
        message = f"{died}; resume to go on from the last saved step"
        return run.update(state=RunState.PAUSED, step=step, ended_at=now(), message=message)
    crashes = status.crashes + (asked is not Marker.REQUEUE)
    run.clear_markers()
    if crashes < _MOST_CRASHES:
        message = f"{died}; it continues from the last saved step"
        return run.update(state=RunState.QUEUED, crashes=crashes, slot=None, message=message)
    message = (
        f"{died}, {crashes} times in all; perhaps the memory ran out. Try a smaller model or batch,"
        f" or start it again; {run.log_file.name} of run {run.key} may know more"
    )
    return run.update(
        state=RunState.FAILED, step=step, crashes=crashes, ended_at=now(), message=message
    )


def _launch(launcher: Launcher, run: RunFolder, slot: int) -> None:
    lock = run.own()
    if lock is None:
        return
    with lock:
        run.update(state=RunState.STARTING, slot=slot, started_at=now())
        try:
            launcher.start(run, slot, lock)
        except OSError as error:
            message = f"no worker could be started: {error}"
            run.update(state=RunState.FAILED, ended_at=now(), message=message)


def _lock_queue(wait_s: float) -> FileLock | None:
    try:
        home().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(
            f"{home()} could not be made: {error}. Choose another folder with LM_LAB_HOME"
        ) from error
    return take(home() / "queue.lock", wait_s)
