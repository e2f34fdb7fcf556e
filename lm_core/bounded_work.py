"""Work on what a stranger has brought, in a process of its own that is ended when it takes too much.

A library may hold Python's interpreter while it computes, and then nobody else's page is answered. So
what strangers bring is given to another process, which the system ends after some seconds of the
processor, at some amount of memory, or, whatever it does, after some seconds by the clock. The process
waits for the next piece of work, because starting it takes a quarter of a second; one that was ended
is replaced. It sees neither the server's environment nor its files that are open.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from lm_core import errors

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH")
_LONGEST_WAIT_S = 600  # without work a process ends by itself
_NICENESS = 5
_ANSWER_BYTES = 32 << 20
_ROOT = str(Path(__file__).resolve().parents[1])
_MEMORY_ERROR = 70
_WITHOUT_MEMORY = {_MEMORY_ERROR, -signal.SIGABRT, -signal.SIGSEGV}
"""How a process ends that gets no memory: Python's error, and how libraries of Rust and C give up."""


@dataclass(frozen=True)
class Bounds:
    """What one piece of work may take."""

    processor_s: int = 2
    """Whole seconds of a processor; as the system counts, up to one less is given."""
    memory_bytes: int = 1 << 30
    """Addresses that the process may use in all; Python and numpy alone take a fifth of them."""
    wall_s: float = 30.0
    """Seconds by the clock, for the work and for waiting until its turn comes."""


