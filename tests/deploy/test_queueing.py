"""The simulation of a class at one replica, against what queueing theory knows exactly."""

import math

import pytest

from tests.benchmarks.queueing import Client, largest_class, waits

THINK_S, SERVICE_S = 3.0, 0.2


def exponential(mean):
    return lambda chance: chance.expovariate(1 / mean)


def mean_answer_s(students):
    """Return the mean time to an answer in a closed queue, by the exact probability of an idle server."""
    load = SERVICE_S / THINK_S
    idle = 1 / sum(math.perm(students, n) * load**n for n in range(students + 1))
    return students * SERVICE_S / (1 - idle) - THINK_S


@pytest.mark.parametrize("students", [1, 10, 15, 30])
def test_the_mean_is_that_of_the_closed_queue(students):
    student = Client(exponential(THINK_S), exponential(SERVICE_S))
    waited = waits([student] * students, 60_000, seed=1)
    assert sum(waited) / len(waited) == pytest.approx(mean_answer_s(students), rel=0.04)


@pytest.mark.parametrize(("students", "servers"), [(1, 1), (2, 2)])
def test_who_has_a_server_alone_waits_for_nobody(students, servers):
    student = Client(lambda _: 3.0, lambda _: 0.25)
    waited = waits([student] * students, 50, seed=1, servers=servers)
    assert waited == pytest.approx([0.25] * 50)


def test_nobody_waits_for_a_timer_but_it_takes_its_time():
    """A timer that comes while a hand is served, and one before it."""
    hand, timer = Client(lambda _: 3.0, lambda _: 0.25), Client(lambda _: 2.9, lambda _: 0.5, False)
    assert waits([hand, timer], 2, seed=1) == pytest.approx([0.4 + 0.25])


def test_a_class_is_as_large_as_its_patience():
    """Of students who all move at once, the last but a twentieth waits for all before."""
    student = [Client(lambda _: 1e-6, lambda _: 0.1)]
    assert largest_class(0.55, student, requests=2_000) == 5
    assert largest_class(1.05, student, requests=2_000) == 10
