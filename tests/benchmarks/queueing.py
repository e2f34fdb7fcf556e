"""A class at one replica, as a queue: students think, then wait for their turn."""

import heapq
import random
from collections.abc import Callable
from itertools import count

Draw = Callable[[random.Random], float]


def waits(
    students: int, think: Draw, service: Draw, moves: int, seed: int, servers: int = 1
) -> list[float]:
    """Simulate so many moves; return the seconds from each move to its answer, in order of arrival.

    Parameters
    ----------
    students : int
        Each thinks, moves a control, and thinks again once it is answered.
    think, service : callable
        Draw the seconds of one thought and of one run of a page.
    moves : int
        In all.
    seed : int
    servers : int
        How many runs are done at once; a replica does one.
    """
    chance, order = random.Random(seed), count()
    arrivals = [(think(chance), next(order)) for _ in range(students)]
    heapq.heapify(arrivals)
    free_at = [0.0] * servers
    waited = []
    for _ in range(moves):
        now, _ = heapq.heappop(arrivals)
        answered = max(now, heapq.heappop(free_at)) + service(chance)
        heapq.heappush(free_at, answered)
        heapq.heappush(arrivals, (answered + think(chance), next(order)))
        waited.append(answered - now)
    return waited


def largest_class(within_s: float, think: Draw, service: Draw, moves: int = 20_000) -> int:
    """Return how many students one replica bears: 95 of 100 moves are answered within that time."""
    few, many = 1, 2
    while _is_borne(many, within_s, think, service, moves):
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        if _is_borne(middle, within_s, think, service, moves):
            few = middle
        else:
            many = middle
    return few


def _is_borne(students: int, within_s: float, think: Draw, service: Draw, moves: int) -> bool:
    waited = sorted(waits(students, think, service, moves, seed=students))
    return waited[int(0.95 * len(waited))] <= within_s
