"""The teacher's sheet has everything that the lesson's file says, and obeys nothing of it."""

from html.parser import HTMLParser

from pages.shared.lessons import sheet as sheet_module
from pages.shared.lessons.kept import shipped_lessons
from pages.shared.lessons.lesson_file import parse_lesson
from pages.shared.lessons.sheet import sheet_html
from pages.shared.suggestions import Suggestion, suggestions_on
from tests.pages.shared.lessons.files import LESSON, with_line


class Page(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.words = set(), []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.words.append(data)


def sheet(content):
    return sheet_html(parse_lesson(content), "http://lab", "http://lab/lessons?lesson=abc")


def test_it_has_aim_minutes_steps_and_answers_and_needs_no_other_file():
    page = Page(sheet(LESSON.encode()))
    words = " ".join(page.words)
    for said in ("Groups", "See what k-means assumes.", "Sixteen and older", "45 minutes"):
        assert said in words
    for said in (
        "1. Three groups (20 min)",
        "So do the points.",
        "The mask hides what comes later.",
    ):
        assert said in words
    assert "http://lab/clustering?clusters=3&seed=5" in words
    assert "http://lab/lessons?lesson=abc" in words
    assert not page.tags & {"script", "link", "img", "iframe", "a"}


def test_markup_is_shown_and_not_obeyed():
    content = with_line(
        "aim: See", "aim: <script>alert(1)</script><img src=x onerror=alert(1)> See"
    )
    page = Page(sheet(content))
    assert not page.tags & {"script", "img"}
    assert "<script>alert(1)</script>" in " ".join(page.words)


def test_it_has_what_the_pages_suggest_with_the_answers_once(monkeypatch):
    asked = Suggestion("Choose *K* < 3.", "It splits, because `K` is small.")
    monkeypatch.setattr(sheet_module, "suggestions_on", lambda link: (asked,))
    page = sheet(LESSON.encode())
    assert page.count("Try:") == 1  # both steps lead to the same part
    assert (
        "<b>Try:</b> Choose <em>K</em> &lt; 3. <b>Answer:</b> It splits, because <code>K</code>"
        in page
    )


def test_each_step_of_a_shipped_lesson_has_something_to_try():
    lessons = shipped_lessons().lessons.values()
    assert all(suggestions_on(step.link) for lesson in lessons for step in lesson.steps)
