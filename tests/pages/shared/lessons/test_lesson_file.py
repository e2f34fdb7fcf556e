"""A lesson's file is read as it is, or refused with its line, the reason and the remedy."""

import re

import pytest

from lm_core.errors import LessonError
from pages.shared.lessons.lesson_file import LARGEST_BYTES, MOST_STEPS, NOT_IN_A_LINK, parse_lesson
from pages.shared.server.short_links import PARAMETER as SHORT_LINK
from pages.shared.ui.controls import ROOM
from tests.conftest import ROOT
from tests.pages.shared.lessons.files import LESSON, with_line


def test_a_lesson_has_all_that_its_file_says():
    lesson = parse_lesson(LESSON.encode())
    assert (lesson.title, lesson.chapter) == ("Groups", "Clustering and statistics")
    assert (lesson.aim, lesson.audience) == ("See what k-means assumes.", "Sixteen and older")
    assert lesson.minutes == 45
    first, second, _ = lesson.steps
    assert (first.title, first.link, first.address) == (
        "Three groups",
        "clustering?clusters=3&seed=5",
        "clustering",
    )
    assert first.do == "Press Forward until nothing moves."
    assert (first.question, first.answer) == ("", "")
    assert (second.link, second.question) == ("attention?query=3", "Why earlier?")
    assert second.answer == "The mask hides what comes later."


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + LESSON.encode(),
        LESSON.replace("\n", "\r\n").encode(),
        LESSON.replace("\n", "\r").encode(),
        LESSON.replace("\n", "  \n").encode(),
        LESSON.rstrip().encode(),
    ],
    ids=["mark", "windows", "old mac", "spaces", "no last line"],
)
def test_what_editors_do_to_a_file_changes_nothing(content):
    assert parse_lesson(content) == parse_lesson(LESSON.encode())


def test_markup_is_text():
    lesson = parse_lesson(with_line("aim: See", "aim: <script>alert(1)</script> [x](http://x) See"))
    assert lesson.aim.startswith("<script>alert(1)</script> [x](http://x)")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1: a lesson begins with a line ---"),
        (b"\x89PNG\r\n\x1a\n\0\0", "line 1: .* byte 1 is none of it: save it as plain text"),
        (LESSON.encode("utf-16"), "line 1: .* UTF-8"),
        (with_line("aim: See", "aim: \0See"), "line 4: .* zero byte"),
        (LESSON.encode() + b" " * LARGEST_BYTES, f"at most {LARGEST_BYTES:,} bytes, this one"),
        (LESSON.replace("---\n", "", 1).encode(), "line 1: .* found 'title: Groups'"),
        (LESSON[: LESSON.index("##")].encode(), f"1 to {MOST_STEPS} steps, this one has 0"),
        (with_line("## Three groups", "Three groups"), "line 8: after .* found 'Three groups'"),
        (with_line("title: Groups\n", ""), "line 1: .* no title: add a line title:"),
        (with_line("title: Groups", "title:"), "line 2: title must have 1 to 80 .* has 0"),
        (with_line("title: Groups", "title: " + "x" * 81), "line 2: title .* 1 to 80 .* has 81"),
        (with_line("title: Groups", "colour: red"), "line 2: .* found 'colour: red'"),
        (with_line("title: Groups", "title: a\ntitle: b"), "line 3: .* twice, first in line 2"),
        (with_line("  until nothing", "until nothing"), "line 11: .* begin it with a space"),
        (with_line("minutes: 15\n", ""), "line 15: the step 'Heads' .* has no minutes"),
        (with_line("minutes: 15", "minutes: -5"), "line 19: minutes must be .* got '-5'"),
        (with_line("minutes: 15", "minutes: 0"), "line 19: minutes .* 1 to 240"),
        (with_line("minutes: 15", "minutes: 241"), "line 19: minutes"),
        (with_line("minutes: 15", "minutes: ٣"), "line 19: minutes"),
        (with_line("minutes: 15", "minutes: 1e3"), "line 19: minutes"),
        (with_line("aim: See", "age: 0\naim: See"), "line 4: age must be .* 1 to 99, got '0'"),
        (
            with_line("aim: See", "age: old\naim: See"),
            "line 4: age .* write, for instance, age: 16",
        ),
        (with_line("question: Why earlier?\n", ""), "line 20: answer needs a question"),
    ],
)
def test_what_is_no_lesson_is_refused_with_its_line_and_the_remedy(content, said):
    with pytest.raises(LessonError) as error:
        parse_lesson(content)
    assert re.search(said, str(error.value)), str(error.value)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("javascript:alert(1)", "without a host"),
        ("data:text/html,x", "without a host"),
        ("https://lab.example.org/attention?query=3", "without a host"),
        ("//lab.example.org/attention", "without a host"),
        ("http://[", "without a host"),
        ("attention#part", "without a host"),
        ("attention?query=\u202e3", "without a host"),
        ("nowhere?query=3", "'nowhere' is no page of this lab: link to one of"),
        ("../attention", "no page of this lab"),
        ("attention/", "no page of this lab"),
        *((f"attention?query=3&{name}=x", "leave it out") for name in NOT_IN_A_LINK),
        ("attention?room=", "leave it out"),
    ],
)
def test_a_link_leads_to_a_page_of_the_lab_and_nowhere_else(link, said):
    with pytest.raises(LessonError, match=said) as error:
        parse_lesson(with_line("link: /attention?query=3", f"link: {link}"))
    assert str(error.value).startswith("line 16:")


