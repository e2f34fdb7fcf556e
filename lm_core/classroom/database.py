"""The database of the rooms: SQLite or PostgreSQL, brought to today's tables by Alembic's migrations."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError

from lm_core.classroom.schema import METADATA
from lm_core.errors import DatabaseError

FILE_NAME = "classroom.sqlite"
_MIGRATIONS = Path(__file__).parent / "migrations"
_DRIVERS = ("sqlite", "postgresql", "postgresql+psycopg")
_WRITES = "lm_lab_writes"
_LOCK = 7_203_114  # of PostgreSQL's advisory locks, the one for migrations
_PATIENCE_S, _AGAIN_S = 10, 0.02
_NO_ANSWER = "the database of the class rooms does not answer: try again; nothing that it had confirmed is lost"
_LOG = logging.getLogger(__name__)

CONNECTIONS_KEPT, CONNECTIONS_MORE = 4, 6
"""Of a process to PostgreSQL: always, and when many ask at once. A server of it allows a hundred."""


class Database:
    """A database whose tables are today's.

    Raises DatabaseError if it is of another kind, cannot be reached, or its tables are those of a
    newer version.

    Parameters
    ----------
    url : str
        As SQLAlchemy writes them: ``sqlite:///FILE`` or ``postgresql+psycopg://USER:PASSWORD@HOST/NAME``.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._inode: int | None = None
        self._writing = self._engine.execution_options(**{_WRITES: True})
        # SQLite lets one write and has the others look again ever more rarely: here they queue.
        self._turn = None if self.is_postgresql else Lock()
        with self.writing() as connection:
            if self.is_postgresql:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            _migrate(connection)
        self._inode = self._inode_of_file()

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL, not SQLite."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Connect for a block that changes nothing.

        Raises DatabaseError if the database cannot be reached or refuses.
        """
        self._require_file()
        with _errors_named(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Connect for a block whose changes are kept all, at its end, or not at all.

        Raises DatabaseError if the database cannot be reached or refuses.
        """
        self._require_file()
        with self._own_turn(), _errors_named(), self._writing.begin() as connection:
            yield connection

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        """Wait for those who write before, as long as SQLite itself would wait for another process."""
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=_PATIENCE_S):
            raise DatabaseError(_NO_ANSWER)
        try:
            yield
        finally:
            self._turn.release()

    def _inode_of_file(self) -> int | None:
        """Return which file lies where SQLite's should; None without one, and for PostgreSQL."""
        if self.is_postgresql:
            return None
        try:
            return Path(self._engine.url.database or "").stat().st_ino
        except OSError:
            return None

    def _require_file(self) -> None:
        """Refuse to go on with a file that is gone: the system would keep it for this process alone."""
        if self._inode is not None and self._inode_of_file() != self._inode:
            raise DatabaseError(
                "the file of the class rooms was removed or replaced while this server runs, and"
                " nothing more can be kept in it: put the same file back, or restart the server"
            )

    def differences(self) -> list[object]:
        """Return in what the tables differ from `schema`; empty where the migrations are whole."""
        with self.reading() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()


def file_url(folder: Path) -> str:
    """Return the URL of the SQLite file in a folder."""
    return sa.URL.create("sqlite", database=str(folder / FILE_NAME)).render_as_string()


def _engine(url: str) -> sa.Engine:
    parsed = _parsed(url)
    if parsed.drivername != "sqlite":
        return _postgresql(parsed)
    if parsed.database in (None, "", ":memory:"):
        raise _unexpected("no file: each thread would have rooms of its own")
    return _sqlite(parsed, Path(parsed.database))


def _parsed(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        # Without its cause, which quotes the URL and with it the password.
        raise _unexpected("something that is no URL") from None
    if parsed.drivername not in _DRIVERS:
        raise _unexpected(parsed.drivername)
    if "@" in (parsed.host or ""):
        raise _unexpected("two signs @: write %40 for that in the password")
    return parsed


def _postgresql(url: sa.URL) -> sa.Engine:
    try:
        # A database that was restarted has dropped the connections that are kept.
        return sa.create_engine(
            url,
            pool_pre_ping=True,
            pool_size=CONNECTIONS_KEPT,
            max_overflow=CONNECTIONS_MORE,
            connect_args={"connect_timeout": _PATIENCE_S},
        )
    except ModuleNotFoundError as error:
        raise DatabaseError(
            f"class rooms in PostgreSQL need {error.name}: install psycopg[binary], or unset"
            " LM_LAB_DATABASE"
        ) from error


def _sqlite(url: sa.URL, file: Path) -> sa.Engine:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(
            f"the folder of the class rooms cannot be made ({error}): set LM_LAB_HOME to one that"
            " this server may write to, or LM_LAB_DATABASE"
        ) from error
    engine = sa.create_engine(url, connect_args={"timeout": _PATIENCE_S})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _unexpected(given: str) -> DatabaseError:
    return DatabaseError(
        "the database of the class rooms must be sqlite:///FILE or"
        f" postgresql+psycopg://USER:PASSWORD@HOST/NAME, got {given}: correct LM_LAB_DATABASE"
    )


def _prepare_sqlite(connection: object, record: object) -> None:
    """Let readers go on while one writes, and let SQLAlchemy begin the transactions."""
    del record
    connection.isolation_level = None  # type: ignore[attr-defined]
    connection.execute("PRAGMA foreign_keys = ON")  # type: ignore[attr-defined]
    last = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")  # type: ignore[attr-defined]
            return
        except sqlite3.OperationalError:
            # With this alone SQLite does not wait for a process that makes the same file.
            if time.monotonic() > last:
                raise
        time.sleep(_AGAIN_S)


def _begin_sqlite(connection: sa.Connection) -> None:
    """Queue for writing at once: who began by reading may not write when another has."""
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(connection: sa.Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseError(
            "the database of the class rooms has tables that this version does not know"
            f" ({error}): run the version that made them, or name another database in LM_LAB_DATABASE"
        ) from error


@contextmanager
def _errors_named() -> Iterator[None]:
    try:
        yield
    except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
        # The first line alone: further down are statements, and on the way in the password. It names
        # hosts and ports, so it is for the operator, and not for whoever looks at a page.
        reason = str(getattr(error, "orig", None) or type(error).__name__).splitlines()[0]
        _LOG.warning("The database of the class rooms does not answer: %s", reason)
        raise DatabaseError(_NO_ANSWER) from error
