"""A PostgreSQL server of the tests' own, from Debian's package: nothing listens but one socket."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

PASSWORD = "correct-horse"
USER = "postgres"


def programs() -> Path | None:
    """Return the folder of the newest server's programs, if one is installed."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((path.parent for path in found), key=lambda p: int(p.parent.name), default=None)


class Cluster:
    """A server whose data lie in a folder."""

    def __init__(self, bin_folder: Path, folder: Path) -> None:
        self._bin, self._folder = bin_folder, folder

    def url(self, password: str = PASSWORD) -> str:
        """Return the URL of the one database in it."""
        return f"postgresql+psycopg://{USER}:{password}@/{USER}?host={self._folder}"

    def emptied_url(self) -> str:
        """Return the URL of the database, from which everything is dropped."""
        import psycopg

        with psycopg.connect(
            host=str(self._folder), user=USER, password=PASSWORD, autocommit=True
        ) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self.url()

    def create(self, settings: dict[str, str]) -> None:
        """Make the folder of data, with a superuser that has a password."""
        password = self._folder / "password"
        password.write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (self._folder, password):
                shutil.chown(path, USER)
        self._run(
            *("initdb", "--no-sync", "-D", self._folder / "data", "-U", USER),
            *("--auth=scram-sha-256", f"--pwfile={password}"),
        )
        settings |= {"listen_addresses": "''", "unix_socket_directories": f"'{self._folder}'"}
        with (self._folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._control("start", "-l", self._folder / "log")

    def stop(self) -> None:
        """Stop it at once, as a failure of power would."""
        self._control("stop", "-m", "immediate")

    def _control(self, *arguments: object) -> None:
        self._run("pg_ctl", "-w", "-D", self._folder / "data", *arguments)

    def _run(self, program: str, *arguments: object) -> None:
        # PostgreSQL refuses to run as root.
        who = ["runuser", "-u", USER, "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*who, str(self._bin / program), *map(str, arguments)],
            cwd="/",
            stdout=subprocess.DEVNULL,
            check=True,
        )


@contextmanager
def running_cluster(**settings: str) -> Iterator[Cluster]:
    """Run a server while the block lasts; skip the test where none is installed."""
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("there is no PostgreSQL server here: apt-get install postgresql")
    pytest.importorskip("psycopg")
    folder = Path(mkdtemp(prefix="rooms-"))  # short: a socket's path has at most 107 characters
    try:
        cluster = Cluster(bin_folder, folder)
        cluster.create(settings)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)
