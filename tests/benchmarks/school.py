"""A school on one machine, and a replica that dies: `python -m tests.benchmarks.school --replicas 2`.

The deployment of compose.yaml as processes (`tests.benchmarks.topology` says what to install). Students
on websockets move a control every three seconds, each with settings of their own in the link; a training
runs on a Dask worker; where Chromium is present, one student more is a real browser in a class room, who
has answered its question. Then the replica of most of them is killed. Printed is how long each was
without an answer, and whether they came back with their settings, the browser's room and answer, and
the training. `tests.benchmarks.scaling` says how many students there may be.
"""

import argparse
import asyncio
import hashlib
import hmac
import os
import random
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import websockets

from lm_core.classroom.database import Database
from lm_core.classroom.records import Question
from lm_core.classroom.rooms import Rooms
from lm_core.jobs import jobs
from tests.benchmarks import visitors
from tests.benchmarks.topology import Replica, School, school
from tests.benchmarks.visitor import Visitor
from tests.browser.conftest import CHROMIUM, FLAGS, settle

_COOKIE = "lm_lab_replica"
_PAGE, _CONTROL = "clustering", "clusters"
_BEFORE_S, _AFTER_S = 20.0, 15.0
_QUESTION = Question(
    "choice", "Which one learns faster?", ("This one", "That one"), right="That one"
)
_ANSWER, _ANSWERED = "That one", "change it until it is revealed"
_TEACHER = "teacher"


@dataclass
class Student:
    """One student's connection through the proxy, made anew whenever it breaks, as a browser does.

    Attributes
    ----------
    address : str, of the proxy
    clusters : float, the setting that the link carries
    cookie : str, by which the proxy knows the replica
    lost_at, back_after_s : float or None
        When the connection broke, and how long it took until a page was there again.
    kept_settings : bool, whether that page had the setting of before
    """

    address: str
    clusters: float
    cookie: str = ""
    lost_at: float | None = None
    back_after_s: float | None = None
    kept_settings: bool = True
    moves: list[float] = field(default_factory=list)

    async def take_part(self, seconds: float, chance: random.Random) -> None:
        """Use a page for so many seconds."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            try:
                await self._use_page(until, chance)
            except (OSError, websockets.WebSocketException):
                self.lost_at = self.lost_at or time.perf_counter()
                await asyncio.sleep(chance.uniform(0.25, 0.5))  # as Streamlit's client does

    async def _use_page(self, until: float, chance: random.Random) -> None:
        self.cookie = await asyncio.to_thread(sticky_cookie, self.address, self.cookie)
        async with websockets.connect(
            stream_of(self.address), **headers_of(self.cookie), max_size=None
        ) as socket:
            visitor = Visitor(socket, f"{_PAGE}?{_CONTROL}={self.clusters:g}")
            await visitor.open_page()
            self.kept_settings &= visitor.controls[_CONTROL].value == [self.clusters]
            if self.lost_at and self.back_after_s is None:
                self.back_after_s = time.perf_counter() - self.lost_at
            while time.perf_counter() < until:
                await asyncio.sleep(visitors.THINK_S * chance.uniform(0.5, 1.5))
                step = chance.randrange(1, 10)
                self.moves.append(await visitor.move(_CONTROL, step))
                (self.clusters,) = visitor.controls[_CONTROL].values[step]


def sticky_cookie(address: str, known: str = "") -> str:
    """Ask the proxy for its health page, as a browser does first; return the cookie that names a replica."""
    request = urllib.request.Request(f"{address}/_stcore/health")
    if known:
        request.add_header("Cookie", f"{_COOKIE}={known}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        for line in answer.headers.get_all("Set-Cookie") or ():
            name, _, rest = line.partition("=")
            if name == _COOKIE:
                return rest.partition(";")[0]
    return known


def stream_of(address: str) -> str:
    """Return the address of the websocket."""
    return f"{address.replace('http', 'ws', 1)}/_stcore/stream"


def headers_of(cookie: str) -> dict[str, Any]:
    """Return how to connect as Streamlit's client does, to the replica of a cookie."""
    headers = {"Cookie": f"{_COOKIE}={cookie}"}
    return {"subprotocols": ["streamlit"], "additional_headers": headers}


def cookie_of(replica: Replica) -> str:
    """Return the cookie by which Caddy leads to a replica."""
    return hmac.new(b"", f"127.0.0.1:{replica.port}".encode(), hashlib.sha256).hexdigest()


