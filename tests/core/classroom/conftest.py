import pytest

from lm_core.classroom.database import Database, file_url
from lm_core.classroom.rooms import Rooms
from tests.core.classroom.postgresql import running_cluster


@pytest.fixture(scope="session")
def postgresql():
    """A server of this process's own, so that the processes of one run do not meet."""
    with running_cluster(fsync="off") as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database."""
    if request.param == "sqlite":
        return file_url(tmp_path)
    return request.getfixturevalue("postgresql").emptied_url()


@pytest.fixture
def database(url):
    database = Database(url)
    yield database
    database.close()


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(database, clock):
    return Rooms(database, clock)


@pytest.fixture
def room(rooms):
    """An open room, whose presenter is "teacher"."""
    return rooms.open("teacher")