class BoundedWorkers:
    """A few processes that work on what strangers have brought; several threads may use it.

    `n`: int, pieces of work that are carried out at a time; of one stranger, one at a time.
    """

    def __init__(self, n: int = 2, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._places = threading.BoundedSemaphore(n)
        self._free: list[_Worker] = []
        self._turns: defaultdict[str, _Turn] = defaultdict(_Turn)
        self._lock = threading.Lock()

    def call(self, function: str, content: bytes, whose: str = "", **settings: Any) -> Any:
        """Return what a function of this library makes of a content.

        Raises BoundsError if it takes more than it may. Raises LimitError if there is no place for
        it. Raises LMCoreError: whatever the function raises.

        Parameters
        ----------
        function : str
            As ``lm_core.module:name``. It takes the content and the settings, and returns what JSON
            can say.
        content : bytes, what the stranger has brought
        whose : str, who has brought it; the next piece of work of the same one waits for this one
        **settings
            What JSON can say.
        """
        with self._turn_of(whose), self._worker() as worker:
            return worker.call({"function": function, "settings": settings}, content)

    def close(self) -> None:
        """End the processes that wait for work."""
        with self._lock:
            while self._free:
                self._free.pop().close()

    @contextmanager
    def _turn_of(self, whose: str) -> Iterator[None]:
        with self._lock:
            turn = self._turns[whose]
            turn.waiting += 1
        try:
            if not turn.lock.acquire(timeout=self._bounds.wall_s):
                raise errors.LimitError(
                    "another file of yours is still being read: wait for it, then try again"
                )
            try:
                yield
            finally:
                turn.lock.release()
        finally:
            with self._lock:
                turn.waiting -= 1
                if not turn.waiting:
                    del self._turns[whose]

    @contextmanager
    def _worker(self) -> Iterator["_Worker"]:
        if not self._places.acquire(timeout=self._bounds.wall_s):
            raise errors.LimitError(
                "this server is busy with the files of other visitors: try again in a minute"
            )
        try:
            with self._lock:
                worker = self._free.pop() if self._free else _Worker(self._bounds)
            try:
                yield worker
            finally:
                with self._lock:
                    self._free.append(worker)
        finally:
            self._places.release()


class _Turn:
    """One stranger's turn, and how many pieces of work wait for it or have it."""

    def __init__(self) -> None:
        self.lock, self.waiting = threading.Lock(), 0


class _Worker:
    """One process; started when there is work, and again after it has ended."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, request: dict[str, Any], content: bytes) -> Any:
        """Hand over a piece of work and return its result; see `BoundedWorkers.call`."""
        process = self._running()
        is_late = threading.Event()
        clock = threading.Timer(self._bounds.wall_s, _kill, (process, is_late))
        clock.start()
        try:
            answer = _exchanged(process, json.dumps(request | {"n_bytes": len(content)}), content)
        finally:
            clock.cancel()
            clock.join()
        if answer is None:
            _kill(process)
            raise errors.BoundsError(self._why(process.wait(), is_late.is_set()))
        if "error" in answer:
            raise getattr(errors, answer["error"])(answer["message"])
        return answer["result"]

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            with self._process as process:  # closes its pipes, and waits for it
                process.kill()
            self._process = None

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self.close()
            environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
            environment |= {
                "PYTHONPATH": _ROOT,
                "OMP_NUM_THREADS": "1",
                "OPENBLAS_NUM_THREADS": "1",
            }
            environment |= {"TOKENIZERS_PARALLELISM": "false", "MALLOC_ARENA_MAX": "1"}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lm_core.bounded_work", json.dumps(vars(self._bounds))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
        return self._process

    def _why(self, status: int, is_late: bool) -> str:
        """Return what has ended a process, and what its visitor can do."""
        remedy = "take a smaller file, or a shorter text"
        if is_late:
            return (
                f"it takes more than {self._bounds.wall_s:g} seconds, so it was stopped: {remedy}"
            )
        if status == -getattr(signal, "SIGXCPU", 0):
            seconds = self._bounds.processor_s
            return (
                f"it takes more than {seconds} seconds of a processor, so it was stopped: {remedy}"
            )
        if status in _WITHOUT_MEMORY:
            most = self._bounds.memory_bytes >> 20
            return f"it takes more than {most:,} MB of memory, so it was stopped: {remedy}"
        return f"it ended the process that was reading it: {remedy}"


def _kill(process: "subprocess.Popen[bytes]", is_late: threading.Event | None = None) -> None:
    if is_late is not None:
        is_late.set()
    process.kill()


def _exchanged(
    process: "subprocess.Popen[bytes]", header: str, content: bytes
) -> dict[str, Any] | None:
    """Send a piece of work and return the answer; None if the process has ended meanwhile."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(header.encode() + b"\n" + content)
        process.stdin.flush()
        line = process.stdout.readline(_ANSWER_BYTES)
    except OSError:
        return None
    return json.loads(line) if line.endswith(b"\n") else None


def _serve(bounds: Bounds, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Carry out one piece of work after another, until nobody is left who could bring more."""
    _bound_memory(bounds.memory_bytes)
    while True:
        _end_after(_LONGEST_WAIT_S)
        header = requests.readline()
        if not header:
            return
        request = json.loads(header)
        content = requests.read(request["n_bytes"])
        _end_after(0)
        _bound_processor(bounds.processor_s)
        answers.write(json.dumps(_answer(request, content)).encode() + b"\n")
        answers.flush()


def _answer(request: Mapping[str, Any], content: bytes) -> dict[str, Any]:
    module, name = request["function"].split(":")
    assert module.startswith("lm_core.")
    try:
        result = getattr(importlib.import_module(module), name)(content, **request["settings"])
    except errors.LMCoreError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        sys.exit(_MEMORY_ERROR)
    return {"result": result}


if sys.platform == "win32":  # which has the clock alone

    def _bound_memory(memory_bytes: int) -> None: ...

    def _bound_processor(processor_s: int) -> None: ...

    def _end_after(seconds: int) -> None: ...

else:
    import resource

    def _bound_memory(memory_bytes: int) -> None:
        os.nice(_NICENESS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    def _bound_processor(processor_s: int) -> None:
        """Let the system end this process after so many seconds more of a processor."""
        times = resource.getrusage(resource.RUSAGE_SELF)
        used = int(times.ru_utime + times.ru_stime)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (used + processor_s, hard))

    def _end_after(seconds: int) -> None:
        """Let the system end this process after so many seconds by the clock; 0 for never."""
        signal.alarm(seconds)


if __name__ == "__main__":
    _serve(Bounds(**json.loads(sys.argv[1])), sys.stdin.buffer, sys.stdout.buffer)
