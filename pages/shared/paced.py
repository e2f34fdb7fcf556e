"""Long computations in pieces: some seconds of the processor at a click, and more at the next.

Whoever asks for the dearest result of a page must not have the server for a minute. Each piece is
bounded in processor time, which a busy machine does not change; a visitor sees what there is so far.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.turns import page_turns

Record = TypeVar("Record")

BUDGET_S = 1.0
"""Seconds of the processor at a click; drawing the rest of the page takes up to as much again."""


class Paced(Generic[Record]):
    """The records of a long computation, as many as have been asked for; several threads may use it.

    Parameters
    ----------
    records : iterator, computes them, one after another
    most : int, so many they are, or fewer: after the last nothing is left to go on with
    clock : callable, returns seconds; by default of the processor, in this thread
    """

    def __init__(
        self, records: Iterator[Record], most: int, clock: Callable[[], float] = time.thread_time
    ) -> None:
        self.found: list[Record] = []
        self._most, self._is_exhausted = most, False
        self._error: LMCoreError | None = None
        self._records, self._clock, self._lock = records, clock, threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether all has been computed."""
        return self._is_exhausted or len(self.found) == self._most

    def go_on(
        self, budget_s: float = BUDGET_S, told: Callable[[int], object] = lambda n: None
    ) -> None:
        """Compute until the next record would exceed the budget; one at least.

        Raises LMCoreError: whatever computing a record raises.

        `told`: callable, given the number of records after each; may end the computation by an exception.
        """
        with self._lock:
            started = before = self._clock()
            longest = 0.0
            while not self.is_over and before - started + longest <= budget_s:
                record = self._next()
                if record is None:
                    self._is_exhausted = True
                    return
                self.found.append(record)
                told(len(self.found))
                now = self._clock()
                longest, before = max(longest, now - before), now

    def _next(self) -> Record | None:
        """Return the next record, None at the end; an error is that of every later call, too."""
        if self._error is not None:
            raise self._error
        try:
            with page_turns.lent():
                return next(self._records, None)
        except LMCoreError as error:
            self._error = error
            raise


def more_of(paced: "Paced[Record]", what: str, key: str) -> bool:
    """Say that there is more to compute, and return whether the visitor wants it; draw it below the picture.

    Parameters
    ----------
    what : str, what has been computed so far, as in ``17 of 50 restarts``
    key : str, of the button, unique on the page
    """
    if paced.is_over:
        return False
    st.caption(
        f"These are {what}. After about a second the computation pauses, so that the pages of others"
        " are answered meanwhile."
    )
    return st.button("Go on", icon=":material/play_arrow:", key=key)
