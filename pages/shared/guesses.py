"""How often a secret may be guessed, or a room opened: a few times at once, then at a slow pace."""

import threading
import time
from dataclasses import dataclass, field

_FREE, _EVERY_S = 5, 10.0
_FREE_OF_ALL, _EVERY_S_OF_ALL = 20, 2.0
_MOST_ADDRESSES = 10_000


@dataclass
class _Allowance:
    """So many wrong guesses at once, and another one every few seconds.

    Attributes
    ----------
    free : int
    every_s : float
    used_up_at : float
        When the last of the guesses so far is forgotten.
    """

    free: int
    every_s: float
    used_up_at: float = 0.0

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next guess is allowed; 0 or less if it is now."""
        return self.used_up_at - now - (self.free - 1) * self.every_s

    def add(self, now: float) -> None:
        """Count a wrong guess."""
        self.used_up_at = max(self.used_up_at, now) + self.every_s


@dataclass
class Guesses:
    """Wrong guesses by address and in all; several threads may use it.

    An address has five, then one every ten seconds; all together have twenty, then one every two.
    Right after a wrong guess too many, a right one is refused as well.
    """

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _by_address: dict[str, _Allowance] = field(default_factory=dict)
    _of_all: _Allowance = field(default_factory=lambda: _Allowance(_FREE_OF_ALL, _EVERY_S_OF_ALL))

    def wait_s(self, address: str) -> float:
        """Return the seconds until that address may guess; 0.0 if it may now."""
        now = time.monotonic()
        with self._lock:
            own = self._by_address.get(address)
            return max(0.0, self._of_all.wait_s(now), own.wait_s(now) if own else 0.0)

    def add(self, address: str) -> None:
        """Count a wrong guess of that address."""
        now = time.monotonic()
        with self._lock:
            self._forget(now)
            self._of_all.add(now)
            self._by_address.setdefault(address, _Allowance(_FREE, _EVERY_S)).add(now)

    def _forget(self, now: float) -> None:
        """Drop the addresses whose guesses are all forgotten, and of too many the oldest."""
        self._by_address = {k: v for k, v in self._by_address.items() if v.used_up_at > now}
        while len(self._by_address) >= _MOST_ADDRESSES:
            del self._by_address[next(iter(self._by_address))]
