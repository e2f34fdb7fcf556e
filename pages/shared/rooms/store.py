"""The class rooms of this server; their database is opened when the first room is asked for."""

import time
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from lm_core.errors import DatabaseError
from lm_core.jobs.run_folder import home
from lm_core.settings import settings

if TYPE_CHECKING:
    from lm_core.classroom.experiments import SharedExperiments
    from lm_core.classroom.guidance import Guidance
    from lm_core.classroom.presence import Presence
    from lm_core.classroom.records import AskedQuestion
    from lm_core.classroom.rooms import Rooms
    from lm_core.classroom.states import RoomStates

_LOCK = Lock()


_BELIEVED_S = 5.0
"""How long a database counts as out of reach, so that pages do not wait for it one after the other."""


class _Refusal(NamedTuple):
    error: DatabaseError
    until: float


_REFUSALS: dict[str, _Refusal] = {}


class Store(NamedTuple):
    """The rooms, their states a moment old, who has a page open, what they experiment on, how they are guided."""

    rooms: "Rooms"
    states: "RoomStates"
    presence: "Presence"
    experiments: "SharedExperiments"
    guidance: "Guidance"


def store() -> Store:
    """Return this server's.

    Raises DatabaseError if the database cannot be opened; after a few seconds the next call tries
    again.
    """
    place = settings().database_url() or f"folder:{home()}"
    with _LOCK:
        refusal = _REFUSALS.get(place)
        if refusal is not None and time.monotonic() < refusal.until:
            raise refusal.error
        try:
            return _opened(place)
        except DatabaseError as error:
            _REFUSALS.clear()
            _REFUSALS[place] = _Refusal(error, time.monotonic() + _BELIEVED_S)
            raise


def forget_outdated() -> None:
    """Delete the rooms whose answers are no longer kept; where none was ever opened, no database is.

    Raises DatabaseError if the database cannot be opened or refuses.
    """
    if settings().database_url() or any(home().glob("*.sqlite")):
        store().rooms.forget_outdated()


@lru_cache(maxsize=512)
def answers_to(rooms: "Rooms", question_id: int, removed_count: int) -> tuple[str, ...]:
    """Return what has been answered to a revealed question; it changes when somebody is removed alone.

    Raises RoomError if it has not been revealed.
    """
    del removed_count
    return tuple(rooms.answers(question_id))


@lru_cache(maxsize=2_048)
def last_revealed(
    rooms: "Rooms", code: str, page: str, name: str, revealed_count: int
) -> "AskedQuestion | None":
    """Return the last revealed question about a page's own prediction; another reveal asks anew."""
    del revealed_count
    return rooms.last_revealed(code, page, name)


@lru_cache(maxsize=1)
def _opened(place: str) -> Store:
    # SQLAlchemy takes 20 MB and half a second: a server without a class never reads it.
    from lm_core.classroom.database import Database, file_url
    from lm_core.classroom.experiments import SharedExperiments
    from lm_core.classroom.guidance import Guidance
    from lm_core.classroom.presence import Presence
    from lm_core.classroom.rooms import Rooms
    from lm_core.classroom.states import RoomStates

    is_folder = place.startswith("folder:")
    database = Database(file_url(home()) if is_folder else place)
    rooms = Rooms(database)
    experiments, guidance = SharedExperiments(database), Guidance(database)
    return Store(rooms, RoomStates(rooms), Presence(rooms), experiments, guidance)
