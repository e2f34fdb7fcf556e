"""Guessing a secret: a few times at once for an address, then slowly; nobody is locked out by others."""

import pytest

from pages.shared import guesses
from pages.shared.guesses import Guesses


@pytest.fixture
def clock(monkeypatch):
    now = [5_000.0]
    monkeypatch.setattr(guesses.time, "monotonic", lambda: now[0])
    return now


def guess(tried, address, visitor=""):
    """Guess wrongly if it is allowed; return the seconds to wait if not."""
    wait_s = tried.wait_s(address, visitor)
    if not wait_s:
        tried.add(address)
    return wait_s


def test_an_address_has_five_guesses_and_then_one_every_ten_seconds(clock):
    tried = Guesses()
    assert [guess(tried, "a") for _ in range(7)] == [0.0] * 5 + [10.0] * 2
    assert guess(tried, "b") == 0.0
    clock[0] += 9.0
    assert guess(tried, "a") == pytest.approx(1.0)
    clock[0] += 1.0
    assert [guess(tried, "a") for _ in range(2)] == [0.0, 10.0]
    clock[0] += 50.0
    assert [guess(tried, "a") for _ in range(6)] == [0.0] * 5 + [10.0]


def test_all_addresses_together_are_slowed_down_too(clock):
    tried = Guesses()
    waits = [guess(tried, f"address {i}") for i in range(22)]
    assert waits == [0.0] * 20 + [10.0] * 2
    clock[0] += 2.0
    assert guess(tried, "x") == 0.0


def test_who_guesses_at_the_same_address_makes_nobody_wait_more_than_once(clock):
    tried = Guesses()
    for _ in range(600):  # a student who guesses as often as it is allowed, for ten minutes
        guess(tried, "school", "student")
        clock[0] += 1.0
    guess(tried, "school", "student")
    assert tried.wait_s("school", "teacher") == 10.0
    for _ in range(9):
        clock[0] += 1.0
        guess(tried, "school", "student")
    clock[0] += 1.0
    assert tried.wait_s("school", "teacher") == 0.0


def test_those_who_wait_at_one_address_are_heard_one_after_the_other(clock):
    tried = Guesses(apart_s=2.0)
    for _ in range(5):
        tried.add("school")
    assert [tried.wait_s("school", f"visitor {i}") for i in range(3)] == [10.0, 12.0, 14.0]
    assert tried.wait_s("school", "visitor 0") == 10.0, "to ask again is not to queue again"


def test_a_place_that_nobody_takes_is_given_up(clock):
    tried = Guesses()
    for _ in range(60):
        tried.add("school")
    tried.wait_s("school", "teacher")
    clock[0] += 9.0
    for _ in range(60):
        tried.add("school")
    clock[0] += 62.0
    for _ in range(60):
        tried.add("school")
    assert tried.wait_s("school", "teacher") == 10.0


def test_addresses_are_forgotten_with_their_guesses_and_never_too_many(clock, monkeypatch):
    monkeypatch.setattr(guesses, "_MOST_ADDRESSES", 3)
    tried = Guesses()
    for i in range(9):
        tried.add(f"address {i}")
    assert list(tried._by_address) == ["address 6", "address 7", "address 8"]
    clock[0] += 11.0
    tried.add("late")
    assert list(tried._by_address) == ["late"]
