"""The votes of everybody on this server, kept as long as it runs."""

import threading
from dataclasses import dataclass, field

import streamlit as st

from lm_core.experiments.preferences.votes import FOR_VOTES, MOST_VOTES, Vote

MOST_VISITORS = 200
_SKIPPED = -1


@dataclass
class ClassVotes:
    """Judged pairs by visitor, in the order of their votes; several threads may use it.

    A visitor sees the pairs in one order and judges each once, or skips it. Beyond `MOST_VISITORS` the one
    who came first is forgotten.
    """

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _sides: dict[str, list[int]] = field(default_factory=dict)

    def next_pair(self, visitor: str) -> int | None:
        """Return the pair that a visitor has to judge next; None when all are judged."""
        with self._lock:
            n = len(self._sides.get(visitor, ()))
        return n if n < FOR_VOTES else None

    def cast(self, visitor: str, pair: int, side: int | None) -> None:
        """Take in a vote, None for a pair that is skipped; one that comes twice counts once."""
        with self._lock:
            sides = self._sides.setdefault(visitor, [])
            if pair == len(sides) < FOR_VOTES:
                sides.append(_SKIPPED if side is None else int(bool(side)))
            while len(self._sides) > MOST_VISITORS:
                del self._sides[next(iter(self._sides))]

    def undo(self, visitor: str) -> None:
        """Take a visitor's last vote back."""
        with self._lock:
            if sides := self._sides.get(visitor):
                sides.pop()

    def of(self, visitor: str) -> tuple[Vote, ...]:
        """Return a visitor's votes, skipped pairs left out."""
        with self._lock:
            return _votes(self._sides.get(visitor, []))

    def of_all(self) -> tuple[Vote, ...]:
        """Return everybody's votes, at most `MOST_VOTES`."""
        with self._lock:
            together = [vote for sides in self._sides.values() for vote in _votes(sides)]
        return tuple(together[:MOST_VOTES])

    def n_visitors(self) -> int:
        """Return how many have voted."""
        with self._lock:
            return sum(map(bool, self._sides.values()))

    def clear(self) -> None:
        """Forget all votes."""
        with self._lock:
            self._sides.clear()


def _votes(sides: list[int]) -> tuple[Vote, ...]:
    return tuple((pair, side) for pair, side in enumerate(sides) if side != _SKIPPED)


@st.cache_resource(max_entries=1, show_spinner=False)
def class_votes() -> ClassVotes:
    """Return this server's votes."""
    return ClassVotes()
