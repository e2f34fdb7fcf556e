"""Lessons are found by their names: shipped ones, and those that teachers brought."""

from contextlib import suppress

import pytest

from lm_core.errors import LessonError, LimitError
from pages.shared.allowances import Allowances
from pages.shared.lessons import kept
from pages.shared.lessons.kept import keep_lesson, lesson_named, shipped_lessons
from pages.shared.lessons.lesson_file import parse_lesson
from pages.shared.server.kept_files import MONTH_S
from tests.pages.shared.lessons.files import LESSON, with_line


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    folder = tmp_path / "lessons"
    folder.mkdir()
    monkeypatch.setattr(kept, "LESSONS", folder)
    shipped_lessons.cache_clear()
    yield folder
    shipped_lessons.cache_clear()


def test_a_lesson_that_was_brought_is_found_under_its_name(home):
    name = keep_lesson(LESSON.encode())
    assert lesson_named(name) == parse_lesson(LESSON.encode())
    assert keep_lesson(LESSON.encode()) == name
    assert keep_lesson(with_line("title: Groups", "title: Heaps")) != name


def test_what_is_no_lesson_is_not_kept(home):
    with pytest.raises(LessonError):
        keep_lesson(b"\x89PNG")
    assert not list(home.rglob("*"))


def test_a_teachers_lesson_stays_however_many_a_stranger_brings(home, monkeypatch):
    monkeypatch.setattr(kept, "MOST_LESSONS", 10)
    teachers = keep_lesson(LESSON.encode())
    stranger = {"stranger": Allowances(5, MONTH_S)}
    for n in range(20):
        with suppress(LimitError):
            keep_lesson(with_line("title: Groups", f"title: {n}"), stranger)
    assert lesson_named(teachers) == parse_lesson(LESSON.encode())
    assert len(list((home / "lessons").iterdir())) == 6


@pytest.mark.parametrize("name", ["", "aaaaaaa", "../../app.py", "x" * 9_000])
def test_an_unknown_name_is_no_lesson(home, name):
    assert lesson_named(name) is None


def test_a_file_that_was_damaged_since_is_no_lesson(home):
    name = keep_lesson(LESSON.encode())
    (home / "lessons" / name).write_bytes(b"half")
    assert lesson_named(name) is None


def test_a_damaged_shipped_file_is_named_and_the_others_are_there(shipped):
    (shipped / "long.md").write_bytes(with_line("minutes: 20", "minutes: 60"))
    (shipped / "short.md").write_text(LESSON, encoding="utf-8")
    (shipped / "bad.md").write_text("no lesson", encoding="utf-8")
    lessons, damaged = shipped_lessons()
    assert list(lessons) == ["short", "long"]
    assert len(damaged) == 1
    assert "bad.md: line 1: a lesson begins" in damaged[0]
    assert lesson_named("long").minutes == 85
