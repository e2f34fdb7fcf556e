"""How much of what this server keeps may be one owner's: so much at once, and more at a slow pace."""

import threading
import time
from collections.abc import Callable

_MOST_OWNERS = 20_000


class Allowances:
    """What each owner has taken lately; several threads may use it.

    Parameters
    ----------
    free : int, what an owner may take at once
    period_s : float, seconds in which all of it is given anew, evenly
    clock : callable, returns seconds
    """

    def __init__(
        self, free: int, period_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._every_s, self._clock = free, period_s / free, clock
        self._used_until: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait_s(self, owner: str) -> float:
        """Return the seconds until an owner may take one more; 0.0 if they may now."""
        used_until = self._used_until.get(owner, 0.0)
        return max(0.0, used_until - self._clock() - (self._free - 1) * self._every_s)

    def take(self, owner: str) -> None:
        """Count that an owner has taken one."""
        now = self._clock()
        with self._lock:
            if len(self._used_until) >= _MOST_OWNERS:
                self._used_until = {o: t for o, t in self._used_until.items() if t > now}
            self._used_until[owner] = max(self._used_until.get(owner, 0.0), now) + self._every_s
