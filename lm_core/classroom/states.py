"""What rooms are like just now, asked of the database a few times a second for all who look."""

import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from lm_core.classroom.records import RoomState
from lm_core.classroom.rooms import Rooms

FRESH_S = 0.1
_MOST_KEPT = 2_000


class _Kept(NamedTuple):
    state: RoomState
    until: float


class RoomStates:
    """The states of rooms, each at most a moment old; several threads may use it.

    Fifty phones that ask whether something has changed then cost as much as one.

    Parameters
    ----------
    rooms : Rooms
    fresh_s : float
        Seconds for which a state is believed.
    clock : callable
        Returns seconds that never jump.
    """

    def __init__(
        self, rooms: Rooms, fresh_s: float = FRESH_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rooms, self._fresh_s, self._clock = rooms, fresh_s, clock
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()

    def state(self, code: str) -> RoomState:
        """Return what a room was like a moment ago, or is.

        Raises
        ------
        RoomError
            If there is no such room.
        DatabaseError
            If the database does not answer.
        """
        now = self._clock()
        kept = self._kept.get(code)
        if kept is not None and now < kept.until:
            return kept.state
        state = self._rooms.state(code)
        with self._lock:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[code] = _Kept(state, now + self._fresh_s)
        return state

    def forget(self, code: str) -> None:
        """Ask the database the next time: this process has changed the room."""
        with self._lock:
            self._kept.pop(code, None)
