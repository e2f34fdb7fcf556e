from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from lm_core.classroom.states import FRESH_S, REFUSED_S, RoomStates
from lm_core.errors import DatabaseError, RoomError


class CountedRooms:
    """Rooms whose state is how often it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def state(self, code):
        if code == "NONE":
            raise RoomError("there is no room NONE")
        self.asked += 1
        return f"{code} {self.asked}"


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def rooms():
    return CountedRooms()


@pytest.fixture
def seconds():
    return Seconds()


@pytest.fixture
def states(rooms, seconds):
    return RoomStates(rooms, clock=seconds)


def test_a_state_is_believed_for_a_moment(states, seconds):
    assert states.state("KRTP") == states.state("KRTP") == "KRTP 1"
    seconds.now = FRESH_S / 2
    assert states.state("KRTP") == "KRTP 1"
    seconds.now = FRESH_S
    assert states.state("KRTP") == "KRTP 2"


def test_each_room_has_its_own(states):
    assert [states.state("KRTP"), states.state("BCDF")] == ["KRTP 1", "BCDF 2"]


def test_what_this_process_has_changed_is_asked_for_anew(states):
    states.state("KRTP")
    states.forget("KRTP")
    assert states.state("KRTP") == "KRTP 2"
    states.forget("BCDF")  # of which nothing is known


def test_an_unknown_room_stays_unknown(states, rooms):
    for _ in range(2):
        with pytest.raises(RoomError):
            states.state("NONE")
    assert rooms.asked == 0


def test_the_codes_that_visitors_try_do_not_fill_the_memory(states, rooms):
    for i in range(5_000):
        states.state(f"{i}")
    assert len(states._kept) <= 2_000
    assert states.state("4999") == "4999 5000"


def test_all_who_look_at_once_ask_the_database_once(rooms):
    together = Barrier(20)
    states = RoomStates(rooms, fresh_s=60.0)

    def look(_):
        together.wait(timeout=30)
        return states.state("KRTP")

    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(look, range(20))) == {"KRTP 1"}


def test_a_state_read_before_a_change_is_not_kept_after_it(rooms):
    """One thread is still reading what another has changed and forgotten meanwhile."""
    reading, changed = Event(), Event()
    states = RoomStates(rooms, fresh_s=60.0)
    read = rooms.state

    def slowly(code):
        state = read(code)
        reading.set()
        changed.wait(timeout=30)
        return state

    rooms.state = slowly
    with ThreadPoolExecutor(1) as pool:
        before = pool.submit(states.state, "KRTP")
        reading.wait(timeout=30)
        states.forget("KRTP")
        changed.set()
        assert before.result(timeout=30) == "KRTP 1"
        assert states.state("KRTP") == "KRTP 2"


def test_a_database_out_of_reach_is_asked_once_for_all_who_look(states, rooms, seconds):
    def refuse(code):
        rooms.asked += 1
        raise DatabaseError("no answer")

    read, rooms.state = rooms.state, refuse
    for _ in range(30):
        with pytest.raises(DatabaseError):
            states.state("KRTP")
    assert rooms.asked == 1
    rooms.state = read
    seconds.now = REFUSED_S
    assert states.state("KRTP") == "KRTP 2"