def test_a_link_reads_nothing_beside_controls_that_a_lesson_may_not_name():
    """What pages read of their URL by themselves either belongs to a page, or is kept out of lessons."""
    of_a_page = {"hide", "reveal", "view", "part", "job", "digits"}
    read = {
        name
        for path in (ROOT / "pages").rglob("*.py")
        for name in re.findall(
            r"query_params(?:\.get(?:_all)?\(|\.pop\(|\[)[\"'](\w+)[\"']", path.read_text("utf-8")
        )
    }
    assert {"hide", "present"} <= read
    assert read <= of_a_page | set(NOT_IN_A_LINK)
    assert {ROOM, SHORT_LINK, "code"} <= set(NOT_IN_A_LINK)


@pytest.mark.parametrize(
    ("options", "kind", "right"),
    [
        ("They come | *The mask hides what is later", "choice", "The mask hides what is later"),
        ("0..10 = 4", "number", "4"),
        ("", "word", None),
    ],
)
def test_a_question_is_one_for_the_class(options, kind, right):
    line = f"question: Why earlier?\noptions: {options}" if options else "question: Why earlier?"
    asked = parse_lesson(with_line("question: Why earlier?", line)).steps[1].class_question
    assert (asked.text, asked.kind, asked.right) == ("Why earlier?", kind, right)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("only one", "line 21: options are answers with a bar between"),
        ("// *a* *b*", "line 21: one word has stars"),
        ("a | a", "line 21: a choice has 2 to 12 different answers"),
        ("9..1", "line 21: an axis has finite ends"),
    ],
)
def test_options_that_cannot_be_asked_say_why(options, said):
    line = f"question: Why earlier?\noptions: {options}"
    with pytest.raises(LessonError, match=said):
        parse_lesson(with_line("question: Why earlier?", line))


def test_a_lesson_has_a_bounded_number_of_steps():
    step = LESSON[LESSON.index("## Five") :]
    full = LESSON + step * (MOST_STEPS - 3)
    assert len(parse_lesson(full.encode()).steps) == MOST_STEPS
    with pytest.raises(LessonError, match=f"this one has {MOST_STEPS + 1}"):
        parse_lesson((full + step).encode())


def test_a_lesson_says_from_which_age_on_and_what_must_be_known():
    lesson = parse_lesson(with_line("aim: See", "age: 16\nknown: vectors, , means\naim: See"))
    assert (lesson.age, lesson.known) == (16, ("vectors", "means"))
    plain = parse_lesson(LESSON.encode())
    assert (plain.age, plain.known) == (0, ())


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("*a | *b | c", "several"),
        ("a > b > c", "order"),
        ("a -> x | b -> y", "match"),
        ("// not a *bad* film", "mark"),
        ("0..100 = 42 ± 3", "number"),
    ],
)
def test_a_step_asks_every_kind_of_question_with_its_answer_as_the_reason(options, kind):
    line = f"question: Why earlier?\noptions: {options}"
    asked = parse_lesson(with_line("question: Why earlier?", line)).steps[1].class_question
    assert asked.kind == kind
    assert asked.right is not None
    assert asked.reason == "The mask hides what comes later."
