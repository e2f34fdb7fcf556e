"""Make shipped files again: the commands of an entry of `shipped.toml`, after those that it needs.

What is shipped already is taken as it is, but for the entry that is named; runs that are finished are
answered from their folders. So a command that was stopped goes on where it was when it is given again.
Some experiments add to their file what it lacks (their ``--help`` says so): remove it to begin from nothing.
"""

import argparse
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from lm_core.assets import ASSETS
from lm_core.errors import RunError, SettingError

HELP = "make a shipped file again, and what it needs before it"


@dataclass(frozen=True)
class Entry:
    """How some of the shipped files are made, as `shipped.toml` says."""

    name: str
    run: tuple[str, ...]
    """What `python -m lm_core` is called with, one after the other."""
    makes: tuple[str, ...] = ()
    """Patterns of what comes out, below the folder of assets; none where only a run is left."""
    after: tuple[str, ...] = ()
    """Entries whose products or runs are read."""
    needs: str = ""
    """What must be there that is not shipped, and how long it takes, for people."""

    def has_made(self, product: str) -> bool:
        """Whether a file, or a folder of a checkpoint, named from the assets on, comes from here."""
        return any(fnmatch(product, pattern) for pattern in self.makes)

    def is_shipped(self) -> bool:
        """Whether all that it makes is there."""
        return bool(self.makes) and all(any(ASSETS.glob(pattern)) for pattern in self.makes)

    def commands(self, runs: Path) -> list[list[str]]:
        """Return the arguments of its commands, with the runs in a folder."""
        places = {"runs": str(runs), "assets": str(ASSETS), "name": self.name}
        return [[word.format(**places) for word in shlex.split(line)] for line in self.run]


@cache
def entries() -> Mapping[str, Entry]:
    """Return all entries by name, those that are needed before those that need them."""
    table = tomllib.loads(Path(__file__).with_name("shipped.toml").read_text(encoding="utf-8"))
    made: dict[str, Entry] = {}
    for name, row in table.items():
        fields: dict[str, Any] = {k: v if k == "needs" else tuple(v) for k, v in row.items()}
        made[name] = Entry(name, **fields)
    order = TopologicalSorter({name: entry.after for name, entry in made.items()}).static_order()
    return {name: made[name] for name in order}


def entry_of(asked: str) -> Entry:
    """Return the entry of that name, or the one that makes that file; SettingError if there is none."""
    if asked in entries():
        return entries()[asked]
    product = asked.removeprefix(f"{ASSETS}/").removeprefix("assets/").rstrip("/")
    for entry in entries().values():
        if entry.has_made(product):
            return entry
    raise SettingError(
        f"name must be an entry or a file in assets, got {asked!r}: make --list names all"
    )


def steps_to(wanted: Iterable[Entry], *, anew: bool = False) -> list[Entry]:
    """Return what is to be made, in order; what is shipped already is left out, unless it is wanted or all is made anew."""
    wanted = list(wanted)
    chosen: set[str] = set()
    waiting = [entry.name for entry in wanted]
    while waiting:
        name = waiting.pop()
        if name in chosen:
            continue
        chosen.add(name)
        needed = [entries()[other] for other in entries()[name].after]
        waiting += [entry.name for entry in needed if anew or not entry.is_shipped()]
    return [entry for entry in entries().values() if entry.name in chosen]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries, or files in assets")
    parser.add_argument("--list", action="store_true", help="name all entries, in their order")
    parser.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    parser.add_argument("--anew", action="store_true", help="also what is needed and shipped")
    parser.add_argument(
        "--runs", type=Path, default=Path("runs"), help="folder of the trainings (default: runs)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Run the commands of what is asked for, one after the other, each in a process of its own.

    Raises RunError if one of them fails.
    """
    if not arguments.names and not arguments.list:
        raise SettingError("name what is to be made, or ask for --list")
    if arguments.list:
        for entry in entries().values():
            print(f"{entry.name:<30} {entry.needs:<42} {' '.join(entry.makes)}".rstrip())
    for entry in steps_to(map(entry_of, arguments.names), anew=arguments.anew):
        for command in entry.commands(arguments.runs):
            print("python -m lm_core", shlex.join(command), flush=True)
            if arguments.dry_run:
                continue
            if status := subprocess.run([sys.executable, "-m", "lm_core", *command]).returncode:
                raise RunError(f"{entry.name} stopped with status {status}: mend it, then go on")
