"""The simulation of a class at one replica, against what queueing theory knows exactly."""

import math

import pytest

from tests.benchmarks.queueing import largest_class, waits

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
    waited = waits(students, exponential(THINK_S), exponential(SERVICE_S), 60_000, seed=1)
    assert sum(waited) / len(waited) == pytest.approx(mean_answer_s(students), rel=0.04)


def test_alone_one_waits_for_nobody():
    waited = waits(1, lambda _: 3.0, lambda _: 0.25, 50, seed=1)
    assert waited == pytest.approx([0.25] * 50)


def test_two_servers_serve_two_at_once():
    waited = waits(2, lambda _: 3.0, lambda _: 0.25, 50, seed=1, servers=2)
    assert waited == pytest.approx([0.25] * 50)


def test_a_class_is_as_large_as_its_patience():
    """Of students who all move at once, the last but a twentieth waits for all before."""
    think, service = (lambda _: 1e-6), (lambda _: 0.1)
    assert largest_class(0.55, think, service, moves=2_000) == 5
    assert largest_class(1.05, think, service, moves=2_000) == 10
