"""Passages of the book and of a machine, mixed: to be told apart."""

import re
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import torch

from lm_core.errors import TextError

PASSAGES, SHOWN = 8, 200
"""Passages to be told apart, half of them the book's, and characters of each."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_ROOM = 60
"""Characters beyond those that are shown: where white space becomes one blank, a passage gets shorter."""


class Passage(NamedTuple):
    """What is to be judged."""

    text: str
    is_book: bool


def book_passages(text: str, n: int, rng: torch.Generator) -> list[str]:
    """Return passages of a text, each from the beginning of a sentence.

    Raises
    ------
    TextError
        If it has too few sentences.
    """
    last = len(text) - SHOWN - _ROOM
    starts = [found.end() for found in _SENTENCE.finditer(text) if found.end() < last]
    if len(starts) < n:
        raise TextError(
            f"a text for {n} passages must have as many sentences, this one has {len(starts)}"
        )
    chosen = torch.randperm(len(starts), generator=rng)[:n].tolist()
    return [text[starts[i] : starts[i] + SHOWN + _ROOM] for i in chosen]


def mixed(book: Sequence[str], machine: Sequence[str], rng: torch.Generator) -> tuple[Passage, ...]:
    """Return passages of both in an order that tells nothing, each cut at a word."""
    passages = [Passage(_cut(text), True) for text in book]
    passages += [Passage(_cut(text), False) for text in machine]
    return tuple(passages[i] for i in torch.randperm(len(passages), generator=rng).tolist())


def _cut(text: str) -> str:
    shown = " ".join(text.split())[:SHOWN]
    return f"{shown[: shown.rfind(' ')]} …"


def chance_of(n_right: int, n_chosen: int, n_book: int, n_passages: int) -> float:
    """Return how likely chance finds at least so many of the book's passages, choosing as many as were chosen.

    Examples
    --------
    >>> chance_of(4, 4, 4, 8) == 1 / 70
    True
    """
    most = min(n_chosen, n_book)
    ways = sum(
        comb(n_book, found) * comb(n_passages - n_book, n_chosen - found)
        for found in range(n_right, most + 1)
    )
    return ways / comb(n_passages, n_chosen)
