"""A worker process that waits for a run, with all that is slow about a process behind it.

Starting Python, importing torch and a first training step take seconds; a class that has just
pressed a button sees nothing meanwhile. A prewarmed worker has done all that. It is a child of whoever
made it, waits at the other end of a socket, and ends when that end is closed, when nothing has come
for some minutes, or when it has carried out the one run that it was given.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import torch

from lm_core.jobs.locks import FileLock, adopt
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.training.language_modelling import Training, TrainingConfig

_LONGEST_WAIT_S = 600.0
_ANSWER_S = 1.0
_MESSAGE_BYTES = 65_536
_READY, _TAKEN = b"r", b"t"


class PrewarmedWorker:
    """At most one waiting process; several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether there is a process to hand a run to."""
        return self._process is not None and self._process.poll() is None

    def prepare(self, environment: Mapping[str, str]) -> None:
        """Start one, unless one waits already; returns at once.

        Raises OSError if the process cannot be started.
        """
        with self._lock:
            if self.is_waiting:
                return
            self._let_go()
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "lm_core.jobs.worker",
                        "--prewarmed",
                        str(theirs.fileno()),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=dict(environment),
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            self._socket = ours

    def hand_over(
        self, run: RunFolder, lock: FileLock, changes: Mapping[str, str]
    ) -> "subprocess.Popen[bytes] | None":
        """Give the waiting process a run and the lock on it; return it, or None if none was ready.

        Parameters
        ----------
        lock : FileLock, the caller's, which keeps its own handle of it
        changes : mapping of str to str, to the process's environment
        """
        with self._lock:
            process, connection = self._process, self._socket
            if process is None or connection is None or not _is_ready(connection):
                return None
            self._process = self._socket = None
        with connection:
            connection.settimeout(_ANSWER_S)
            message = json.dumps({"folder": str(run.path), "environment": dict(changes)}).encode()
            with contextlib.suppress(OSError):
                socket.send_fds(connection, [message], [lock.fileno()])
                if connection.recv(1) + connection.recv(1) == _READY + _TAKEN:
                    return process
        # Whoever did not answer may still read the message: it must not share the run with another.
        process.kill()
        process.wait()
        return None

    def _let_go(self) -> None:
        if self._socket:
            self._socket.close()
        if self._process:
            self._process.wait()
        self._process = self._socket = None


def _is_ready(connection: socket.socket) -> bool:
    """Whether the process has said that it waits; the word stays where it is."""
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == _READY
    except BlockingIOError:
        return False


def wait_for_run(descriptor: int) -> tuple[RunFolder, FileLock] | None:
    """Be the prewarmed worker: get warm, then wait; return the run and the lock on it, or None to end.

    `descriptor`: int, of the socket's other end, inherited.
    """
    with socket.socket(fileno=descriptor) as connection:
        _train_a_little()
        connection.settimeout(_LONGEST_WAIT_S)
        try:
            connection.sendall(_READY)
            message, descriptors, _, _ = socket.recv_fds(connection, _MESSAGE_BYTES, 1)
        except OSError:
            return None  # nothing came, or whoever made us is gone
        if not message:
            return None
        given = json.loads(message)
        run, lock = RunFolder(Path(given["folder"])), adopt(descriptors[0])
        os.environ.update(given["environment"])
        with run.log_file.open("ab") as log:
            os.dup2(log.fileno(), sys.stdout.fileno())
            os.dup2(log.fileno(), sys.stderr.fileno())
        connection.sendall(_TAKEN)
    return run, lock


def _train_a_little() -> None:
    """Take one step of a tiny training: the first one in a process loads much that later ones share."""
    config = TrainingConfig(steps=1, batch=1, window=2, dtype="bfloat16")
    Training(
        build(LSTMLanguageModelConfig(2, 2, 2, 1)), torch.zeros(8, dtype=torch.int64), config
    ).take_step()
