"""The database of the rooms: SQLite or PostgreSQL, brought to today's tables by Alembic's migrations."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
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
_LOCK = 7_203_114
"""Of PostgreSQL's advisory locks, the one for migrations."""
_PATIENCE_S = 10

CONNECTIONS_KEPT, CONNECTIONS_MORE = 4, 6
"""Of a process to PostgreSQL: always, and when many ask at once. A server of it allows a hundred."""


class Database:
    """A database whose tables are today's.

    Parameters
    ----------
    url : str
        As SQLAlchemy writes them: ``sqlite:///FILE`` or ``postgresql+psycopg://USER:PASSWORD@HOST/NAME``.

    Raises
    ------
    DatabaseError
        If it is of another kind, cannot be reached, or its tables are those of a newer version.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._writing = self._engine.execution_options(**{_WRITES: True})
        # SQLite lets one write and has the others look again ever more rarely: here they queue.
        self._turn = nullcontext() if self.is_postgresql else Lock()
        with self.writing() as connection:
            if self.is_postgresql:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            _migrate(connection)

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL, not SQLite."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Connect for a block that changes nothing.

        Raises
        ------
        DatabaseError
            If the database cannot be reached or refuses.
        """
        with _errors_named(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Connect for a block whose changes are kept all, at its end, or not at all.

        Raises
        ------
        DatabaseError
            If the database cannot be reached or refuses.
        """
        with self._turn, _errors_named(), self._writing.begin() as connection:
            yield connection

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
    for pragma in ("journal_mode = WAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


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
        # The first line alone: further down are statements, and on the way in the password.
        reason = str(getattr(error, "orig", None) or type(error).__name__).splitlines()[0]
        raise DatabaseError(
            f"the database of the class rooms does not answer ({reason}): try again; nothing that"
            " it had confirmed is lost"
        ) from error
