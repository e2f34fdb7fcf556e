"""The class rooms of this server; their database is opened when the first room is asked for."""

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from lm_core.jobs.run_folder import home
from lm_core.settings import settings

if TYPE_CHECKING:
    from lm_core.classroom.rooms import Rooms
    from lm_core.classroom.states import RoomStates

_LOCK = Lock()


class Store(NamedTuple):
    """The rooms, and their states a moment old."""

    rooms: "Rooms"
    states: "RoomStates"


def store() -> Store:
    """Return this server's.

    Raises
    ------
    DatabaseError
        If the database cannot be opened; the next call tries again.
    """
    with _LOCK:
        return _opened(settings().database_url() or f"folder:{home()}")


@lru_cache(maxsize=1)
def _opened(place: str) -> Store:
    # SQLAlchemy takes 20 MB and half a second: a server without a class never reads it.
    from lm_core.classroom.database import Database, file_url
    from lm_core.classroom.rooms import Rooms
    from lm_core.classroom.states import RoomStates

    is_folder = place.startswith("folder:")
    rooms = Rooms(Database(file_url(home()) if is_folder else place))
    return Store(rooms, RoomStates(rooms))
