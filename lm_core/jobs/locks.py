"""A lock on a file, held for as long as a process lives and no longer.

The kernel lets go of it when its holder ends, however it ends: no stale process number, no missed
heartbeat and no clock can make a dead owner look alive or a living one dead. A process that is
started with the lock's file open holds it too, so a run has no moment without an owner.
"""

import os
import threading
import time
from pathlib import Path
from types import TracebackType

from lm_core.errors import RunError

try:
    import fcntl
except ImportError:  # Windows has no flock
    fcntl = None  # type: ignore[assignment]

_TRY_EVERY_S = 0.01


class FileLock:
    """The sole right that comes with a locked file; take one with `take`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Return the file's descriptor, for a child process to inherit."""
        return self._descriptor

    def release(self) -> None:
        """Close the file. A child that inherited it still holds the lock: it is never unlocked by hand."""
        os.close(self._descriptor)

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def adopt(descriptor: int) -> FileLock:
    """Return the lock that this process was started with, and keep it from its own children."""
    os.set_inheritable(descriptor, False)
    return FileLock(descriptor)


def take(path: Path, wait_s: float = 0.0) -> FileLock | None:
    """Lock a file, made if it is missing; None if somebody else holds it all the while.

    Two calls exclude each other whether they come from two machines, two processes or two threads.
    Raises RunError if the system has no such locks, or the file cannot be opened.

    Parameters
    ----------
    path : Path, its folder must exist
    wait_s : float, at least 0, how long to try
    """
    if fcntl is None:
        raise RunError("runs need POSIX file locks: use Linux, macOS or WSL")
    deadline = time.monotonic() + wait_s
    while True:
        lock = _try(path)
        if lock or time.monotonic() >= deadline:
            return lock
        threading.Event().wait(_TRY_EVERY_S)


def _try(path: Path) -> FileLock | None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise RunError(f"{path} could not be opened: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            return FileLock(descriptor)
    except (BlockingIOError, FileNotFoundError):
        pass  # held by somebody, or removed between opening and locking
    os.close(descriptor)
    return None
