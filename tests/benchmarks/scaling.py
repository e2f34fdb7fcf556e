"""How many students a replica bears, what the second one adds, and what a thousand rooms need.

`python -m tests.benchmarks.scaling` measures on the deployment of `tests.benchmarks.topology`, in three
minutes, then prints the model of docs/scaling.md with what it measured; ``--paper`` prints the model with
the figures of that document. A replica does one run of a page at a time, so its processor time for a move
decides what it bears, on any machine; how much two bear beside each other is seen only where there are
cores for both, for the proxy and for these clients.
"""

import argparse
import asyncio
import math
import os
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets

from lm_core.classroom.database import Database
from lm_core.classroom.records import Question
from lm_core.classroom.rooms import Rooms
from tests.benchmarks.queueing import largest_class
from tests.benchmarks.school import cookie_of, headers_of, stream_of
from tests.benchmarks.topology import Replica, reverse_proxy, school
from tests.benchmarks.visitors import MOVED, THINK_S, Visitor, visit_together

_PAGES = ("clustering", "estimation", "attention-by-hand", "n-grams")
_AT_ONCE, _PHASE_S = 8, 9.0
_VISITORS = 40
_ROOMS, _STUDENTS, _THREADS = 10, 30, 8
_PATIENCE_S = 0.5
_ANSWERED_WITHIN_S, _QUESTION_EVERY_S = 5.0, 180.0
_SPARE = 0.7
"""The share of a replica's class that is planned for: the rest is for trainings, updates, a dead replica."""


@dataclass(frozen=True)
class Figures:
    """What the model is made of.

    Attributes
    ----------
    move_s : float
        A replica's processor time for one move, the mean over some pages.
    proxy_s : float
        The proxy's for the same.
    replica_bytes, visitor_bytes : float
        Memory of a replica that has served every page measured, and of each visitor more.
    answer_s : float
        The database's time for one answer, were it to do one after the other.
    """

    move_s: float
    proxy_s: float
    replica_bytes: float
    visitor_bytes: float
    answer_s: float


PAPER = Figures(
    move_s=0.040, proxy_s=0.001, replica_bytes=480e6, visitor_bytes=0.4e6, answer_s=0.002
)
"""Those of docs/scaling.md."""


@dataclass(frozen=True)
class Phase:
    """Moves without a thought in between, for some seconds.

    Attributes
    ----------
    moves, seconds : float
    replicas_s, proxy_s, clients_s : float
        Processor time meanwhile.
    """

    moves: int
    seconds: float
    replicas_s: float
    proxy_s: float
    clients_s: float


def processor_s(process: int) -> float:
    """Return the processor time that a process has had, with all its threads (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(process: int) -> int:
    """Return the memory of a process (Linux)."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def flat_out(address: str, replicas: Sequence[Replica], proxy: int) -> Phase:
    """Let visitors of all pages move as soon as they are answered, as many at each replica."""

    async def visit(replica: Replica, page: str, until: list[float]) -> int:
        moves = 0
        async with websockets.connect(
            stream_of(address), **headers_of(cookie_of(replica)), max_size=None
        ) as socket:
            visitor = Visitor(socket, page)
            await visitor.open_page()
            await begins.wait()
            while time.perf_counter() < until[0]:
                moves += 1
                await visitor.move(MOVED[page], moves)
        return moves

    async def phase() -> Phase:
        until = [math.inf]
        visits = [
            asyncio.create_task(visit(replica, _PAGES[i % len(_PAGES)], until))
            for replica in replicas
            for i in range(_AT_ONCE)
        ]
        await asyncio.sleep(3.0)  # until all pages are open
        before, started = times(), time.perf_counter()
        until[0] = started + _PHASE_S
        begins.set()
        moves = sum(await asyncio.gather(*visits))
        spent = [after - then for after, then in zip(times(), before, strict=True)]
        return Phase(moves, time.perf_counter() - started, *spent)

    def times() -> tuple[float, float, float]:
        serving = sum(processor_s(replica.process.pid) for replica in replicas)
        return serving, processor_s(proxy), time.process_time()

    begins = asyncio.Event()
    return asyncio.run(phase())


def visitor_bytes(replica: Replica) -> float:
    """Return by how much a replica's memory grows with each visitor who has opened a page."""

    async def visits() -> float:
        async with AsyncExitStack() as stack:
            before = resident_bytes(replica.process.pid)
            for i in range(_VISITORS):
                socket = await stack.enter_async_context(
                    websockets.connect(
                        stream_of(replica.address), subprotocols=["streamlit"], max_size=None
                    )
                )
                await Visitor(socket, _PAGES[i % len(_PAGES)]).open_page()
            return (resident_bytes(replica.process.pid) - before) / _VISITORS

    return asyncio.run(visits())


def answer_seconds(url: str) -> float:
    """Return the database's time for an answer: rooms answer at once, through the app's own code."""
    rooms = Rooms(Database(url))
    codes = [rooms.open("teacher").code for _ in range(_ROOMS)]
    question = Question("number", "How many?", highest=100.0)
    asked = {code: rooms.ask(code, "teacher", question).id for code in codes}
    members = [(code, f"student {i}") for i in range(_STUDENTS) for code in codes]
    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(lambda member: rooms.join(*member), members))
        started = time.perf_counter()
        list(threads.map(lambda m: rooms.answer(*m, asked[m[0]], "42"), members))
        return (time.perf_counter() - started) / len(members)


