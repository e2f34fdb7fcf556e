"""Whose turn it is: the scripts of several visitors run one after the other.

Python runs one thread at a time anyway. Left to themselves, the scripts of thirty visitors interrupt
each other at every message and queue for Streamlit's settings, which every message reads: each then
takes as long as all of them. In turns, each takes as long as it takes alone
(``python -m tests.benchmarks.visitors``). While one computes for long, the others have their turns.
"""

import functools
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, get_ident
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from pages.shared.ui.messages import errors_in_place

P = ParamSpec("P")
R = TypeVar("R")

_SHORT_S = 0.03
"""Seconds that a computation may take in a turn, and a turn's length from the first longer one on."""


class Turns:
    """A lock for short work, served in order of arrival, which nobody can keep for long.

    A thread that has not given its turn back after `lease_s` seconds goes on without it while the
    next one begins: who computes, loads a file or waits for long holds up nobody beyond that.

    `lease_s`: float, seconds.
    """

    def __init__(self, lease_s: float) -> None:
        self.lease_s = lease_s
        self._lock = Lock()
        self._queue: deque[Condition] = deque()
        self._leases: dict[int, float] = {}
        self._holder: int | None = None
        self._held_since = self._held_until = 0.0

    @property
    def is_mine(self) -> bool:
        """Whether the calling thread has its turn."""
        return self._holder == get_ident()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for this thread's turn, and keep it for the block; within such a block, just go on."""
        thread = get_ident()
        if thread in self._leases:
            yield
            return
        self._leases[thread] = self.lease_s
        try:
            self._take()
            yield
        finally:
            del self._leases[thread]
            self._give_back()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Put this around a computation: while a long one lasts, others have their turns."""
        self.lend()
        try:
            yield
        finally:
            self.take_back()

    def lend(self, after_s: float = _SHORT_S) -> None:
        """Let the others have their turns, unless this thread takes its own back within `after_s` seconds."""
        with self._lock:
            if self.is_mine:
                self._held_until = min(self._held_until, time.monotonic() + after_s)
                self._call_next()

    def take_back(self) -> None:
        """Go on with the turn that was lent, or queue again, for a short one, where others have theirs."""
        thread = get_ident()
        with self._lock:
            if self.is_mine:
                self._held_until = self._held_since + self._leases[thread]
                return
        if thread in self._leases:
            self._leases[thread] = min(_SHORT_S, self.lease_s)
            self._take()

    def _take(self) -> None:
        with self._lock:
            called = Condition(self._lock)
            self._queue.append(called)
            while self._queue[0] is not called or not self._is_free():
                # The first in the queue also wakes by itself, when the lease runs out.
                is_first = self._queue[0] is called
                called.wait(self._held_until - time.monotonic() if is_first else None)
            self._queue.popleft()
            self._holder = get_ident()
            self._held_since = time.monotonic()
            self._held_until = self._held_since + self._leases[get_ident()]
            self._call_next()

    def _is_free(self) -> bool:
        return self._holder is None or time.monotonic() >= self._held_until

    def _give_back(self) -> None:
        with self._lock:
            if self.is_mine:
                self._holder = None
                self._call_next()

    def _call_next(self) -> None:
        if self._queue:
            self._queue[0].notify()


page_turns = Turns(lease_s=0.25)  # one for every run of a page or of a fragment, in this process


class ModelCalls:
    """Held for one call of a model at a time, never for a whole text.

    Thirty visitors who generate at once then take as long as before together, and everybody else's
    page still answers: who waits for a model, or whose call takes long, lends the others their turn.
    """

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        if self._lock.acquire(blocking=False):
            page_turns.lend()
        else:
            page_turns.lend(after_s=0.0)
            self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._lock.release()
        page_turns.take_back()

    def locked(self) -> bool:
        """Return whether a model is being called just now."""
        return self._lock.locked()


model_calls = ModelCalls()

_AFTER: list[Callable[[], None]] = []


def after_fragments(act: Callable[[], None]) -> None:
    """Have something done at the end of each fragment, while it counts as being drawn."""
    _AFTER.append(act)


def fragment(function: Callable[P, R], **settings: Any) -> Callable[P, R | None]:
    """Return ``st.fragment(function, **settings)``, whose runs by themselves take turns as well.

    An error raised on purpose is shown in its place, and the rest of the page is drawn.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R | None:
        result = None
        with page_turns.taken(), errors_in_place():
            result = function(*args, **kwargs)
        for act in _AFTER:
            act()
        return result

    fragmented: Callable[P, R | None] = st.fragment(run, **settings)
    return fragmented
