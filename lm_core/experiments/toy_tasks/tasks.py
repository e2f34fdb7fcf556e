"""Toy tasks: a string goes in, and a rule says which string must come out.

One string in five is held out by its checksum, whatever the seed: no training draws it, and all tests do.
"""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch

from lm_core.errors import TextError

LETTERS, DIGITS, BITS = "abcdefgh", "0123456789", "01"
CLOSES = {"(": ")", "[": "]"}
_HELD_OUT = 5
_MOST_TRIES = 20  # of a draw, for each string that is wanted


class Pair(NamedTuple):
    """What goes in, and what must come out."""

    given: str
    wanted: str


@dataclass(frozen=True)
class ToyTask:
    """A rule, the strings that it is for, and how long they are in training."""

    name: str
    trained: int
    """Longest of training; the tests go to twice as many."""
    draw: Callable[[int, torch.Generator], str]
    """Draws a string of some length."""
    rule: Callable[[str], str]
    is_meant: Callable[[str], bool]
    """Whether a string is one that the rule is for."""
    signs: str
    """What a string consists of, in words, for whoever types one."""
    steps: int = 1_500
    """Of a training."""

    @property
    def longest(self) -> int:
        """The longest of the tests."""
        return 2 * self.trained

    def length_of(self, given: str) -> int:
        """Return a string's length: of two numbers the digits of each."""
        return len(given.partition("+")[0])

    def read(self, typed: str) -> str:
        """Return a typed string as the models read it: without spaces, numbers with equally many digits.

        Raises TextError if the rule is not for it, or it is too long.
        """
        given = "".join(typed.lower().split())
        if "+" in given:
            numbers = given.split("+")
            given = "+".join(number.zfill(max(map(len, numbers))) for number in numbers)
        if not given or not self.is_meant(given):
            raise TextError(f"write {self.signs}, got {typed[:30]!r}")
        if self.length_of(given) > self.longest:
            raise TextError(
                f"at most {self.longest} in length, got {self.length_of(given):,}: shorten it"
            )
        return given


def draw_pairs(
    task: ToyTask, n: int, lengths: range, rng: torch.Generator, *, held_out: bool
) -> list[Pair]:
    """Draw up to n strings, held out or not, and what must come out of each; the length is drawn evenly.

    There are fewer than n where few strings are so short.
    """
    pairs: list[Pair] = []
    for _ in range(_MOST_TRIES * n):
        length = lengths[int(torch.randint(len(lengths), (), generator=rng))]
        given = task.draw(length, rng)
        if is_held_out(given) is held_out:
            pairs.append(Pair(given, task.rule(given)))
        if len(pairs) == n:
            break
    return pairs


def is_held_out(given: str) -> bool:
    """Whether a string belongs to the tests."""
    return zlib.crc32(given.encode()) % _HELD_OUT == 0


def _draws(signs: str) -> Callable[[int, torch.Generator], str]:
    def draw(length: int, rng: torch.Generator) -> str:
        return "".join(signs[i] for i in torch.randint(len(signs), (length,), generator=rng))

    return draw


def _consists_of(signs: str) -> Callable[[str], bool]:
    return lambda given: set(given) <= set(signs)


def _parity(given: str) -> str:
    return str(given.count("1") % 2)


def _draw_opened(length: int, rng: torch.Generator) -> str:
    """Draw brackets of which each closing one closes the last that is open; half close where one is open."""
    given, still_open = "", ""
    for kind, closes in torch.randint(2, (length, 2), generator=rng).tolist():
        if still_open and closes:
            given, still_open = given + CLOSES[still_open[-1]], still_open[:-1]
        else:
            sign = "(["[kind]
            given, still_open = given + sign, still_open + sign
    return given


def _still_open(given: str) -> str | None:
    """Return the brackets that are still open; None if one is closed that is not the last open one."""
    still_open = ""
    for sign in given:
        if sign in CLOSES:
            still_open += sign
        elif still_open and sign == CLOSES[still_open[-1]]:
            still_open = still_open[:-1]
        else:
            return None
    return still_open


def _closing(given: str) -> str:
    return "".join(CLOSES[sign] for sign in reversed(_still_open(given) or ""))


def _draw_sum(length: int, rng: torch.Generator) -> str:
    return "+".join(_draws(DIGITS)(length, rng) for _ in range(2))


def _sum_from_behind(given: str) -> str:
    """Return the sum's digits, the ones first, as they are found on paper."""
    numbers = given.split("+")
    return str(sum(map(int, numbers))).zfill(len(numbers[0]))[::-1]


TASKS = {
    task.name: task
    for task in (
        ToyTask("copy", 6, _draws(LETTERS), str, _consists_of(LETTERS), "letters from a to h"),
        ToyTask(
            "reverse",
            6,
            _draws(LETTERS),
            lambda given: given[::-1],
            _consists_of(LETTERS),
            "letters from a to h",
        ),
        ToyTask(
            "sort",
            6,
            _draws(LETTERS),
            lambda given: "".join(sorted(given)),
            _consists_of(LETTERS),
            "letters from a to h",
        ),
        ToyTask("parity", 10, _draws(BITS), _parity, _consists_of(BITS), "zeros and ones"),
        ToyTask(
            "brackets",
            10,
            _draw_opened,
            _closing,
            lambda given: _still_open(given) is not None,
            "round and square brackets, each closing one for the last that is open",
        ),
        ToyTask(
            "addition",
            2,  # with three digits neither model learns it in 4,000 steps
            _draw_sum,
            _sum_from_behind,
            lambda given: re.fullmatch("[0-9]+[+][0-9]+", given) is not None,
            "two numbers with + between them",
            steps=3_000,
        ),
    )
}