def measured() -> Figures:
    """Measure everything, print it, and return what the model needs."""
    with TemporaryDirectory() as folder, school(Path(folder), replicas=2, workers=0) as lab:
        for replica in lab.replicas:
            for page in _PAGES:
                asyncio.run(visit_together(replica.address, page, moves=0, visitors=1))
        base = statistics.mean(resident_bytes(replica.process.pid) for replica in lab.replicas)
        per_visitor = visitor_bytes(lab.replicas[0])
        (Path(folder) / "one").mkdir()
        with reverse_proxy(Path(folder) / "one", lab.replicas[:1]) as (address, proxy):
            one = [flat_out(address, lab.replicas[:1], proxy.pid)]
            two = [flat_out(lab.address, lab.replicas, lab.proxy.pid) for _ in range(2)]
            one.append(flat_out(address, lab.replicas[:1], proxy.pid))
        answer_s = answer_seconds(lab.environment["LM_LAB_DATABASE"])
    print("| replicas | moves/s | of the replicas | of the proxy | of these clients | cores busy |")
    print("|---|---|---|---|---|---|")
    for phases in (one, two):
        _print_phases(phases, 1 if phases is one else 2)
    ratio = _rate(two) / _rate(one)
    alone, beside = (sum(p.replicas_s for p in ps) / sum(p.moves for p in ps) for ps in (one, two))
    print(
        f"\nTwo replicas served {ratio:.2f} times as many moves a second as one, on"
        f" {len(os.sched_getaffinity(0))} cores with a load of {os.getloadavg()[0]:.1f}. For a move each took"
        f" {1e3 * alone:.0f} ms of processor time alone and {1e3 * beside:.0f} ms beside the other: with"
        f" cores for all, {2 * alone / beside:.2f} times.\n"
    )
    return Figures(
        move_s=min(alone, beside),
        proxy_s=sum(p.proxy_s for p in two) / sum(p.moves for p in two),
        replica_bytes=base,
        visitor_bytes=max(per_visitor, 0.0),
        answer_s=answer_s,
    )


def _rate(phases: Sequence[Phase]) -> float:
    return sum(p.moves for p in phases) / sum(p.seconds for p in phases)


def _print_phases(phases: Sequence[Phase], replicas: int) -> None:
    moves = sum(p.moves for p in phases)
    spent = [sum(p.replicas_s for p in phases), sum(p.proxy_s for p in phases)]
    spent.append(sum(p.clients_s for p in phases))
    each = " | ".join(f"{1e3 * s / moves:.1f} ms" for s in spent)
    cores = sum(spent) / sum(p.seconds for p in phases)
    print(f"| {replicas} | {_rate(phases):.1f} | {each} | {cores:.2f} |")


def model(figures: Figures, rooms: int) -> None:
    """Print what so many rooms of a school need."""
    think, service = _thinking(), _service(figures.move_s)
    largest = largest_class(_PATIENCE_S, think, service)
    students, planned = rooms * _STUDENTS, int(_SPARE * largest)
    replicas = math.ceil(students / planned)
    moves = students / (THINK_S + figures.move_s)
    memory = replicas * figures.replica_bytes + students * figures.visitor_bytes
    answers = students / _QUESTION_EVERY_S
    together = students / _ANSWERED_WITHIN_S
    rows = {
        "processor time of a move": f"{1e3 * figures.move_s:.0f} ms",
        "a replica bears": f"{largest} students who move every {THINK_S:g} s,"
        f" 95 of 100 answered within {1e3 * _PATIENCE_S:.0f} ms",
        "planned for a replica": f"{planned} students",
        "students": f"{students:,} in {rooms:,} rooms",
        "moves a second": f"{moves:,.0f}",
        "replicas": f"{replicas:,}",
        "cores for replicas": f"{moves * figures.move_s:,.0f} busy, {replicas:,} for all replicas",
        "cores for proxies": f"{moves * figures.proxy_s:.1f}",
        "memory": f"{memory / 1e9:,.0f} GB: {figures.replica_bytes / 1e6:.0f} MB a replica,"
        f" {figures.visitor_bytes / 1e6:.2f} MB a student",
        "answers a second": f"{answers:,.0f} on average, {together:,.0f} if all rooms are asked at once",
        "database": f"{1 / figures.answer_s:,.0f} answers a second measured:"
        f" {answers * figures.answer_s:.0%} busy on average, all at once in"
        f" {students * figures.answer_s:,.0f} s",
        "machines of 16 cores, 64 GB": f"{math.ceil(max(replicas / 14, memory / 56e9)):,}",
    }
    print("| what | |\n|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")


def _thinking() -> Callable[..., float]:
    """Return how long a student thinks: half to one and a half times the mean, as the clients do."""
    return lambda chance: THINK_S * chance.uniform(0.5, 1.5)


def _service(mean_s: float) -> Callable[..., float]:
    """Return how long a run takes: exponential, because pages differ by a factor of ten."""
    return lambda chance: chance.expovariate(1 / mean_s)


def main() -> None:
    """Measure, then print the model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paper", action="store_true", help="the model alone, with known figures")
    parser.add_argument("--rooms", type=int, default=1_000)
    arguments = parser.parse_args()
    model(PAPER if arguments.paper else measured(), arguments.rooms)


if __name__ == "__main__":
    main()
