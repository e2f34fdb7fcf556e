"""What a class costs: `python -m tests.benchmarks.classroom`, under four minutes.

Three parts, each with tables of milliseconds:

- the database alone, SQLite and PostgreSQL: fifty threads answer and look at once;
- fifty phones in a room of a real server, each a websocket client that asks again as often as the
  browser does: they answer within five seconds of each other, three times over, then the projector
  reveals. Measured from the tap to "You said ..." on the phone, to the last of fifty in the
  projector's count, and from Reveal to the whole histogram on the projector and on every phone;
- thirty visitors who move a page's control every three seconds, outside of a room and in one whose
  question runs.
"""

import argparse
import asyncio
import math
import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from typing import NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from lm_core.classroom.database import Database, file_url
from lm_core.classroom.questions import parse_question
from lm_core.classroom.rooms import Rooms
from lm_core.classroom.states import RoomStates
from tests.benchmarks import visitors
from tests.benchmarks.class_tab import Tab, open_tab, text_of
from tests.browser.conftest import ROOT, serving
from tests.core.classroom.postgresql import programs, running_cluster

PHONES, VISITORS, ROUNDS = 50, 30, 3
STORED_MS, DRAWN_MS = 300.0, 1_500.0
"""What must hold: an answer stored, in 95 of 100 cases, and the histogram on the projector."""
QUESTION = parse_question("How many letters has the longest word? 0..100 = 42")
WORD = parse_question("Which word is nearest?")


# The database alone ----------------------------------------------------------


def at_once(
    act: Callable[[int, int], object], threads: int, times: int
) -> tuple[list[float], float]:
    """Let threads act so many times each; return the seconds of each act, and of all."""
    together = Barrier(threads)

    def act_often(thread: int) -> list[float]:
        together.wait()
        seconds = []
        for i in range(times):
            started = time.perf_counter()
            act(thread, i)
            seconds.append(time.perf_counter() - started)
        return seconds

    started = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        taken = [seconds for each in pool.map(act_often, range(threads)) for seconds in each]
    return taken, time.perf_counter() - started


def measure_database(name: str, url: str) -> None:
    """Print how soon answers are stored and states are read by as many threads as phones."""
    database = Database(url)
    rooms = Rooms(database)
    states = RoomStates(rooms)
    code = rooms.open("teacher").code
    for i in range(PHONES):
        rooms.join(code, f"visitor {i}")

    asked = rooms.ask(code, "teacher", WORD)

    def answer(thread: int, i: int) -> None:
        rooms.answer(code, f"visitor {thread}", asked.id, f"word {i}")

    for what, act, threads, times in (
        ("one answers, again and again", answer, 1, 30),
        ("each answers once, all at one moment", answer, PHONES, 1),
        ("each answers ten times", answer, PHONES, 10),
        ("Rooms.state", lambda *_: rooms.state(code), PHONES, 20),
        ("RoomStates.state", lambda *_: states.state(code), PHONES, 100),
    ):
        seconds, wall = at_once(act, threads, times)
        cells = " | ".join([f"{len(seconds) / wall:,.0f}", *visitors.percentiles(seconds)])
        print(f"| {name} | {what} | {threads} | {cells} |", flush=True)
    database.close()


