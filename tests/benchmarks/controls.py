"""What each control costs the server: `python -m tests.benchmarks.controls` (Linux).

One visitor after another opens each part of each page, shows its answers, and moves each control in
turn, a few values on and back. The first visitor's moves are new to the server, the second's known. Not
the clock is read but the server's processor time, which other work on the machine hardly changes, and
the bytes that come over the network, where messages are compressed. The dearest three of each part are named.

What is typed is new each time: thirty visitors type thirty sentences.
"""

import argparse
import asyncio
import os
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from pages.shared.registry import PAGES
from tests.benchmarks.processor_time import ProcessorTime, visiting
from tests.benchmarks.visitor import Control, Visitor
from tests.browser.conftest import ROOT, serving

MOST_MS, MOST_KB = 50.0, 40.0
"""What a move may cost."""
CHOOSERS = ("part", "shape", "ablation")
"""Controls that choose what a page is about: their moves are first looks at another part."""
EVERYWHERE = ("my_work", "class", "share", "present_toggle", "source")
"""Beginnings of what stands on each page; it is moved on the first one alone."""
LEFT_OUT = (
    *("train", "start", "cancel", "delete", "forget", "room", "ask_", "visitor_id", "guess_"),
    *("leads_to_", "cost_measure", "writing_start"),
)
"""Beginnings of what begins or ends work or a lesson, counts for a class, or leads to another page."""


@dataclass
class Cost:
    """What the moves of one control cost.

    Attributes
    ----------
    known, new : list of float
        Milliseconds of processor time: moves that an earlier visitor has made, and first ones.
    sent : list of int, bytes of each move over the network
    """

    known: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    @property
    def milliseconds(self) -> float:
        """The median of known moves."""
        return statistics.median(self.known or self.new)

    @property
    def kilobytes(self) -> float:
        """The median of what was sent."""
        return statistics.median(self.sent) / 1e3

    def __str__(self) -> str:
        """Return the cell of the table."""
        marks = "!" if self.milliseconds > MOST_MS or self.kilobytes > MOST_KB else ""
        new = statistics.median(self.new) if self.new else float("nan")
        return f"{self.milliseconds:.0f} / {new:.0f} ms {self.kilobytes:.0f} kB{marks}"


def is_left_out(name: str, is_first: bool) -> bool:
    """Return whether a control is not to be moved here."""
    return name.startswith(LEFT_OUT) or (name.startswith(EVERYWHERE) and not is_first)


async def show_answers(visitor: Visitor) -> None:
    """Have each question of the page answered, without a guess."""
    while name := next((name for name in visitor.controls if name.startswith("skip_")), None):
        await visitor.set(name, True)


def moves_of(control: Control, count: int, is_second: bool) -> Iterator[object]:
    """Yield the values to which a control is moved, at the end the one that it shows now.

    What is typed is another text for the second visitor.
    """
    others = [value for value in control.values if value != control.value]
    if control.label and "text" in control.widget.split("-", 1)[0]:
        others = others[count:] if is_second else others[:count]
    yield from others[:count]
    if control.value is not None and control.value != []:
        yield control.value


async def walk(
    visitor: Visitor, spent: ProcessorTime, costs: dict[str, Cost], count: int, *, is_second: bool
) -> None:
    """Move each control of the page that a visitor has open, a few values on and back.

    One that leads to another page is none of this one's.
    """
    address, opened = visitor.page.partition("?")[0], visitor.page_hash
    names = [
        name for name in visitor.controls if not is_left_out(name, address == PAGES[0].address)
    ]
    for name in names:
        if name not in visitor.controls or name in CHOOSERS:
            continue
        cost = costs.setdefault(name, Cost())
        for value in moves_of(visitor.controls[name], count, is_second):
            if name not in visitor.controls:
                break
            try:
                took = await spent.of(visitor.set(name, value))
            except TimeoutError:
                print(f"{visitor.page}: {name} = {value!r} got no answer", flush=True)
                return
            if visitor.page_hash != opened:
                del costs[name]
                return
            (cost.known if is_second else cost.new).append(took)
            cost.sent.append(visitor.travelled[-1])


async def parts_of(address: str, page: str) -> list[str]:
    """Return the addresses of a page's parts."""
    async with visiting(address, page) as visitor:
        await visitor.open_page()
        for chooser in CHOOSERS:
            if control := visitor.controls.get(chooser):
                return [f"{page}?{urlencode({chooser: value[0]})}" for value in control.values]
    return [page]


async def costs_of(address: str, page: str, count: int) -> tuple[Cost, Mapping[str, Cost]]:
    """Return what it costs to open a part of a page, and what each of its controls costs."""
    spent, first, costs = ProcessorTime(address), Cost(), dict[str, Cost]()
    for visits in range(2):
        async with visiting(address, page) as visitor:
            (first.known if visits else first.new).append(await spent.of(visitor.open_page()))
            first.sent.append(visitor.travelled[-1])
            await show_answers(visitor)
            await walk(visitor, spent, costs, count, is_second=visits > 0)
    return first, costs


def main() -> None:
    """Measure and print one row for each part of each page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pages", nargs="+", default=[spec.address for spec in PAGES], help="default: all"
    )
    parser.add_argument("--moves", type=int, default=3, help="of a control; default: 3")
    parser.add_argument("--all", action="store_true", help="name every control, not three")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            print("Each cell: known / new move, milliseconds of processor time; kilobytes sent;")
            print(f"! above {MOST_MS:g} ms or {MOST_KB:g} kB\n")
            print("| page and part | opened | the dearest controls |\n|---|---|---|")
            for page in arguments.pages:
                for part in asyncio.run(parts_of(address, page)):
                    first, costs = asyncio.run(costs_of(address, part, arguments.moves))
                    dearest = sorted(costs, key=lambda name: -costs[name].milliseconds)
                    shown = dearest if arguments.all else dearest[:3]
                    named = "; ".join(f"{name} {costs[name]}" for name in shown)
                    print(f"| {part or 'home'} | {first} | {named} |", flush=True)


if __name__ == "__main__":
    main()