@dataclass
class Browser:
    """A real browser: a student in a class room whose question they have answered.

    Attributes
    ----------
    page : playwright.sync_api.Page
    rooms : Rooms
    code : str, of the room
    question : int
    bar : str, what the class's bar says of the student
    """

    page: Any
    rooms: Rooms
    code: str
    question: int
    bar: str = ""

    @property
    def cookie(self) -> str:
        """The cookie that names its replica."""
        return next(c["value"] for c in self.page.context.cookies() if c["name"] == _COOKIE)

    def answer(self, address: str) -> None:
        """Come into the room, and answer."""
        self.page.goto(f"{address}/{_PAGE}?room={self.code}&{_CONTROL}=5")
        self.page.get_by_text(_ANSWER, exact=True).first.click()
        self.page.get_by_text(_ANSWERED).wait_for()
        self.bar = self._bar()

    def see_reveal(self) -> None:
        """Let the teacher reveal, and wait until this page, at whatever replica, shows it."""
        self.rooms.reveal(self.code, _TEACHER, self.question)
        self.page.get_by_text(_ANSWERED).wait_for(state="detached")

    def kept(self) -> dict[str, bool]:
        """Return what is as it was before."""
        settle(self.page)
        return {
            "room": self._bar() == self.bar,
            "answer": self.rooms.answers(self.question) == [_ANSWER],
            "settings": f"{_CONTROL}=5" in self.page.url,
        }

    def _bar(self) -> str:
        """Return the room's code and the student's alias, as the page shows them."""
        return self.page.locator(".st-key-class_bar").inner_text().split("\n")[0]


@contextmanager
def browser_in_room(lab: School) -> Iterator[Browser | None]:
    """Let a real browser answer the question of a room; None without Chromium."""
    if CHROMIUM is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    rooms = Rooms(Database(lab.environment["LM_LAB_DATABASE"]))
    code = rooms.open(_TEACHER).code
    asked = rooms.ask(code, _TEACHER, _QUESTION)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        browser = Browser(chromium.new_page(), rooms, code, asked.id)
        browser.page.set_default_timeout(60_000)
        browser.answer(lab.address)
        yield browser
        chromium.close()


def class_at(address: str, students: int, seconds: float) -> tuple[list[Student], Thread]:
    """Let so many students take part, in a thread of their own."""
    chance = random.Random(students)
    taking_part = [Student(address, clusters=2 + i % 8) for i in range(students)]

    async def all_of_them() -> None:
        await asyncio.gather(*(student.take_part(seconds, chance) for student in taking_part))

    thread = Thread(target=asyncio.run, args=(all_of_them(),), daemon=True)
    thread.start()
    return taking_part, thread


def report(students: list[Student], killed: Replica, lab: School) -> None:
    """Print what became of those whose replica died."""
    lost = [student for student in students if student.lost_at]
    back = [student for student in lost if student.back_after_s is not None]
    kept = sum(student.kept_settings for student in back)
    elsewhere = sum(student.cookie != cookie_of(killed) for student in back)
    moves = " / ".join(visitors.percentiles([s for student in students for s in student.moves]))
    seconds = sorted(student.back_after_s or 0.0 for student in back)
    print(f"| students | {len(students)} on {len(lab.replicas)} replicas |")
    print(f"| a move, p50 / p95 / max | {moves} ms |")
    print(f"| lost their replica | {len(lost)} |")
    print(f"| on another, with settings | {elsewhere}, {kept} |")
    if seconds:
        half, most = seconds[len(seconds) // 2], seconds[-1]
        print(f"| page there again after, p50 / max | {half:.1f} / {most:.1f} s |")


def main() -> None:
    """Start a school, kill a replica under load, and print what its students saw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--workers", type=int, default=1, help="of Dask; default: 1")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        lab_folder = Path(folder)
        with school(lab_folder, arguments.replicas, arguments.workers) as lab:
            os.environ.update(lab.environment)
            warm_up(lab)
            with visitors.training_in_background(seed=1), browser_in_room(lab) as browser:
                students, thread = class_at(lab.address, arguments.students, _BEFORE_S + _AFTER_S)
                time.sleep(_BEFORE_S)
                at = Counter(student.cookie for student in students)
                killed = max(lab.replicas, key=lambda replica: at[cookie_of(replica)])
                if browser is not None:
                    killed = next(r for r in lab.replicas if cookie_of(r) == browser.cookie)
                (training,) = jobs.jobs()
                before = training.run.last_metrics()["step"]
                killed.kill()
                killed_at = time.perf_counter()
                print("| what | measured |\n|---|---|")
                if browser is not None:
                    browser.see_reveal()
                    took = time.perf_counter() - killed_at
                    print(f"| a browser there sees its teacher's reveal after | {took:.1f} s |")
                    kept = ", ".join(f"{name}: {is_so}" for name, is_so in browser.kept().items())
                    print(f"| what it has kept | {kept} |")
                thread.join()
                report(students, killed, lab)
                steps = training.run.last_metrics()["step"] - before
                print(f"| the training went on by | {steps} steps |")


def warm_up(lab: School) -> None:
    """Open the page once at every replica: its first visitor waits for imports."""
    for replica in lab.replicas:
        asyncio.run(visitors.visit_together(replica.address, _PAGE, moves=0, visitors=1))


if __name__ == "__main__":
    main()
