"""Completion codes: they say what was put in, however they are typed, and nobody else can make one."""

from datetime import date

import pytest

from lm_core.classroom.completion import (
    Completion,
    completion,
    completion_code,
    kept_secret,
    read_completion_code,
)
from lm_core.errors import LessonError

SECRET = b"s" * 32
DONE = Completion(5, 6, 41, date(2026, 11, 28), 40_000)
CODE = completion_code(DONE, "first-visit", SECRET)


def swapped(code, place):
    return code[:place] + ("A" if code[place] != "A" else "B") + code[place + 1 :]


@pytest.mark.parametrize("typed", [CODE, CODE.lower(), CODE.replace("-", " "), f"  {CODE}\n"])
def test_a_code_says_what_was_done_however_it_is_typed(typed):
    assert read_completion_code(typed, "first-visit", SECRET) == DONE


def test_digits_that_look_like_letters_are_taken_for_them():
    typed = CODE.translate(str.maketrans("OIB", "018"))
    assert typed != CODE, "the example holds none of them"
    assert read_completion_code(typed, "first-visit", SECRET) == DONE


@pytest.mark.parametrize("place", [i for i, letter in enumerate(CODE) if letter != "-"])
def test_a_code_with_a_letter_changed_is_refused(place):
    with pytest.raises(LessonError, match="not made this code"):
        read_completion_code(swapped(CODE, place), "first-visit", SECRET)


def test_the_code_of_another_server_is_refused():
    with pytest.raises(LessonError, match="another server"):
        read_completion_code(CODE, "first-visit", b"t" * 32)


def test_the_code_of_another_lesson_is_named_as_that():
    with pytest.raises(LessonError, match="of another lesson"):
        read_completion_code(CODE, "attention", SECRET)


@pytest.mark.parametrize("typed", ["", "ABCD", CODE + "A", "9" * 32, "ä" * 32])
def test_what_is_no_code_is_refused(typed):
    with pytest.raises(LessonError, match="has 32 signs"):
        read_completion_code(typed, "first-visit", SECRET)


def test_two_students_have_two_codes():
    done = {completion(5, 6, 2_460.0, date(2026, 11, 28)) for _ in range(20)}
    assert len(done) > 15
    assert {each._replace(serial=DONE.serial) for each in done} == {DONE}


def test_a_server_keeps_its_secret(tmp_path):
    path = tmp_path / "home" / "completion.key"
    secret = kept_secret(path)
    assert len(secret) == 32
    assert kept_secret(path) == secret
    assert path.stat().st_mode & 0o077 == 0
    assert kept_secret(tmp_path / "other") != secret
    assert [each.name for each in path.parent.iterdir()] == ["completion.key"]
