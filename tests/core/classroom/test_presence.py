"""Open pages are written for a whole class at once."""

import pytest

from lm_core.classroom.presence import WRITTEN_EVERY_S, Presence


class NotedRooms:
    """Rooms that keep what is noted of them."""

    def __init__(self) -> None:
        self.noted = []

    def note_seen(self, code, members):
        self.noted.append((code, sorted(members)))


@pytest.fixture
def rooms():
    return NotedRooms()


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def presence(rooms, now):
    return Presence(rooms, clock=lambda: now[0])


def test_a_class_that_looks_all_the_time_is_written_once_in_a_while(presence, rooms, now):
    for second in range(17):
        now[0] = 100.0 + second
        for member in ("a", "b"):
            presence.note("KRTP", member)
    assert len(rooms.noted) == 1 + 16 // WRITTEN_EVERY_S
    assert rooms.noted[-1] == ("KRTP", ["a", "b"]) or rooms.noted[-1] == ("KRTP", ["a"])
    assert ("KRTP", ["a", "b"]) in rooms.noted


def test_each_room_is_written_by_itself(presence, rooms):
    presence.note("KRTP", "a")
    presence.note("BCDF", "b")
    assert rooms.noted == [("KRTP", ["a"]), ("BCDF", ["b"])]


def test_who_has_closed_the_page_is_not_written_again(presence, rooms, now):
    presence.note("KRTP", "a")
    now[0] += WRITTEN_EVERY_S
    presence.note("KRTP", "b")
    assert rooms.noted[-1] == ("KRTP", ["b"])
