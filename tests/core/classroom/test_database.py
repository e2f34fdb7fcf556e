"""The database: whichever it is, its tables are today's, and what it refuses is said without secrets."""

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from lm_core.classroom import database as database_module
from lm_core.classroom.database import FILE_NAME, Database, file_url
from lm_core.classroom.schema import METADATA, ROOMS
from lm_core.errors import DatabaseError
from tests.core.classroom.postgresql import PASSWORD

ROOT = Path(__file__).resolve().parents[3]
SECRET = "s3cret"
ROOM = {"code": "KRTP", "passcode_hash": "", "opened_at": 0.0}
OPENING = """
import sys
from lm_core.classroom.database import Database
print("ready", flush=True)
sys.stdin.readline()
Database(sys.argv[1]).close()
"""


def codes(database):
    with database.reading() as connection:
        return list(connection.scalars(sa.select(ROOMS.c.code)))


def test_migrations_make_the_tables_of_the_schema(database):
    assert database.differences() == []


def test_a_column_that_no_migration_makes_is_a_difference(database):
    wanted = sa.MetaData()
    for table in METADATA.tables.values():
        table.to_metadata(wanted)
    wanted.tables["rooms"].append_column(sa.Column("colour", sa.String(9)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lm_core.classroom.database.METADATA", wanted)
        assert len(database.differences()) == 1


def test_a_database_that_is_opened_again_keeps_what_it_has(database, url):
    with database.writing() as connection:
        connection.execute(sa.insert(ROOMS).values(ROOM))
    again = Database(url)
    assert codes(again) == ["KRTP"]
    assert again.is_postgresql == url.startswith("postgresql")
    again.close()


def test_a_block_that_fails_changes_nothing(database):
    def fail():
        with database.writing() as connection:
            connection.execute(sa.insert(ROOMS).values(ROOM))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert codes(database) == []


def test_who_writes_holds_the_file_before_the_first_word(tmp_path):
    """Whoever begins by reading may not write once another process has: SQLite refuses at once."""
    database = Database(file_url(tmp_path))
    other = sqlite3.connect(tmp_path / FILE_NAME, timeout=0, isolation_level=None)
    with database.writing(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    with database.reading():
        other.execute("BEGIN IMMEDIATE")
    other.close()
    database.close()


def test_what_the_tables_forbid_is_refused(database, caplog):
    with database.writing() as connection:
        connection.execute(sa.insert(ROOMS).values(ROOM))
    with pytest.raises(DatabaseError, match="does not answer"), database.writing() as connection:
        connection.execute(sa.insert(ROOMS).values(ROOM))
    foreign = sa.insert(METADATA.tables["members"]).values(
        code="NONE", member="m", alias="Otter", is_presenter=False
    )
    with pytest.raises(DatabaseError), database.writing() as connection:
        connection.execute(foreign)
    assert "foreign key" in caplog.text.casefold(), "the operator reads why"


def test_a_reader_does_not_wait_for_a_writer(database):
    with database.writing() as connection:
        connection.execute(sa.insert(ROOMS).values(ROOM))
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(codes, database).result(timeout=30) == []


def test_tables_of_a_newer_version_are_left_alone(database, url):
    newer = sa.text("UPDATE alembic_version SET version_num = '9999'")
    with database.writing() as connection:
        connection.execute(newer)
    with pytest.raises(DatabaseError, match=r"9999.*another database in LM_LAB_DATABASE"):
        Database(url)


def test_who_opens_a_file_that_another_process_has_just_begun_to_write_waits_for_it(tmp_path):
    file = tmp_path / "rooms.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, other.execute, ["ROLLBACK"]).start()
    database = Database(f"sqlite:///{file}")
    assert database.differences() == []
    database.close()
    other.close()


def test_processes_that_open_a_new_database_at_once_make_its_tables_once(url):
    opening = [
        subprocess.Popen(
            [sys.executable, "-c", OPENING, url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    assert [process.stdout.readline() for process in opening] == ["ready\n"] * 3
    for process in opening:
        process.stdin.write("go\n")
        process.stdin.flush()
    finished = [(process.communicate()[1], process.returncode) for process in opening]
    assert finished == [("", 0)] * 3
    database = Database(url)
    assert database.differences() == []
    database.close()


def test_a_file_is_made_with_its_folder(tmp_path):
    Database(file_url(tmp_path / "new" / "home")).close()
    assert (tmp_path / "new" / "home" / "classroom.sqlite").is_file()


def test_what_is_no_database_is_not_overwritten(tmp_path, caplog):
    (tmp_path / "classroom.sqlite").write_text("a letter to the class " * 100)
    with pytest.raises(DatabaseError):
        Database(file_url(tmp_path))
    assert "not a database" in caplog.text
    assert (tmp_path / "classroom.sqlite").read_text().startswith("a letter")


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseError, match=r"cannot be made.*set LM_LAB_HOME"):
        Database(file_url(tmp_path / "file" / "home"))


@pytest.mark.parametrize(
    ("url", "given"),
    [
        ("", "no URL"),
        ("rooms.sqlite", "no URL"),
        (f"postgresql+psycopg://u:{SECRET}@host:port/rooms", "no URL"),
        (f"postgresql+psycopg://u:{SECRET}/w@host:x/rooms", "no URL"),
        (f"postgresql+psycopg://u:p@{SECRET}@host/rooms", "write %40"),
        (f"mysql://u:{SECRET}@host/rooms", "got mysql"),
        (f"postgresql+nonsense://u:{SECRET}@host/rooms", r"got postgresql\+nonsense"),
        (f"postgresql+asyncpg://u:{SECRET}@host/rooms", r"got postgresql\+asyncpg"),
        ("sqlite://", "no file"),
        ("sqlite:///:memory:", "no file"),
    ],
)
def test_a_url_of_another_kind_is_refused(url, given):
    with pytest.raises(DatabaseError, match=rf"{given}.*correct LM_LAB_DATABASE") as refused:
        Database(url)
    assert SECRET not in said(refused.value)


def said(error):
    """Return an error's message and those of its causes, as a log would have them."""
    causes = []
    while error is not None:
        causes.append(str(error))
        error = None if error.__suppress_context__ and not error.__cause__ else error.__context__
    return " ".join(causes)


def test_a_driver_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseError, match=r"install psycopg\[binary\]"):
        Database("postgresql+psycopg://u:p@host/rooms")


@pytest.mark.parametrize("host", ["@127.0.0.1:1/rooms", "@nowhere.invalid/rooms"])
def test_a_server_that_cannot_be_reached_is_said_without_its_address_and_password(host, caplog):
    pytest.importorskip("psycopg")
    with pytest.raises(DatabaseError, match="does not answer") as refused:
        Database(f"postgresql+psycopg://u:{SECRET}{host}")
    assert SECRET not in said(refused.value) + caplog.text
    assert host[1:8] not in str(refused.value)
    assert host[1:8] in caplog.text, "the operator reads which server it was"


def test_a_wrong_password_is_not_repeated(postgresql, caplog):
    with pytest.raises(DatabaseError) as refused:
        Database(postgresql.url(SECRET))
    assert "password authentication failed" in caplog.text
    assert SECRET not in said(refused.value) + caplog.text
    assert PASSWORD not in said(refused.value) + caplog.text


def test_a_file_that_was_removed_under_the_server_is_noticed_until_it_is_back(tmp_path):
    database, file = Database(file_url(tmp_path)), tmp_path / FILE_NAME
    file.rename(tmp_path / "elsewhere")
    for connect in (database.reading, database.writing):
        with pytest.raises(DatabaseError, match="removed or replaced"), connect():
            pass
    # Another file, though with the same rooms.
    file.write_bytes((tmp_path / "elsewhere").read_bytes())
    with pytest.raises(DatabaseError, match="removed or replaced"), database.reading():
        pass
    (tmp_path / "elsewhere").replace(file)
    assert codes(database) == []
    database.close()


def test_a_locked_file_is_waited_for_in_vain_only_once(tmp_path, monkeypatch):
    """Whoever queues behind a write that gets nowhere hears so, too, and does not wait for all before."""
    monkeypatch.setattr(database_module, "_PATIENCE_S", 0.2)
    database = Database(file_url(tmp_path))
    with database.writing(), ThreadPoolExecutor(1) as pool:

        def write():
            with database.writing():
                pass

        with pytest.raises(DatabaseError, match="does not answer"):
            pool.submit(write).result(timeout=30)
    database.close()
