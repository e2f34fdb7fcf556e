"""Who has a page open: noted at every look of a page, and written for a whole room at once."""

import time
from collections import defaultdict
from collections.abc import Callable
from threading import Lock

from lm_core.classroom.rooms import Rooms

WRITTEN_EVERY_S = 8.0
"""Rarer than pages look, and often enough that nobody counts as gone who is not."""


class Presence:
    """The open pages of this process; several threads may use it.

    A class of thirty then writes once in eight seconds and not at every look of every phone.

    Parameters
    ----------
    clock : callable, returns seconds that never jump
    """

    def __init__(self, rooms: Rooms, clock: Callable[[], float] = time.monotonic) -> None:
        self._rooms, self._clock = rooms, clock
        self._seen: defaultdict[str, set[str]] = defaultdict(set)
        self._written: dict[str, float] = {}
        self._lock = Lock()

    def note(self, code: str, member: str) -> None:
        """Note that a page of a member is open.

        Raises DatabaseError if it is time to write that down, and the database does not answer.
        """
        now = self._clock()
        with self._lock:
            self._seen[code].add(member)
            is_due = now - self._written.get(code, -WRITTEN_EVERY_S) >= WRITTEN_EVERY_S
            seen = self._seen.pop(code) if is_due else set()
            if is_due:
                self._written = {c: at for c, at in self._written.items() if now - at < 3_600}
                self._written[code] = now
        if seen:
            self._rooms.note_seen(code, seen)
