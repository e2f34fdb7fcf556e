"""A class at one replica, as a queue: students think, then wait for their turn."""

import heapq
import random
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

Draw = Callable[[random.Random], float]


class Client(NamedTuple):
    """Who asks a server again and again: a student's hand, or a timer of their page.

    Attributes
    ----------
    think, service : callable
        Draw the seconds between an answer and the next request, and those that serving it takes.
    is_hand : bool, whether somebody waits for the answer
    """

    think: Draw
    service: Draw
    is_hand: bool = True


def waits(clients: Sequence[Client], requests: int, seed: int, servers: int = 1) -> list[float]:
    """Simulate so many requests; return how long the hands waited, in seconds, in order of arrival.

    Parameters
    ----------
    clients : sequence of Client
    requests : int, in all
    seed : int
    servers : int, how many requests are served at once; a replica does one
    """
    chance, order = random.Random(seed), count()
    arrivals = [(client.think(chance), next(order), client) for client in clients]
    heapq.heapify(arrivals)
    free_at = [0.0] * servers
    waited = []
    for _ in range(requests):
        now, _, client = heapq.heappop(arrivals)
        answered = max(now, heapq.heappop(free_at)) + client.service(chance)
        heapq.heappush(free_at, answered)
        heapq.heappush(arrivals, (answered + client.think(chance), next(order), client))
        if client.is_hand:
            waited.append(answered - now)
    return waited


def largest_class(within_s: float, student: Sequence[Client], requests: int = 40_000) -> int:
    """Return how many students one replica bears: 95 of 100 moves are answered within that time."""
    few, many = 1, 2
    while _is_borne(many, within_s, student, requests):
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        if _is_borne(middle, within_s, student, requests):
            few = middle
        else:
            many = middle
    return few


def _is_borne(students: int, within_s: float, student: Sequence[Client], requests: int) -> bool:
    waited = sorted(waits(list(student) * students, requests, seed=students))
    return waited[int(0.95 * len(waited))] <= within_s
