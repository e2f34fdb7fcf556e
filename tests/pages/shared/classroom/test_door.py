"""The door of a room: a class comes in within a minute, codes are not guessed, nobody locks others out."""

import pytest

from lm_core.errors import RoomError, WaitError
from pages.shared import guesses
from pages.shared.classroom import door
from pages.shared.rooms.store import store
from tests.pages.shared.classroom.people import opened, visitor


@pytest.fixture
def clock(monkeypatch):
    now = [5_000.0]
    monkeypatch.setattr(guesses.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture(autouse=True)
def a_new_door(monkeypatch):
    """Nobody has come to it so far; who comes in is no visit of Streamlit's."""
    for name in ("_WRONG_CODES", "_JOINS"):
        known = getattr(door, name)
        fields = ("free", "every_s", "free_of_all", "every_s_of_all", "patience_s", "apart_s")
        fresh = guesses.Guesses(**{field: getattr(known, field) for field in fields})
        monkeypatch.setattr(door, name, fresh)
    monkeypatch.setattr(door, "_FAMILIAR", type(door._FAMILIAR)())
    monkeypatch.setattr(door, "address", lambda: "school")
    monkeypatch.setattr(door, "enter", lambda code, who, member: member)


@pytest.fixture
def room():
    return opened()


def try_codes(n, clock, step_s=0.0):
    """Try so many codes that no room has; return how many were looked up."""
    looked_up = 0
    for i in range(n):
        try:
            door.come_in("ZZZZ", visitor(f"guesser {i}"))
        except WaitError:
            pass
        except RoomError:
            looked_up += 1
        clock[0] += step_s
    return looked_up


def test_a_whole_class_behind_one_router_comes_in_at_once(room, clock):
    for i in range(40):
        door.come_in(room.code, visitor(f"student {i}"))
    assert store().rooms.state(room.code).member_count == 40


def test_one_client_does_not_fill_a_room(room, clock):
    joined = 0
    for i in range(540):  # ten a second, for 54 s
        try:
            door.come_in(room.code, visitor(f"crowd {i}"))
            joined += 1
        except WaitError:
            pass
        clock[0] += 0.1
    assert 40 <= joined <= 40 + 2 * 54 / 3


def test_who_waits_at_the_door_is_let_in(room, clock):
    for i in range(40):
        door.come_in(room.code, visitor(f"student {i}"))
    with pytest.raises(WaitError):
        door.come_in(room.code, visitor("late"))
    clock[0] += 3.0
    assert door.come_in(room.code, visitor("late")).alias


def test_codes_are_not_guessed(clock):
    assert try_codes(600, clock, step_s=0.1) <= 20 + 2 * 60 / 2


def test_all_addresses_together_do_not_guess_codes(clock, monkeypatch):
    looked_up = 0
    for i in range(300):
        monkeypatch.setattr(door, "address", lambda i=i: f"address {i}")
        looked_up += try_codes(1, clock)
    assert looked_up == 60


def test_who_guesses_codes_keeps_no_classmate_out(room, clock):
    door.come_in(room.code, visitor("first student"))
    try_codes(100, clock)
    assert door.come_in(room.code, visitor("second student")).alias
    assert door.come_in(room.code, visitor("first student")).alias


def test_a_right_code_from_an_address_of_wrong_ones_waits_and_is_looked_up(room, clock):
    try_codes(30, clock)
    with pytest.raises(WaitError, match="looked up in"):
        door.come_in(room.code, visitor("stranger"))
    clock[0] += 60.0
    assert door.come_in(room.code, visitor("stranger")).alias


@pytest.mark.parametrize("code", ["", "  ", "-"])
def test_no_code_is_said_to_be_none(code, clock):
    with pytest.raises(RoomError, match="type the one that your teacher shows"):
        door.come_in(code, visitor("student"))
