"""How many students a replica bears, what the second one adds, and what a thousand rooms need.

`python -m tests.benchmarks.scaling` measures on the deployment of `tests.benchmarks.topology`, in three
minutes, then prints the model of docs/scaling.md with what it measured; ``--paper`` prints the model with
the figures of that document. A replica does one run of a page at a time, so its processor time for a move
decides what it bears, on any machine; how much two bear beside each other is seen only where there are
cores for both, for the proxy and for these clients.
"""

import argparse
import asyncio
import contextlib
import math
import os
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets

from lm_core.classroom.database import Database
from lm_core.classroom.records import Question
from lm_core.classroom.rooms import Rooms
from tests.benchmarks.queueing import Client, Draw, largest_class
from tests.benchmarks.room_visitor import RoomVisitor
from tests.benchmarks.school import cookie_of, headers_of, stream_of
from tests.benchmarks.topology import Replica, reverse_proxy, school
from tests.benchmarks.visitor import Visitor
from tests.benchmarks.visitors import MOVED, THINK_S, visit_together

_PAGES = ("clustering", "estimation", "attention-by-hand", "n-grams")
_AT_ONCE, _PHASE_S = 8, 9.0
_KNOWN_VISITORS, _VISITORS = 20, 80
_LOOKS = 100
_ROOMS, _STUDENTS, _THREADS = 10, 30, 8
_PATIENCE_S = 0.5
CHANGE_EVERY_S = 5.0
"""How often something changes in a room that concerns its students: a page, a setting, a question."""
_ANSWERED_WITHIN_S, _QUESTION_EVERY_S = 5.0, 180.0
_SPARE = 0.7
"""The share of a replica's class that is planned for: the rest is for trainings, updates, a dead replica."""


@dataclass(frozen=True)
class Figures:
    """What the model is made of.

    Attributes
    ----------
    move_s, look_s : float
        A replica's processor time for one move, the mean over some pages, and for one look of a
        student's page at the room.
    proxy_s : float, the proxy's for the same
    replica_bytes, visitor_bytes : float
        Memory of a replica that has served every page measured, and of each visitor more.
    answer_s : float, the database's processor time for one answer
    """

    move_s: float
    look_s: float
    proxy_s: float
    replica_bytes: float
    visitor_bytes: float
    answer_s: float


PAPER = Figures(
    move_s=0.019,
    look_s=0.0025,
    proxy_s=0.0016,
    replica_bytes=493e6,
    visitor_bytes=0.09e6,
    answer_s=0.0006,
)
"""Those of docs/scaling.md."""


