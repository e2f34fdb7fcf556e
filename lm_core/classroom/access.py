"""Who may do what in a room: open or not, a member of it or not, a presenter or not."""

import hashlib
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from lm_core.classroom.database import Database
from lm_core.classroom.names import plain_code
from lm_core.classroom.queries import OPEN_S, find_member
from lm_core.classroom.records import Member
from lm_core.classroom.schema import ROOMS
from lm_core.errors import RoomError


class RoomAccess:
    """What everybody who reads or changes a room needs, within a transaction of theirs.

    Whoever calls is known by a string that the caller vouches for, such as the hash of a secret in
    a browser; what is kept of it is a hash that differs from room to room. Every method raises
    `RoomError` if the room is unknown, closed or expired, or this visitor may not do that.

    Parameters
    ----------
    clock : callable, returns the seconds since 1970
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self.database, self.clock = database, clock

    def is_open(self, room: sa.Row[Any]) -> bool:
        """Return whether a room of this row lets things be done in it."""
        return room.closed_at is None and self.clock() < room.opened_at + OPEN_S

    def open_room(
        self, connection: sa.Connection, code: str, *, shared: bool = False
    ) -> sa.Row[Any]:
        """Return an open room's row, locked until the end of the transaction; `shared` with such as it."""
        wanted = sa.select(ROOMS).where(ROOMS.c.code == plain_code(code))
        wanted = wanted.with_for_update(read=shared)
        room = connection.execute(wanted).one_or_none()
        if room is None:
            raise unknown_room(code)
        if not self.is_open(room):
            raise RoomError(f"room {room.code} is closed: ask your teacher for a new code")
        return room

    def led_room(self, connection: sa.Connection, code: str, visitor: str) -> sa.Row[Any]:
        """Return an open room's row, locked, if this visitor presents there."""
        room = self.open_room(connection, code)
        self.require_presenter(connection, room.code, visitor)
        return room

    def require_presenter(self, connection: sa.Connection, code: str, visitor: str) -> None:
        """Raise unless this visitor presents in a room."""
        if not self.member_of(connection, code, visitor).is_presenter:
            raise RoomError("only a presenter of this room may do that: give its passcode first")

    def member_of(self, connection: sa.Connection, code: str, visitor: str) -> Member:
        """Return who this visitor is in a room."""
        member = find_member(connection, code, hashed(code, visitor))
        if member is None:
            raise RoomError(f"you are not in room {code}: join it first")
        return member


def unknown_room(code: str) -> RoomError:
    """Return the error that there is no such room."""
    return RoomError(f"there is no room {plain_code(code)[:8] or '(none)'}: check the four letters")


def hash_of(code: str, secret: str) -> str:
    """Return what a room keeps of a secret."""
    return hashlib.sha256(f"{code}/{secret}".encode()).hexdigest()


def hashed(code: str, visitor: str) -> str:
    """Return who a visitor is in a room: nobody can tell that two rooms had the same visitor."""
    return hash_of(code, visitor)[:32]
