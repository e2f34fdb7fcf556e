"""A lesson is read in the encoding that its program writes, which is named, and kept in UTF-8."""

import pytest

from lm_core.errors import LessonError
from pages.shared.lessons.brought import read_brought_lesson
from pages.shared.lessons.kept import keep_lesson, lesson_named
from pages.shared.lessons.lesson_file import parse_lesson
from tests.pages.shared.lessons.files import LESSON

FRENCH = LESSON.replace("title: Groups", "title: Des groupes près de la forêt")
POLISH = LESSON.replace("title: Groups", "title: Grupy, żółta łódka, gęś i płynęła")
RUSSIAN = LESSON.replace("title: Groups", "title: Где группы?")


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (FRENCH, "utf-8", "UTF-8"),
        (FRENCH, "cp1252", "Windows-1252"),
        (FRENCH, "utf-16", "UTF-16"),
        (FRENCH, "utf-16-le", "UTF-16 without a mark, little-endian"),
        (POLISH, "cp1250", "Windows-1250"),
    ],
)
def test_the_encoding_is_found_and_named(text, codec, name):
    brought = read_brought_lesson(text.encode(codec))
    assert brought.lesson == parse_lesson(text.encode())
    assert name in brought.read.facts
    assert lesson_named(keep_lesson(brought.content)) == brought.lesson


def test_letters_that_make_no_sense_are_doubted_and_another_encoding_can_be_chosen():
    content = RUSSIAN.encode("cp1251")
    (doubt,) = read_brought_lesson(content).read.notes
    assert "which may be “Где”: choose another encoding" in doubt
    brought = read_brought_lesson(content, "cp1251")
    assert brought.lesson.title == "Где группы?"
    assert brought.read.notes == ()


def test_what_cannot_be_seen_is_left_out_and_counted():
    hidden = LESSON.replace("link:", "\u200blink:").replace("title: ", "title:\u00a0")
    brought = read_brought_lesson(hidden.encode())
    assert brought.lesson == parse_lesson(LESSON.encode())
    assert brought.read.notes[0].endswith("characters that cannot be seen were left out.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"<!DOCTYPE html>\n<html>", "the source of a web page"),
        (b" \n", "the file is empty"),
        (b"\xff\xfe" + LESSON.encode("utf-16-le")[:-1], "ends within a character"),
    ],
)
def test_what_is_no_lesson_is_named(content, said):
    with pytest.raises(LessonError, match=said):
        read_brought_lesson(content)
