"""What compose.yaml starts in containers, as processes of this machine.

Replicas of the app behind Caddy with the same Caddyfile, PostgreSQL, a folder that all share, a Dask
scheduler with workers. On Debian: ``apt-get install --no-install-recommends caddy postgresql``, and
``pip install -r deploy/requirements.txt``.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.conftest import ROOT, free_port, wait_until_healthy

_LONGEST_START_S = 30.0
_DATABASE_USER = "postgres"  # the database refuses to be run by root


@dataclass
class Replica:
    """One process that serves the app.

    Attributes
    ----------
    address : str
    process : subprocess.Popen
    """

    address: str
    process: "subprocess.Popen[bytes]"

    @property
    def port(self) -> int:
        """The port at which it listens."""
        return int(self.address.rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it at once, as a crash does: no connection is closed in order."""
        self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class School:
    """A whole deployment.

    Attributes
    ----------
    address : str, of the proxy
    replicas : list of Replica
    proxy : subprocess.Popen
    database : int, number of the process that all of PostgreSQL's descend from
    environment : dict of str to str
        What the replicas were started with, for whoever asks for trainings beside them.
    """

    address: str
    replicas: list[Replica]
    proxy: "subprocess.Popen[bytes]"
    database: int
    environment: dict[str, str] = field(repr=False)


@contextmanager
def school(folder: Path, replicas: int, workers: int) -> Iterator[School]:
    """Start the whole deployment in a folder, yield it, and end all of its processes."""
    with ExitStack() as stack:
        url, postgresql = stack.enter_context(database(folder))
        environment = {
            "LM_LAB_HOME": str(folder / "home"),
            "LM_LAB_DATABASE": url,
            "LM_LAB_TRUSTED_PROXIES": "127.0.0.1",
            "LM_LAB_MAX_CONNECTIONS_PER_ADDRESS": "600",  # all visitors come from here
        }
        if workers:
            scheduler = stack.enter_context(cluster(folder, workers, environment))
            environment["LM_LAB_SCHEDULER"] = scheduler
        serving = [
            stack.enter_context(replica(folder / f"replica-{i}.log", environment))
            for i in range(replicas)
        ]
        address, proxy = stack.enter_context(reverse_proxy(folder, serving))
        yield School(address, serving, proxy, postgresql.pid, environment)


@contextmanager
def replica(log: Path, environment: dict[str, str], port: int = 0) -> Iterator[Replica]:
    """Serve the app at a port; 0 for a free one."""
    port = port or free_port()
    command = ["streamlit", "run", "app.py", "--server.headless", "true"]
    options = ["--server.address", "127.0.0.1", "--server.port", str(port)]
    with _process([sys.executable, "-m", *command, *options], log, environment) as process:
        serving = Replica(f"http://127.0.0.1:{port}", process)
        wait_until_healthy(serving.address, process, log)
        yield serving


@contextmanager
def reverse_proxy(
    folder: Path, replicas: list[Replica]
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Put Caddy in front of the replicas; yield its address and its process."""
    log, port = folder / "proxy.log", free_port()
    variables = {
        "LM_LAB_SITE": f"http://127.0.0.1:{port}",
        "LM_LAB_REPLICAS": " ".join(f"127.0.0.1:{serving.port}" for serving in replicas),
        "HOME": str(folder),
    }
    command = [_program("caddy", "caddy"), "run", "--adapter", "caddyfile"]
    caddyfile = str(ROOT / "deploy" / "Caddyfile")
    with _process([*command, "--config", caddyfile], log, variables) as process:
        wait_until_healthy(variables["LM_LAB_SITE"], process, log)
        yield variables["LM_LAB_SITE"], process


@contextmanager
def cluster(folder: Path, workers: int, environment: dict[str, str]) -> Iterator[str]:
    """Start a Dask scheduler and its workers; yield the scheduler's address."""
    address = f"tcp://127.0.0.1:{free_port()}"
    beside = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduling = [*_dask("scheduler"), "--port", address.rsplit(":", 1)[1], *beside]
    working = [*_dask("worker"), address, "--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
    environment = environment | {"LM_LAB_SCHEDULER": address, "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:
        stack.enter_context(_process(scheduling, folder / "scheduler.log", environment))
        for i in range(workers):
            own = ["--local-directory", str(folder / f"worker-{i}"), *beside]
            log = folder / f"worker-{i}.log"
            stack.enter_context(_process([*working, *own], log, environment))
        yield address


@contextmanager
def database(folder: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Start PostgreSQL with an empty database; yield its URL and its first process."""
    programs = Path(_program("initdb", "postgresql")).resolve().parent
    data, port = folder / "database", free_port()
    data.mkdir()
    as_user: list[str] = []
    if os.getuid() == 0:
        as_user = ["runuser", "-u", _DATABASE_USER, "--"]
        shutil.chown(data, _DATABASE_USER)
        folder.chmod(0o755)

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=data)

    run("initdb", "--username", "lab", "--auth", "trust", "--pgdata", str(data))
    listening = ["-h", "127.0.0.1", "-p", str(port), "-k", str(data)]
    command = [*as_user, str(programs / "postgres"), "-D", str(data), *listening]
    with _process(command, folder / "database.log", {}, stop=signal.SIGINT) as process:
        reached = ["-h", "127.0.0.1", "-p", str(port), "-U", "lab"]
        deadline = time.monotonic() + _LONGEST_START_S
        ready = [str(programs / "pg_isready"), *reached]
        while subprocess.run(ready, check=False, stdout=subprocess.DEVNULL).returncode:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(
                    f"PostgreSQL did not start:\n{(folder / 'database.log').read_text()}"
                )
            time.sleep(0.1)
        run("createdb", *reached, "lab")
        yield f"postgresql+psycopg://lab@127.0.0.1:{port}/lab", process


@contextmanager
def _process(
    command: list[str], log: Path, environment: dict[str, str], stop: int = signal.SIGTERM
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command in the project's folder, and end it and its children with the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | environment,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(stop)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _dask(role: str) -> list[str]:
    return [sys.executable, "-m", f"distributed.cli.dask_{role}"]


def _program(name: str, package: str) -> str:
    """Return a program's path, also one of PostgreSQL that Debian keeps off the search path."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(debian[-1]) if debian else shutil.which(name)
    if found is None:
        raise SystemExit(
            f"{name} is not here: apt-get install --no-install-recommends {package}, then try again"
        )
    return found
