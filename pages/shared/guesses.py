"""How often a secret may be guessed, a room opened or joined: a few times at once, then at a slow pace.

A class behind one router has one address, so nobody is refused for what others do there: who comes
when its tries are used up waits for a fixed time, and is heard then.
"""

import threading
import time
from dataclasses import dataclass, field

_MOST_ADDRESSES = 10_000
_KEPT_S = 60.0  # how long a place that was waited for is kept


@dataclass
class _Allowance:
    """So many tries at once, and another one every few seconds."""

    free: int
    every_s: float
    used_up_at: float = 0.0  # when the last of the tries so far is forgotten

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next try is allowed; 0 or less if it is now."""
        return self.used_up_at - now - (self.free - 1) * self.every_s

    def add(self, now: float) -> None:
        """Count a try."""
        latest = now + self.free * self.every_s
        self.used_up_at = min(max(self.used_up_at, now) + self.every_s, latest)


@dataclass
class Guesses:
    """Tries by address and in all; several threads may use it."""

    # free and every_s: so many tries of an address at once, then another one every so many seconds
    free: int = 5
    every_s: float = 10.0
    # free_of_all and every_s_of_all: likewise of all addresses together
    free_of_all: int = 20
    every_s_of_all: float = 2.0
    # seconds that a visitor waits whose address has no try left; then theirs counts as any other
    patience_s: float = 10.0
    apart_s: float = 0.0  # seconds between two of one address who have waited
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _by_address: dict[str, _Allowance] = field(default_factory=dict)
    _due: dict[tuple[str, str], float] = field(default_factory=dict)
    """When those who wait are heard, by address and visitor."""

    def __post_init__(self) -> None:
        self._of_all = _Allowance(self.free_of_all, self.every_s_of_all)

    def wait_s(self, address: str, visitor: str = "") -> float:
        """Return the seconds until a visitor at that address is heard; 0.0 if they are now."""
        now = time.monotonic()
        with self._lock:
            own = self._by_address.get(address)
            if self._of_all.wait_s(now) <= 0.0 and (own is None or own.wait_s(now) <= 0.0):
                self._due.pop((address, visitor), None)
                return 0.0
            return self._waited(address, visitor, now)

    def add(self, address: str) -> None:
        """Count a try of that address."""
        now = time.monotonic()
        with self._lock:
            self._forget(now)
            self._of_all.add(now)
            allowed = _Allowance(self.free, self.every_s)
            self._by_address.setdefault(address, allowed).add(now)

    def _waited(self, address: str, visitor: str, now: float) -> float:
        """Return how long a visitor still waits; who has waited is heard once."""
        self._due = {who: due for who, due in self._due.items() if now < due + _KEPT_S}
        due = self._due.get((address, visitor))
        if due is not None and now >= due:
            del self._due[address, visitor]
            return 0.0
        if due is None:
            before = [at for (at_address, _), at in self._due.items() if at_address == address]
            due = max(now + self.patience_s, max(before, default=0.0) + self.apart_s)
            if len(self._due) < _MOST_ADDRESSES:
                self._due[address, visitor] = due
        return due - now

    def _forget(self, now: float) -> None:
        """Drop the addresses whose tries are all forgotten, and of too many the oldest."""
        self._by_address = {k: v for k, v in self._by_address.items() if v.used_up_at > now}
        while len(self._by_address) >= _MOST_ADDRESSES:
            del self._by_address[next(iter(self._by_address))]
