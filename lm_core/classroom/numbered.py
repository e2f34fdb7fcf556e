"""Answers that name what is on offer by its numbers: several choices, an order, pairs, a place in a text or picture."""

import random
import re
from collections.abc import Sequence
from urllib.parse import parse_qsl

from lm_core.classroom.records import Kind, Question
from lm_core.errors import RoomError

NUMBERED = ("several", "order", "match", "mark", "cell")
"""Kinds whose answers are numbers from 1 with commas between, as in ``2, 1, 3``."""
MOST_WORDS, LONGEST_OF_MARK = 60, 30
"""Words of a text in which a place is marked, and characters of each."""
_ASKED = {
    "several": "one or more of those on offer",
    "order": "all of those on offer, each once",
    "match": "a partner for each, and each partner once",
    "mark": "one of the words",
    "cell": "a row and a column",
}


def checked_numbers(question: Question, value: str) -> str:
    """Return a numbered answer as it is kept; raises RoomError if it is none to the question."""
    found = re.findall(r"\d{1,3}", value) if re.fullmatch(r"[\d, ]{1,200}", value) else []
    numbers = [int(number) for number in found]
    n = len(question.options)
    offered = [n, len(question.partners)] if question.kind == "cell" else [n] * len(numbers)
    fits = {
        "several": 0 < len(numbers) == len(set(numbers)),
        "order": sorted(numbers) == [*range(1, n + 1)],
        "match": sorted(numbers) == [*range(1, n + 1)],
        "mark": len(numbers) == 1,
        "cell": len(numbers) == len(offered),
    }
    if not fits[question.kind] or not all(map(_is_within, numbers, offered)):
        raise RoomError(f"the answer must be {_ASKED[question.kind]}")
    return ", ".join(map(str, sorted(numbers) if question.kind == "several" else numbers))


def _is_within(number: int, most: int) -> bool:
    return 1 <= number <= most


def said(question: Question, value: str) -> tuple[str, ...]:
    """Return what is counted of an answer, in words: each choice, each pair, the order, the place or the cell.

    Examples
    --------
    >>> said(Question("order", "Sort", ("b", "a", "c")), "2, 1, 3")
    ('a → b → c',)
    >>> said(Question("match", "Match", ("a", "b"), partners=("B", "A")), "2, 1")
    ('a → A', 'b → B')
    """
    if question.kind == "settings":
        page, _, asked = value.partition("?")
        settings = (f"{name} {setting}" for name, setting in parse_qsl(asked))
        return (": ".join(filter(None, (page, ", ".join(settings)))),)
    if question.kind not in NUMBERED:
        return (value,)
    numbers = [int(number) - 1 for number in value.split(", ")]
    if question.kind == "match":
        pairs = zip(question.options, (question.partners[i] for i in numbers), strict=True)
        return tuple(f"{left} → {right}" for left, right in pairs)
    if question.kind == "cell":
        row, column = numbers
        return (f"{question.options[row]} → {question.partners[column]}",)
    named = [question.options[i] for i in numbers]
    if question.kind == "order":
        return (" → ".join(named),)
    if question.kind == "mark":
        return (f"{named[0]} (word {numbers[0] + 1})",)
    return tuple(named)


def in_words(question: Question, value: str) -> str:
    """Return an answer as people read it."""
    return "; ".join(said(question, value))


def several(text: str, options: Sequence[str], right: Sequence[str]) -> Question:
    """Return a question of which more than one answer may be chosen."""
    return Question("several", text, tuple(options), right=places("several", options, right))


def order(text: str, sorted_options: Sequence[str]) -> Question:
    """Return a question for an order, given the right one; what is on offer is in another."""
    options = _shuffled(sorted_options, text)
    return Question("order", text, options, right=places("order", options, sorted_options))


def match(text: str, pairs: Sequence[tuple[str, str]]) -> Question:
    """Return a question for pairs, given the right ones; the partners on offer are in another order."""
    lefts, rights = zip(*pairs, strict=True)
    partners = _shuffled(rights, text)
    return Question(
        "match", text, lefts, partners=partners, right=places("match", partners, rights)
    )


def mark(text: str, passage: str) -> Question:
    """Return a question for a place in a text, in which the word that holds may have stars around it."""
    words = passage.split()
    starred = [n for n, word in enumerate(words, 1) if re.fullmatch(r"\W*?\*[^*]+\*\W*", word)]
    if len(starred) > 1:
        raise RoomError(f"one word has stars around it, here {len(starred)} have them")
    options = tuple(re.sub(r"\*([^*]+)\*", r"\1", word) for word in words)
    return Question("mark", text, options, right=str(starred[0]) if starred else None)


def check_numbered(question: Question) -> None:
    """Raise RoomError unless a numbered question offers what its kind needs."""
    if question.kind == "mark":
        longest = max(map(len, question.options), default=0)
        if not 2 <= len(question.options) <= MOST_WORDS or longest > LONGEST_OF_MARK:
            raise RoomError(
                f"a text to mark has 2 to {MOST_WORDS} words of at most {LONGEST_OF_MARK} characters,"
                f" this one {len(question.options)} of at most {longest}"
            )
    elif question.kind == "cell" and not (question.options and question.partners):
        raise RoomError("a picture to mark has rows and columns")
    elif question.kind == "order" and len(question.options) < 3:
        raise RoomError("an order has three things or more: of two, ask for a choice")
    elif question.kind == "match" and len(question.partners) != len(question.options):
        raise RoomError(
            f"each of {len(question.options)} things needs a partner, there are {len(question.partners)}"
        )


def _shuffled(options: Sequence[str], text: str) -> tuple[str, ...]:
    """Return options in an order that depends on the question alone, and is not the given one."""
    shuffled = [*options]
    random.Random(text).shuffle(shuffled)
    is_same = shuffled == [*options]
    return tuple(shuffled[1:] + shuffled[:1] if is_same else shuffled)


def places(kind: Kind, options: Sequence[str], named: Sequence[str]) -> str:
    """Return the answer of a numbered kind that names these options, as it is kept."""
    numbers = [options.index(name) + 1 for name in named]
    return ", ".join(map(str, sorted(numbers) if kind == "several" else numbers))
