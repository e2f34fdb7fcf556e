"""A lesson as a plain text file: a path through pages, and what to do and see on each of them.

::

    ---
    title: Where are the groups?
    chapter: Clustering and statistics
    aim: Tell what k-means assumes of a group.
    ---

    ## Two groups
    link: clustering?clusters=2
    do: Press Next until nothing moves.
    see: Each point has the colour of the nearest centre. The centres rest.
    minutes: 5
    question: Why do they rest?
    options: The limit of steps is reached | *No point changes its group
    answer: No point changes its group any more.

A value may run on over lines that begin with a space. It is shown as it is, never as Markdown or HTML.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qs, urlsplit

from lm_core.classroom.questions import checked_question, parse_question
from lm_core.classroom.records import Question
from lm_core.errors import LessonError, RoomError
from lm_core.text.file_limits import LIMITS
from pages.shared.classroom.lesson_place import PLACE
from pages.shared.registry import PAGES

LARGEST_BYTES = LIMITS.lesson
MOST_STEPS = 60
LONGEST = {"title": 80, "link": 2_000}
"""Characters of a value, by its key; of all others 600."""
_LONGEST_OF_OTHERS = 600
MOST_MINUTES = 240  # of one step
MOST_YEARS = 99
NOT_IN_A_LINK = (*PLACE, "room", "code", "go", "present", "teacher", "embed", "embed_options")
"""Parameters that are no setting of a page: where a visit is, in which class, and how it is shown."""
_ABOUT, _ABOUT_OPTIONAL = ("title", "chapter", "aim"), ("audience", "age", "known")
_STEP, _STEP_OPTIONAL = ("link", "do", "see", "minutes"), ("question", "options", "answer")
_KEY_AND_VALUE = re.compile(r"([A-Za-z_]+)(?::|\uff1a)(?:\s+(.*))?")
"""The colon may be the wide one of Chinese and Japanese keyboards."""


@dataclass(frozen=True)
class Step:
    """One page of a lesson."""

    title: str
    link: str  # address and parameters of a page of the lab, without a slash before them
    # do and see: what to do there, and what is seen then
    do: str
    see: str
    minutes: int
    # question and answer: for the class; empty where there is none
    question: str = ""
    # what may be answered, as a teacher writes it behind a question of their own: options with a
    # bar between them and a star at what holds, or the ends of an axis; empty for a free answer
    options: str = ""
    answer: str = ""

    @property
    def class_question(self) -> Question:
        """Its question as one for a class; raises RoomError if it may not be asked so."""
        if not self.options:
            return checked_question(Question("word", self.question, reason=self.answer))
        between = next((sign for sign in ("|", " > ") if sign in self.options), "")
        asked = parse_question(f"{self.question} {between} {self.options}")
        return checked_question(replace(asked, reason=self.answer))

    @property
    def address(self) -> str:
        """Of its page."""
        return urlsplit(self.link).path


@dataclass(frozen=True)
class Lesson:
    """A path through pages of the lab."""

    title: str
    chapter: str
    aim: str
    steps: tuple[Step, ...]  # at least one
    audience: str = ""  # for whom it is; empty where the file does not say
    age: int = 0  # of the class in years, at least; 0 where the file does not say
    known: tuple[str, ...] = ()  # what the class has to know

    @property
    def minutes(self) -> int:
        """Of all steps."""
        return sum(step.minutes for step in self.steps)


class _Line(NamedTuple):
    """A line of the file, or a value that begins there."""

    number: int
    text: str


def parse_lesson(content: bytes) -> Lesson:
    """Read a lesson from its file.

    Raises LessonError, naming the line, what must be there, what is, and what to do.

    Parameters
    ----------
    content : bytes, UTF-8, at most 64 kB
    """
    lines = _lines(content)
    about, rest = _front_matter(lines)
    steps = tuple(_step(title, block) for title, block in _blocks(rest))
    if not 1 <= len(steps) <= MOST_STEPS:
        raise LessonError(
            f"a lesson has 1 to {MOST_STEPS} steps, this one has {len(steps)}: begin each with a line"
            " '## ' and its title"
        )
    values = _values(about, _ABOUT, _ABOUT_OPTIONAL, "the lines between ---", 1)
    age, known = values.pop("age", None), values.pop("known", None)
    return Lesson(
        steps=steps,
        age=0 if age is None else _whole("age", age, MOST_YEARS),
        known=() if known is None else tuple(filter(None, map(str.strip, known.text.split(",")))),
        **{key: value.text for key, value in values.items()},
    )


def _lines(content: bytes) -> list[_Line]:
    if len(content) > LARGEST_BYTES:
        raise LessonError(
            f"a lesson's file has at most {LARGEST_BYTES:,} bytes, this one has {len(content):,}:"
            " shorten its texts, or split it into two lessons"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise LessonError(
            f"line {number}: a lesson is a text file in UTF-8, and byte {error.start + 1:,} is none"
            " of it: save it as plain text, UTF-8"
        ) from error
    if "\0" in text:
        number = text[: text.index("\0")].count("\n") + 1
        raise LessonError(
            f"line {number}: a lesson is a text file, and this one has a zero byte: save it as plain"
            " text, UTF-8"
        )
    split = re.split(r"\r\n|\r|\n", text)
    return [_Line(number, line.rstrip()) for number, line in enumerate(split, 1)]


def _front_matter(lines: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """Return the lines between the two of dashes, and those after them."""
    filled = [line for line in lines if line.text]
    dashes = [i for i, line in enumerate(filled) if line.text == "---"]
    if len(dashes) < 2 or dashes[0] != 0:
        first = filled[0] if filled else _Line(1, "")
        raise LessonError(
            f"line {first.number}: a lesson begins with a line --- , then title, chapter and aim, then"
            f" another ---; found {_quoted(first.text)}: write these lines first"
        )
    return filled[1 : dashes[1]], filled[dashes[1] + 1 :]


def _blocks(lines: list[_Line]) -> Iterator[tuple[_Line, list[_Line]]]:
    """Yield the title of each step and its lines."""
    starts = [i for i, line in enumerate(lines) if line.text.startswith("## ")]
    if stray := lines[: starts[0] if starts else len(lines)]:
        raise LessonError(
            f"line {stray[0].number}: after the second --- comes a step, '## ' and its title; found"
            f" {_quoted(stray[0].text)}: put such a line before it"
        )
    for start, end in pairwise([*starts, len(lines)]):
        title = _Line(lines[start].number, lines[start].text[3:].strip())
        yield _checked("title", title), lines[start + 1 : end]


def _step(title: _Line, lines: list[_Line]) -> Step:
    where = f"the step {_quoted(title.text)}"
    values = _values(lines, _STEP, _STEP_OPTIONAL, where, title.number)
    for key in ("answer", "options"):
        if key in values and "question" not in values:
            raise LessonError(
                f"line {values[key].number}: {key} needs a question, and {where} has none: add a"
                " line question:"
            )
    minutes, link = values.pop("minutes"), values.pop("link")
    texts = {key: value.text for key, value in values.items()}
    step = Step(
        title=title.text,
        link=_link(link),
        minutes=_whole("minutes", minutes, MOST_MINUTES),
        **texts,
    )
    if "options" in values:
        _check_options(step, values["options"])
    return step


def _check_options(step: Step, options: _Line) -> None:
    try:
        asked = step.class_question
    except RoomError as error:
        raise LessonError(f"line {options.number}: {error}: correct the options") from error
    if asked.kind == "word":
        raise LessonError(
            f"line {options.number}: options are answers with a bar between them, as in A | *B, or the ends"
            f" of an axis, as in 0..100 = 42; got {_quoted(options.text)}: write them so"
        )


def _values(
    lines: list[_Line], needed: tuple[str, ...], optional: tuple[str, ...], where: str, number: int
) -> dict[str, _Line]:
    """Read ``key: value`` lines, each value with those below it that begin with a space."""
    found: dict[str, _Line] = {}
    key = ""
    for line in lines:
        if line.text[0].isspace() and key:
            begun = found[key]
            found[key] = begun._replace(text=f"{begun.text} {line.text.strip()}".strip())
            continue
        match = _KEY_AND_VALUE.fullmatch(line.text)
        key = match[1] if match else ""
        if match is None or key not in needed + optional:
            keys = ", ".join(needed + optional)
            raise LessonError(
                f"line {line.number}: in {where}, a line begins with one of {keys} and a colon; found"
                f" {_quoted(line.text)}: correct it, or begin it with a space if it goes on with the line"
                " above"
            )
        if key in found:
            raise LessonError(
                f"line {line.number}: {where} says {key} twice, first in line {found[key].number}:"
                " delete one of the two"
            )
        found[key] = _Line(line.number, (match[2] or "").strip())
    if missing := [key for key in needed if key not in found]:
        raise LessonError(
            f"line {number}: {where} must have {', '.join(needed)}; it has no"
            f" {', '.join(missing)}: add a line {missing[0]}:"
        )
    return {key: _checked(key, value) for key, value in found.items()}


def _checked(key: str, value: _Line) -> _Line:
    """Return a value that is neither empty nor too long."""
    longest = LONGEST.get(key, _LONGEST_OF_OTHERS)
    if not 1 <= len(value.text) <= longest:
        raise LessonError(
            f"line {value.number}: {key} must have 1 to {longest:,} characters, it has {len(value.text):,}:"
            f" {'shorten it' if value.text else 'write it behind the colon'}"
        )
    return value


def _whole(key: str, value: _Line, most: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", value.text) or not 1 <= int(value.text) <= most:
        raise LessonError(
            f"line {value.number}: {key} must be a whole number from 1 to {most}, got"
            f" {_quoted(value.text)}: write, for instance, {key}: {5 if most > MOST_YEARS else 16}"
        )
    return int(value.text)


def _link(value: _Line) -> str:
    """Return a link to a page of the lab, without the slash before it."""
    try:
        parts = urlsplit(value.text)
    except ValueError:
        parts = SplitResult("unreadable", "", value.text, "", "")
    address = parts.path.removeprefix("/")
    if parts.scheme or parts.netloc or parts.fragment or not value.text.isprintable():
        raise LessonError(
            f"line {value.number}: a link names a page of this lab and its settings, without a host;"
            f" got {_quoted(value.text)}: keep what stands behind the host, such as attention?query=3"
        )
    if not any(spec.address == address for spec in PAGES):
        known = ", ".join(spec.address for spec in PAGES if spec.address)
        raise LessonError(
            f"line {value.number}: {_quoted(address)} is no page of this lab: link to one of {known}"
        )
    asked = parse_qs(parts.query, keep_blank_values=True)
    if reserved := [name for name in NOT_IN_A_LINK if name in asked]:
        raise LessonError(
            f"line {value.number}: a lesson's link has settings of its page alone, and {reserved[0]} in"
            f" {_quoted(value.text)} is none: leave it out"
        )
    return f"{address}?{parts.query}" if parts.query else address


def _quoted(text: str) -> str:
    return f"'{text[:60]}…'" if len(text) > 60 else f"'{text}'"
