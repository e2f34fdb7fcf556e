"""A lesson in the browser, from its card to its end, and the bar that leads through it."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.lessons.kept import shipped_lessons
from pages.shared.registry import page_at
from tests.browser.conftest import FITS, settle
from tests.browser.test_pages import SCREENS, faults_of
from tests.pages.shared.lessons.files import LESSON

SHIPPED = shipped_lessons().lessons
QUICK = "words"  # the one that is walked in every run

HIDDEN_BY_BAR = """
main => {
  const bar = document.querySelector(".st-key-lesson_bar").getBoundingClientRect();
  const faults = [];
  if (bar.bottom > innerHeight + 1 || bar.height > 0.2 * innerHeight)
    faults.push(`the bar is ${Math.round(bar.height)} pixels high`);
  if (main.getBoundingClientRect().bottom > bar.top + 1) faults.push("the page goes on below the bar");
  const words = document.querySelector(".st-key-lesson_bar [data-testid=stMarkdown]").parentElement;
  if (words.scrollHeight > words.clientHeight + 2) faults.push("what to do does not fit into the bar");
  const picture = main.querySelector(".st-key-picture").getBoundingClientRect();
  // On a phone some pictures are higher than the screen: then it is enough that they fill it.
  const seen = Math.min(picture.bottom, bar.top) - Math.max(picture.top, 0);
  if (seen < Math.min(0.5 * picture.height, 0.4 * innerHeight))
    faults.push(`${Math.round(100 * seen / picture.height)}% of the picture above the bar, ` +
      `from ${Math.round(picture.top)}, scrolled by ${Math.round(main.scrollTop)}`);
  return faults;
}
"""


def is_at(page, name, n):
    """Wait until the step of a lesson is on screen, on its page, without an error."""
    lesson = SHIPPED[name]
    step = lesson.steps[n - 1]
    expect(page).to_have_url(re.compile(f"/{step.address}[?].*lesson_step={n}(&|$)"))
    expect(page.locator(".st-key-lesson_bar")).to_contain_text(
        f"{step.title} · {n} of {len(lesson.steps)} · {step.minutes} min"
    )
    expect(page.locator("h1")).to_have_text(page_at(step.address).title)
    settle(page)
    assert page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0
    assert page.get_by_text("not on offer here").count() == 0


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == QUICK else pytest.mark.slow, id=name)
        for name in SHIPPED
    ],
)
def test_a_lesson_is_walked_from_its_card_to_its_end(visit, lab, name):
    page, faults = visit(f"{lab}/lessons"), []
    page.locator(f".st-key-start_{name} button").click()
    for n in range(1, len(SHIPPED[name].steps) + 1):
        is_at(page, name, n)
        for width, height, scheme in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            found = faults_of(page, HIDDEN_BY_BAR)
            faults += [f"{n}, {width}: {fault}" for fault in found]
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        page.locator(":is(.st-key-lesson_next, .st-key-lesson_finish) button").click()
    expect(page.get_by_role("heading", name=SHIPPED[name].title)).to_be_visible()
    expect(page.locator(".st-key-lesson_bar")).to_have_count(0)
    assert faults == []


def test_what_a_visitor_moved_gives_way_to_the_steps_settings_on_screen_too(visit, lab):
    page = visit(f"{lab}/clustering?clusters=3&lesson=clustering-and-statistics&lesson_step=1")
    clusters = page.locator(".st-key-clusters")
    expect(clusters).to_contain_text("3")
    page.locator(".st-key-lesson_again button:visible").click()
    expect(clusters.get_by_role("slider")).to_have_value("2")


def test_a_teacher_brings_a_lesson_shares_it_and_leaves_it(visit, lab, tmp_path):
    page = visit(f"{lab}/lessons", width=390, height=844, scheme="dark")
    assert page.locator("[data-testid=stMain]").evaluate(FITS), "scrolls sideways"
    field = page.locator(".st-key-lesson_file input[type=file]")
    file = tmp_path / "own.md"
    file.write_text(LESSON.replace("aim: See", "aim: <img src=x onerror=alert(1)> See"), "utf-8")
    field.set_input_files(file)
    page.get_by_role("button", name="Open your lesson").click()
    expect(page).to_have_url(re.compile("lessons[?]lesson=[a-z2-7]{12}&teacher=1$"))
    settle(page)
    page.locator(".st-key-sheet summary").click()
    expect(page.get_by_text("<img src=x onerror=alert(1)>").first).to_be_visible()
    with page.expect_download() as download:
        page.locator(".st-key-sheet_html button").click()
    assert "<img src=x" not in download.value.path().read_text("utf-8")
    student = visit(page.url.removesuffix("&teacher=1"))
    student.locator(".st-key-start_chosen button").click()
    expect(student.locator(".st-key-lesson_bar")).to_contain_text("Three groups · 1 of 3 · 20 min")
    student.locator(".st-key-lesson_see button").click()
    expect(student.get_by_text("The centres rest. So do the points.")).to_be_visible()
    student.keyboard.press("Escape")
    student.locator(".st-key-lesson_leave button:visible").click()
    expect(student.locator(".st-key-lesson_bar")).to_have_count(0)
    assert "lesson" not in student.url


def test_in_the_presenter_view_the_step_lies_in_the_titles_line_and_is_read_whole(visit, lab):
    page = visit(f"{lab}/attention?present=1&lesson=attention&lesson_step=4")
    step = SHIPPED["attention"].steps[3]
    button = page.locator(".st-key-lesson_see button")
    expect(button).to_contain_text("Step 4 of")
    title, bar = page.locator("h1").bounding_box(), button.bounding_box()
    assert bar["y"] < title["y"] + title["height"]
    button.click()
    expect(page.get_by_text(step.title)).to_be_visible()
    words = page.locator("[data-testid=stPopoverBody] p").first
    assert words.evaluate("p => p.getBoundingClientRect().bottom <= innerHeight")