@dataclass(frozen=True)
class Phase:
    """Moves without a thought in between, for some seconds.

    Attributes
    ----------
    moves, seconds : float
    replicas_s, proxy_s, clients_s : float, processor time meanwhile
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


def tree_s(process: int) -> float:
    """Return the processor time of a process and of all that descend from it, the ended ones too."""
    parents, spent = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text(encoding="ascii").rsplit(")", 1)[1].split()
            parents[int(status.parent.name)] = int(fields[1])
            spent[int(status.parent.name)] = sum(map(int, fields[11:15]))

    def is_within(found: int) -> bool:
        while found in parents and found != process:
            found = parents[found]
        return found == process

    return sum(spent[found] for found in spent if is_within(found)) / os.sysconf("SC_CLK_TCK")


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
            for i in range(_KNOWN_VISITORS + _VISITORS):
                if i == _KNOWN_VISITORS:  # the first ones fill what the process keeps for all
                    before = resident_bytes(replica.process.pid)
                socket = await stack.enter_async_context(
                    websockets.connect(
                        stream_of(replica.address), subprotocols=["streamlit"], max_size=None
                    )
                )
                await Visitor(socket, _PAGES[i % len(_PAGES)]).open_page()
            return (resident_bytes(replica.process.pid) - before) / _VISITORS

    return asyncio.run(visits())


def look_seconds(replica: Replica, rooms: Rooms) -> float:
    """Return a replica's processor time for drawing a student's bar anew."""
    code = rooms.open("teacher").code

    async def looks() -> float:
        async with websockets.connect(
            stream_of(replica.address), subprotocols=["streamlit"], max_size=None
        ) as socket:
            student = RoomVisitor(socket, f"{_PAGES[0]}?room={code}")
            await student.join()
            before = processor_s(replica.process.pid)
            for _ in range(_LOOKS):
                await student.look()
            return (processor_s(replica.process.pid) - before) / _LOOKS

    return asyncio.run(looks())


def answers_seconds(rooms: Rooms, database: int) -> tuple[float, float]:
    """Return the time from one answer to the next, and the database's processor time for one."""
    codes = [rooms.open("teacher").code for _ in range(_ROOMS)]
    question = Question("number", "How many?", highest=100.0)
    asked = {code: rooms.ask(code, "teacher", question).id for code in codes}
    members = [(code, f"student {i}") for i in range(_STUDENTS) for code in codes]
    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(lambda member: rooms.join(*member), members))
        before, started = tree_s(database), time.perf_counter()
        list(threads.map(lambda m: rooms.answer(*m, asked[m[0]], "42"), members))
        spent, took = tree_s(database) - before, time.perf_counter() - started
    return took / len(members), spent / len(members)


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
        rooms = Rooms(Database(lab.environment["LM_LAB_DATABASE"]))
        look_s = look_seconds(lab.replicas[0], rooms)
        every_s, answer_s = answers_seconds(rooms, lab.database)
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
        f" cores for all, {2 * alone / beside:.2f} times. One process stored {1 / every_s:.0f} answers"
        f" a second, each for {1e3 * answer_s:.1f} ms of the database's processor time.\n"
    )
    return Figures(
        move_s=min(alone, beside),
        look_s=look_s,
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
    hand = Client(lambda chance: THINK_S * chance.uniform(0.5, 1.5), _exponential(figures.move_s))
    timer = Client(lambda _: CHANGE_EVERY_S, _exponential(figures.look_s), is_hand=False)
    alone, largest = (largest_class(_PATIENCE_S, student) for student in ([hand], [hand, timer]))
    students, planned = rooms * _STUDENTS, int(_SPARE * largest)
    replicas = math.ceil(students / planned)
    moves, looks = students / THINK_S, students / CHANGE_EVERY_S
    busy = moves * figures.move_s + looks * figures.look_s
    memory = replicas * figures.replica_bytes + students * figures.visitor_bytes
    answers, together = students / _QUESTION_EVERY_S, students / _ANSWERED_WITHIN_S
    rows = {
        "processor time": f"{1e3 * figures.move_s:.0f} ms a move, {1e3 * figures.look_s:.1f} ms a bar of a"
        f" room drawn anew, every {CHANGE_EVERY_S:g} s",
        "a replica bears": f"{largest} students in rooms ({alone} outside) who move every {THINK_S:g} s: 95"
        f" of 100 are answered within {1e3 * _PATIENCE_S:.0f} ms",
        "planned for a replica": f"{planned} students",
        "students": f"{students:,} in {rooms:,} rooms",
        "a second": f"{moves:,.0f} moves, {looks:,.0f} bars",
        "replicas": f"{replicas:,}, of whose cores {busy:,.0f} are busy",
        "proxies": f"{(moves + looks) * figures.proxy_s:.0f} cores at most",
        "memory": f"{memory / 1e9:,.0f} GB: {figures.replica_bytes / 1e6:.0f} MB a replica,"
        f" {figures.visitor_bytes / 1e6:.2f} MB a student",
        "answers a second": f"{answers:,.0f} on average, {together:,.0f} if all rooms are asked at once",
        "database": f"{answers * figures.answer_s:.1f} cores on average,"
        f" {together * figures.answer_s:.0f} if all rooms are asked at once",
        "machines": f"{math.ceil(max(replicas / 14, memory / 56e9)):,} of 16 cores and 64 GB",
    }
    print("| what | |\n|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")


def _exponential(mean_s: float) -> Draw:
    """Return how long a run takes: pages differ by a factor of ten."""
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
