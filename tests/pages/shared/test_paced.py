"""A long computation comes in pieces of bounded length, and loses nothing between them."""

import pytest

from lm_core.errors import PointsError
from pages.shared.paced import Paced


class Clock:
    """A processor on which each record takes what it says."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def records(self, *seconds):
        for number, taken in enumerate(seconds):
            self.now += taken
            yield number


def paced(*seconds):
    clock = Clock()
    return clock, Paced(clock.records(*seconds), len(seconds), clock)


def test_a_piece_ends_before_the_record_that_would_exceed_it():
    clock, work = paced(*[0.4] * 10)
    work.go_on(1.5)
    assert (work.found, clock.now) == ([0, 1, 2], pytest.approx(1.2))
    while not work.is_over:
        before = clock.now
        work.go_on(1.5)
        assert clock.now - before <= 1.5
    assert work.found == list(range(10))


def test_a_record_dearer_than_the_budget_is_computed_alone():
    _, work = paced(2.0, 2.0)
    work.go_on(1.5)
    assert work.found == [0]
    work.go_on(1.5)
    assert work.found == [0, 1]


def test_nothing_is_left_after_the_last_record_and_what_is_over_stays_over():
    _, work = paced(0.1, 1.0)
    work.go_on(1.1)  # with no time left to look whether there is a third
    assert work.is_over
    work.go_on(1.5)
    assert (work.found, work.is_over) == ([0, 1], True)


def test_fewer_records_than_there_might_be_end_the_work():
    work = Paced(iter([1]), 2)
    work.go_on()
    assert (work.found, work.is_over) == ([1], True)


def test_an_error_is_told_to_everybody_who_asks():
    def records():
        yield 1
        raise PointsError("too few")

    work = Paced(records(), 2)
    for _ in range(2):
        with pytest.raises(PointsError, match="too few"):
            work.go_on()
    assert work.found == [1]
    assert not work.is_over


def test_who_is_interrupted_keeps_what_there_is():
    def stop(n):
        raise KeyboardInterrupt

    _, work = paced(0.1, 0.1)
    with pytest.raises(KeyboardInterrupt):
        work.go_on(told=stop)
    work.go_on()
    assert work.found == [0, 1]