def measure_databases() -> None:
    """Measure both databases."""
    print("| database | what | threads | a second | p50 | p95 | max (ms) |")
    print("|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        measure_database("SQLite", file_url(Path(folder)))
    with postgresql() as url:
        if url is not None:
            measure_database("PostgreSQL", url)


@contextmanager
def postgresql() -> Iterator[str | None]:
    """Run a server of PostgreSQL for a block; None where none is installed."""
    if programs() is None:
        print("no PostgreSQL here: apt-get install postgresql")
        yield None
        return
    with running_cluster() as cluster:
        yield cluster.emptied_url()


# A class ---------------------------------------------------------------------


@dataclass
class ClassTimes:
    """Seconds; each list over all phones and rounds, or over the rounds."""

    joined: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    drawn_on_phones: list[float] = field(default_factory=list)


class Class(NamedTuple):
    """A room, and the tab of its presenter."""

    rooms: Rooms
    code: str
    projector: Tab


def has_form(number: int) -> Callable[[ForwardMsg], bool]:
    """Return what is seen when a phone can answer: the button of the question's form."""

    def seen(message: ForwardMsg) -> bool:
        return message.delta.new_element.button.form_id == f"class_form_{number}"

    return seen


def has_histogram(message: ForwardMsg) -> bool:
    """Return whether the histogram of all answers is drawn; what it shows is said after it."""
    return message.delta.new_element.text.body.startswith(f"{PHONES} answers")


def is_in(message: ForwardMsg) -> bool:
    """Return whether the bar of a room is drawn for who has come in."""
    return "-badge[" in text_of(message)


async def begin_class(stack: AsyncExitStack, address: str, rooms: Rooms, page: str) -> Class:
    """Open a room, and let its presenter come in."""
    projector = await stack.enter_async_context(open_tab(address, page))
    code = rooms.open(projector.visitor).code
    projector.go_to(f"{page}?room={code}")
    await projector.open_page(is_in)
    return Class(rooms, code, projector)


async def come_in(stack: AsyncExitStack, address: str, link: str, late: float) -> tuple[Tab, float]:
    """Open a link to a room after `late` seconds; return the tab, and how long it took."""
    await asyncio.sleep(late)
    tab = await stack.enter_async_context(open_tab(address, link))
    return tab, await tab.open_page(is_in)


async def answer_together(class_: Class, phones: list[Tab], times: ClassTimes) -> None:
    """Ask, let all answer within five seconds, and reveal."""
    chance = random.Random(len(times.counted))
    started = time.perf_counter()
    waiting = [
        asyncio.create_task(phone.until(lambda m: "How many letters" in text_of(m)))
        for phone in phones
    ]
    await asyncio.sleep(0)
    asked = await asyncio.to_thread(
        class_.rooms.ask, class_.code, class_.projector.visitor, QUESTION
    )
    times.asked += [at - started for at in await asyncio.gather(*waiting)]
    await asyncio.sleep(1.0)  # the last form is drawn with its button
    sent: list[float] = []

    async def answer(phone: Tab) -> float:
        await asyncio.sleep(chance.uniform(0.0, visitors.ARRIVAL_S))
        sent.append(time.perf_counter())
        value = {f"class_value_{asked.id}": float(chance.randint(0, 100))}
        return await phone.press(phone.submit_of(f"class_form_{asked.id}"), has_said, **value)

    counted = asyncio.create_task(
        class_.projector.until(lambda m: text_of(m).startswith(f"**{PHONES}** of"))
    )
    times.stored += await asyncio.gather(*map(answer, phones))
    times.counted.append(await counted - max(sent))
    revealed = [asyncio.create_task(phone.until(has_histogram)) for phone in phones]
    started = time.perf_counter()
    times.drawn.append(await class_.projector.press("class_reveal", has_histogram))
    times.drawn_on_phones += [at - started for at in await asyncio.gather(*revealed)]


def has_said(message: ForwardMsg) -> bool:
    """Return whether a phone confirms its answer."""
    return text_of(message).startswith("You said")


async def measure_class(address: str, rooms: Rooms, page: str) -> None:
    """Let fifty phones come in and answer, and print how soon."""
    times, chance = ClassTimes(), random.Random(1)
    async with AsyncExitStack() as stack:
        class_ = await begin_class(stack, address, rooms, page)
        first, _ = await come_in(stack, address, f"join?code={class_.code}", 0.0)
        lates = [chance.uniform(0.0, visitors.ARRIVAL_S) for _ in range(PHONES - 1)]
        link = f"join?code={class_.code}"
        came = await asyncio.gather(*(come_in(stack, address, link, late) for late in lates))
        phones = [first, *(phone for phone, _ in came)]
        times.joined += [seconds for _, seconds in came]
        for _ in range(ROUNDS):
            await answer_together(class_, phones, times)
    print(f"\n{PHONES} phones in a room, {ROUNDS} questions, on /{page or 'home'}\n")
    print("| what | n | p50 | p95 | max (ms) | must hold |")
    print("|---|---|---|---|---|---|")
    for what, seconds, bound in (
        ("link opened: name on the phone", times.joined, None),
        ("asked: question on the phone", times.asked, None),
        ("tapped: answer stored, and confirmed on the phone", times.stored, STORED_MS),
        ("last tap: all counted on the projector", times.counted, DRAWN_MS),
        ("Reveal: histogram of all on the projector", times.drawn, DRAWN_MS),
        ("Reveal: histogram of all on the phones", times.drawn_on_phones, None),
    ):
        held = "" if bound is None else verdict(1e3 * visitors.percentile(seconds), bound)
        print(f"| {what} | {len(seconds)} | {' | '.join(visitors.percentiles(seconds))} | {held} |")


def verdict(milliseconds: float, bound: float) -> str:
    """Return whether a bound on the 95th percentile holds, in words."""
    return f"p95 < {bound:,.0f}: {'holds' if milliseconds < bound else 'MISSED'}"


# Visitors who move a control ---------------------------------------------------


async def move_in_room(tab: Tab, page: str, moves: int, seed: int) -> list[float]:
    """Move a page's control about every three seconds; a move that is never answered takes for ever."""
    chance = random.Random(seed)
    seconds = []
    for i in range(moves):
        await asyncio.sleep(visitors.THINK_S * chance.uniform(0.5, 1.5))
        try:
            seconds.append(await tab.move(visitors.MOVED[page], i + 1))
        except TimeoutError:
            seconds.append(math.inf)
    return seconds


async def moves_in_room(address: str, rooms: Rooms, page: str, moves: int) -> list[float]:
    """Return the seconds of all moves of thirty visitors in a room whose question runs."""
    chance = random.Random(VISITORS)
    async with AsyncExitStack() as stack:
        class_ = await begin_class(stack, address, rooms, page)
        rooms.ask(class_.code, class_.projector.visitor, QUESTION)
        link = f"{page}?room={class_.code}"
        lates = [chance.uniform(0.0, visitors.ARRIVAL_S) for _ in range(VISITORS)]
        came = await asyncio.gather(*(come_in(stack, address, link, late) for late in lates))
        moved = (move_in_room(tab, page, moves, i) for i, (tab, _) in enumerate(came))
        return [seconds for each in await asyncio.gather(*moved) for seconds in each]


def measure_moves(address: str, rooms: Rooms, pages: list[str], moves: int) -> None:
    """Print how soon a moved control answers outside of a room and in one."""
    print(f"\n{VISITORS} visitors who each move a control about every {visitors.THINK_S:.0f} s\n")
    print("| page | where | p50 | p95 | max (ms) | p95 by p95 outside | never answered |")
    print("|---|---|---|---|---|---|---|")
    for page in pages:
        outside = asyncio.run(visitors.visit_together(address, page, moves, VISITORS)).moves
        print(f"| {page} | outside | {' | '.join(visitors.percentiles(outside))} | | |", flush=True)
        inside = asyncio.run(moves_in_room(address, rooms, page, moves))
        answered = [seconds for seconds in inside if seconds < math.inf]
        if not answered:
            raise RuntimeError(f"no move on /{page} in a room was answered")
        ratio = visitors.percentile(answered) / visitors.percentile(outside)
        lost = f"{len(inside) - len(answered)} of {len(inside)}"
        cells = " | ".join([*visitors.percentiles(answered), f"{ratio:.2f}", lost])
        print(f"| {page} | in a room | {cells} |", flush=True)


def main() -> None:
    """Measure and print all three parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", default="clustering", help="on which the projector is")
    parser.add_argument("--pages", nargs="*", default=["clustering", "attention"], help="moved on")
    parser.add_argument("--moves", type=int, default=5, help="of each visitor; default: 5")
    parser.add_argument("--postgresql", action="store_true", help="under the server, not SQLite")
    parser.add_argument("--no-databases", action="store_true", help="without the first part")
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    if not arguments.no_databases:
        measure_databases()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        url = stack.enter_context(postgresql()) if arguments.postgresql else None
        url = url or file_url(Path(folder))
        environment = {"LM_LAB_HOME": folder, "LM_LAB_DATABASE": url}
        with serving(ROOT, Path(folder) / "server.log", **environment) as address:
            rooms = Rooms(Database(url))
            asyncio.run(visitors.visit_together(address, arguments.page, 1, 1))
            asyncio.run(measure_class(address, rooms, arguments.page))
            measure_moves(address, rooms, arguments.pages, arguments.moves)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
