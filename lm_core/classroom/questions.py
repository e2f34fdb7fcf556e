"""Questions and answers of a class: what may be asked, and what may be answered."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lm_core.classroom import numbered
from lm_core.classroom.records import Question
from lm_core.errors import RoomError

LONGEST_TEXT, LONGEST_OPTION, LONGEST_TOKEN, LONGEST_WORD = 300, 120, 16, 40
LONGEST_LINE, LONGEST_REASON, LONGEST_LINK = 2_000, 600, 200
_LINK = re.compile(r"[a-z][a-z0-9-]*(?:\?[!-~]*)?")
_SETTINGS = "(settings)"
MOST_OPTIONS, N_BINS = 12, 12

_NUMBER = r"-?(?<!\d)\d+(?:[.,]\d+)?"
"""It begins with its first digit: otherwise a line of digits is tried from each of them to each."""
_RANGE = re.compile(
    rf"(.*?)\s*({_NUMBER})\s*%?\s*(?:\.\.\.?|\u2026)\s*({_NUMBER})\s*%?\s*(?:=\s*(.*?)\s*%?)?"
)
"""Some keyboards join dots into one character; a percent sign is no part of a number."""
_TOLERANCE = re.compile(rf"({_NUMBER})\s*%?\s*(?:±|\+/?-)\s*({_NUMBER})")
_REASON, _SORTED, _PASSAGE, _PAIR = " => ", " > ", " // ", re.compile(r"\s(?:->|→)\s")
_AXES = re.compile(r"(.*?)\s+([^\W\d]\w*)\s*,\s*([^\W\d]\w*)")
_RIGHT = re.compile(r"(.*\S)\s+=\s+(.*[^\s?])")
"""What ends in a question mark is no answer: *Is 2 + 2 = 4?*"""
_BAR = re.compile(r"\s\|(?:\s|$)|\s*\uff5c\s*")
"""Between options. Without spaces it belongs to the words, as in P(A|B); the wide one of Chinese and Japanese
keyboards has its spaces within."""
_CALL = re.compile(r"\w\([^()]*\)")
"""Brackets of a function, where a bar belongs to the words also with spaces: P(A | B)."""
_DECIMAL_COMMA = re.compile(r"-?\d+,(?!\d{3}$)\d+")
"""Three digits may also be thousands: such a number is refused."""
_GAP = "_"
_FEWEST_PLACES, _MOST_PLACES = 100, 1_000
"""Of a slider, where not every place is a whole number: and up to how many there are all whole ones."""

HOW_TO_ASK = (
    "`Which learns faster? | RNN | *LSTM` is a choice, with a star at the answer that holds, and a"
    " space on both sides of each bar, and with two stars or more several may be chosen;"
    " `Sort > bytes > tokens > vectors` asks for an order;"
    " `Match | RNN -> a state | attention -> all tokens` for pairs;"
    " `Which word decides? // not a *bad* film` for a word of a text;"
    " `Make k-means fail (settings)` for a page as each student has set it;"
    " `How many letters? 0..100 = 42 ± 3` for a number;"
    " `Where will the centre go? x, y 0..10` for a point; `The next letter of langua_ = g` for a token;"
    " anything else for a word. What stands behind ` => ` is the reason, shown with the answers."
)


def checked_question(question: Question) -> Question:
    """Return a question that may be asked, its text in one line.

    Raises RoomError if it is empty or too long, or options, axis or right answer do not fit its
    kind.
    """
    question = replace(question, text=" ".join(question.text.split()))
    if not 1 <= len(question.text) <= LONGEST_TEXT:
        raise RoomError(
            f"a question has 1 to {LONGEST_TEXT} characters, this one {len(question.text):,}"
        )
    if len(question.reason) > LONGEST_REASON:
        raise RoomError(
            f"a reason has at most {LONGEST_REASON} characters, this one {len(question.reason):,}"
        )
    if question.kind in ("choice", "several", "order", "match"):
        _check_options(question.options)
    if question.kind == "match":
        _check_options(question.partners)
    if question.kind in numbered.NUMBERED:
        numbered.check_numbered(question)
    elif question.kind in ("number", "point"):
        _check_axis(question)
    if question.right is not None:
        question = replace(question, right=checked_answer(question, question.right))
    return question


def _check_options(options: Sequence[str]) -> None:
    if not 2 <= len(options) <= MOST_OPTIONS or len(set(options)) < len(options):
        raise RoomError(
            f"a choice has 2 to {MOST_OPTIONS} different answers, this one {len(set(options))}"
        )
    for option in options:
        if not 1 <= len(option) <= LONGEST_OPTION:
            raise RoomError(
                f"an answer to choose has 1 to {LONGEST_OPTION} characters, one has {len(option):,}"
            )


def _check_axis(question: Question) -> None:
    width = question.highest - question.lowest
    if not 0 < width / N_BINS < math.inf:
        raise RoomError(
            "an axis has finite ends, the first below the second, as in 0..100, this one is"
            f" {question.lowest:g}..{question.highest:g}"
        )
    if question.tolerance is not None and not 0 <= question.tolerance <= width:
        raise RoomError(
            f"a tolerance lies between 0 and the axis's {width:g}, got {question.tolerance:g}"
        )
    if question.kind == "point" and len(question.axes) != 2:
        raise RoomError(
            f"a point has two axes, as in x, y 0..10, this one has {len(question.axes)}"
        )


def checked_answer(question: Question, value: str) -> str:
    """Return an answer as it is kept: an option, ``12.5``, ``3, 4``, a token as it is, or a word.

    Raises RoomError if it is no answer to the question.
    """
    if question.kind == "choice":
        if value not in question.options:
            raise RoomError(f"the answer must be one of those on offer, got {_short(value)}")
        return value
    if question.kind in numbered.NUMBERED:
        return numbered.checked_numbers(question, value)
    if question.kind == "number":
        return _written(question, _number(question, value))
    if question.kind == "point":
        return ", ".join(_written(question, number) for number in point(question, value))
    if question.kind == "token":
        if not 1 <= len(value) <= LONGEST_TOKEN or not _is_visible(value):
            raise RoomError(
                f"a token has 1 to {LONGEST_TOKEN} characters in one line, got {_short(value)}"
            )
        return value
    if question.kind == "settings":
        if len(value) > LONGEST_LINK:
            raise RoomError(
                f"these settings have {len(value):,} characters, and {LONGEST_LINK} can be sent: set"
                " back what you do not need"
            )
        if not _LINK.fullmatch(value):
            raise RoomError(f"settings are a page with its parameters, got {_short(value)}")
        return value
    word = " ".join(value.split())
    if not 1 <= len(word) <= LONGEST_WORD or not _is_visible(word):
        raise RoomError(f"an answer has 1 to {LONGEST_WORD} characters, got {_short(word)}")
    return word


def point(question: Question, value: str) -> tuple[float, float]:
    """Return the coordinates that an answer in the plane names.

    Raises RoomError if it does not name two numbers within the axes.
    """
    parts = value.split(",")
    if len(parts) != 2:
        raise RoomError(f"a point is two numbers with a comma between, got {_short(value)}")
    return _number(question, parts[0]), _number(question, parts[1])


def _number(question: Question, value: str) -> float:
    number = _as_float(value[:40], "the answer")
    if not question.lowest <= number <= question.highest:
        raise RoomError(
            f"the answer must lie between {question.lowest:g} and {question.highest:g}, got"
            f" {_short(value)}"
        )
    return number


def _as_float(value: str, what: str) -> float:
    plain = value.strip()
    try:
        return float(plain.replace(",", ".") if _DECIMAL_COMMA.fullmatch(plain) else plain)
    except ValueError:
        raise RoomError(
            f"{what} must be a number, got {_short(value)}: write it without marks between thousands"
        ) from None


def _written(question: Question, number: float) -> str:
    """Return a number to ten digits, or in full where these would leave the axis."""
    rounded = f"{number:.10g}"
    return rounded if question.lowest <= float(rounded) <= question.highest else repr(number)


def _is_visible(text: str) -> bool:
    return all(character.isprintable() for character in text)


def _short(value: str) -> str:
    return repr(value) if len(value) <= LONGEST_WORD else f"{len(value):,} characters"


def parse_question(line: str) -> Question:
    """Return the question that a teacher wrote in one line; see `HOW_TO_ASK`.

    Raises RoomError if it may not be asked so.

    Examples
    --------
    >>> parse_question("Which learns faster? | RNN | *LSTM").right
    'LSTM'
    >>> parse_question("How many letters? 0..100 = 42").kind
    'number'
    """
    if len(line) > LONGEST_LINE:
        raise RoomError(f"a question has at most {LONGEST_LINE:,} characters, got {len(line):,}")
    line = "".join(filter(str.isprintable, " ".join(line.split())))
    before, between, after = line.rpartition(_REASON)
    asked = _parsed(before if between else line)
    return checked_question(replace(asked, reason=after.strip() if between else ""))


def _parsed(line: str) -> Question:
    if line.endswith(_SETTINGS):
        return Question("settings", line.removesuffix(_SETTINGS))
    if len(parts := _between_bars(line)) > 1:
        return _pairs(parts) or _choice(parts)
    if len(parts := line.split(_SORTED)) > 3:
        return numbered.order(parts[0], parts[1:])
    if len(parts := line.split(_PASSAGE, maxsplit=1)) > 1:
        return numbered.mark(*parts)
    if found := _RANGE.fullmatch(line):
        return _on_axis(*found.groups())
    text, right = found.groups() if (found := _RIGHT.fullmatch(line)) else (line, None)
    kind = "token" if text.rstrip(" ?.").endswith(_GAP) else "word"
    return Question(kind, text, right=right)  # type: ignore[arg-type]


def _between_bars(line: str) -> list[str]:
    """Return the question and its options; a line without bars whole."""
    calls = [found.span() for found in _CALL.finditer(line)]
    bars = (found.span() for found in _BAR.finditer(line))
    cuts = [bar for bar in bars if not any(begin < bar[0] < end for begin, end in calls)]
    begins, ends = (0, *(end for _, end in cuts)), (*(begin for begin, _ in cuts), len(line))
    return [line[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]


def _choice(parts: Sequence[str]) -> Question:
    text, *written = parts
    starred = [option.strip("* ") for option in written if "*" in (option[:1], option[-1:])]
    options = tuple(
        option.strip("* ") if "*" in (option[:1], option[-1:]) else option for option in written
    )
    if len(starred) > 1:
        return numbered.several(text, options, starred)
    return Question("choice", text, options, right=starred[0] if starred else None)


def _pairs(parts: Sequence[str]) -> Question | None:
    """Return a question for pairs; None unless each part has an arrow, and none the star of a choice."""
    text, *written = parts
    pairs = [_PAIR.split(pair) for pair in written]
    if any(len(pair) != 2 or pair[0].startswith("*") for pair in pairs):
        return None
    return numbered.match(text, [(left, right) for left, right in pairs])


def _on_axis(text: str, lowest: str, highest: str, right: str | None) -> Question:
    first, last = (_as_float(end, "the end of an axis") for end in (lowest, highest))
    ends: dict[str, Any] = {"lowest": first, "highest": last, "right": right}
    if found := _AXES.fullmatch(text):
        return Question("point", found[1], axes=(found[2], found[3]), **ends)
    if found := _TOLERANCE.fullmatch(right or ""):
        ends |= {"right": found[1], "tolerance": _as_float(found[2], "the tolerance")}
    return Question("number", text, **ends)


def number_step(question: Question) -> float:
    """Return how far apart the numbers are that may be chosen as an answer.

    Between whole ends, with a whole answer or none given, they are whole as soon as there are a few;
    otherwise steps of 1, 2 or 5 times a power of ten that reach the right answer.

    Examples
    --------
    >>> number_step(Question("number", "How many?", lowest=1, highest=10, right="2"))
    1.0
    >>> number_step(Question("number", "How likely?", lowest=0, highest=1))
    0.01
    """
    width = question.highest - question.lowest
    given = [question.lowest, question.highest]
    given += [] if question.right is None else [float(question.right)]
    if 2 < width <= _MOST_PLACES and all(float(number).is_integer() for number in given):
        return 1.0
    power = math.floor(math.log10(width / _FEWEST_PLACES))
    finest = power - 4
    steps = [float(f"{digit}e{n}") for n in range(power, finest, -1) for digit in (5, 2, 1)]
    small = [step for step in steps if step <= width / _FEWEST_PLACES]
    return next((step for step in small if _reaches(step, given)), small[-1])


def _reaches(step: float, numbers: Sequence[float]) -> bool:
    """Return whether all numbers lie on steps counted from the first one."""
    counts = [(number - numbers[0]) / step for number in numbers]
    return all(math.isclose(count, round(count), abs_tol=1e-6) for count in counts)
