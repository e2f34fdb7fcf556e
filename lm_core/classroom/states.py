"""What rooms are like just now, asked of the database a few times a second for all who look."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from lm_core.classroom.records import RoomState
from lm_core.classroom.rooms import Rooms
from lm_core.errors import DatabaseError

FRESH_S, REFUSED_S = 0.1, 2.0
"""How long a state is believed, and how long that there is none to be had."""
_MOST_KEPT = 2_000


@dataclass
class _Kept:
    """A state or why there is none, and the lock under which one thread asks while the others wait."""

    state: RoomState | DatabaseError | None = None
    until: float = 0.0
    lock: Lock = field(default_factory=Lock)


class RoomStates:
    """The states of rooms, each at most a moment old; several threads may use it.

    Fifty phones that ask whether something has changed then cost as much as one.

    Parameters
    ----------
    fresh_s : float, seconds for which a state is believed
    clock : callable, returns seconds that never jump
    """

    def __init__(
        self, rooms: Rooms, fresh_s: float = FRESH_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rooms, self._fresh_s, self._clock = rooms, fresh_s, clock
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()

    def state(self, code: str) -> RoomState:
        """Return what a room was like a moment ago, or is.

        Raises RoomError if there is no such room, and DatabaseError if the database does not
        answer.
        """
        with self._lock:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            kept = self._kept.setdefault(code, _Kept())
        with kept.lock:
            now = self._clock()
            if kept.state is None or now >= kept.until:
                try:
                    kept.state, kept.until = self._rooms.state(code), now + self._fresh_s
                except DatabaseError as error:
                    # A database that is out of reach may take seconds to say so: not to each phone.
                    kept.state, kept.until = error, self._clock() + REFUSED_S
            if isinstance(kept.state, DatabaseError):
                raise kept.state
            return kept.state

    def forget(self, code: str) -> None:
        """Ask the database the next time: this process has changed the room."""
        with self._lock:
            self._kept.pop(code, None)
