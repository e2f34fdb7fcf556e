"""The lessons of this server: those that are shipped, and those that teachers have brought."""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from lm_core.assets import LESSONS, shown
from lm_core.errors import LessonError
from lm_core.jobs.run_folder import home
from pages.shared.allowances import Allowances
from pages.shared.lessons.lesson_file import Lesson, parse_lesson
from pages.shared.registry import PAGES
from pages.shared.server.kept_files import MONTH_S, KeptFiles

MOST_LESSONS = 1_000
"""Of teachers; those that nobody has opened for a month make room for new ones."""

LESSONS_OF_VISITOR, LESSONS_OF_ADDRESS = Allowances(20, MONTH_S), Allowances(100, MONTH_S)
"""A school's teachers may have one address."""

_parsed = lru_cache(maxsize=64)(parse_lesson)


class Shipped(NamedTuple):
    """The lessons in `assets/lessons`."""

    # by the names of their files; the short ones first, in the order of the chapters
    lessons: Mapping[str, Lesson]
    damaged: tuple[str, ...]  # what is wrong with files that cannot be read


@cache
def shipped_lessons() -> Shipped:
    """Return the lessons that come with the lab, and what of them cannot be read."""
    order = {spec.chapter: place for place, spec in enumerate(PAGES)}
    found, damaged = [], []
    for path in sorted(LESSONS.glob("*.md")):
        try:
            found.append((path.stem, parse_lesson(path.read_bytes())))
        except (LessonError, OSError) as error:
            damaged.append(f"{shown(path)}: {error}")
    found.sort(key=lambda pair: (pair[1].minutes, order.get(pair[1].chapter, len(order))))
    return Shipped(MappingProxyType(dict(found)), tuple(damaged))


def keep_lesson(content: bytes, owners: Mapping[str, Allowances] | None = None) -> str:
    """Keep a teacher's lesson, and return the letters by which links name it.

    Raises LessonError if it is none; nothing is kept then. Raises LimitError if no more lessons are
    kept now.

    Parameters
    ----------
    owners : mapping of str to Allowances, who brings it, as for `KeptFiles.keep`
    """
    _parsed(content)
    return _kept().keep(content, owners)


def lesson_named(name: str) -> Lesson | None:
    """Return a lesson by the name that links give it; None where it is not known."""
    shipped = shipped_lessons().lessons
    if name in shipped:
        return shipped[name]
    content = _kept().read(name)
    try:
        return None if content is None else _parsed(content)
    except LessonError:  # another version of the lab kept it, or the disk lost a part of it
        return None


def lesson_titles(name: str) -> tuple[str, ...]:
    """Return a lesson's title and those of its steps, by the name that links give it; nothing where it is not known."""
    lesson = lesson_named(name)
    return () if lesson is None else (lesson.title, *(step.title for step in lesson.steps))


def _kept() -> KeptFiles:
    return KeptFiles(home() / "lessons", MOST_LESSONS, "lessons")
