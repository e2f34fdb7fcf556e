"""Hold whole lessons: a presenter and eight phones, step by step, and what went wrong on the way.

``python -m tests.benchmarks.lesson_hour recurrent-networks attention --phones 8`` walks the lessons as a
class does: the presenter opens a room, the phones join and follow, every step is opened from the lesson's
bar, its question is asked, answered by all and revealed. A row for each step says how long the slowest
phone took to follow and to be counted, how much of the projector the picture has, and every fault: a page
that is white, an error, a lost room, a phone loaded anew. Nothing is asserted. A busy machine is wanted:
``--burners 2`` keeps so many processors busy beside it.
"""

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from pages.shared.lessons.lesson_file import Lesson, Step, parse_lesson
from pages.shared.registry import page_at
from tests.browser.conftest import CHROMIUM, FLAGS, ROOT, go, serving, settle
from tests.browser.layout import LEAST_SHARE, share_of_picture
from tests.browser.test_classroom import BAR, opened
from tests.browser.test_following import SEEN, burn

WAITS_S = 120.0
_QUESTION = ".st-key-class_question"
_BROKEN = """() => [...document.querySelectorAll("[data-testid=stException], [data-testid=stAlert]")]
  .map(box => box.textContent).filter(text => /error|Traceback/i.test(text)).map(text => text.slice(0, 90))"""


class Class:
    """A presenter and their students, each with a browser tab.

    `faults`: list of str, since they were last taken.
    """

    def __init__(
        self, browser: Browser, lab: str, lesson: str, n_phones: int, pictures: Path | None
    ) -> None:
        self.lab, self.faults, self._pictures = lab, list[str](), pictures
        self._step = 0
        self.teacher = _tab(browser, 1280, 720)
        go(self.teacher, f"{lab}/rnn-vs-lstm")
        self.room = opened(self.teacher)
        self.phones = [_tab(browser, 390, 844) for _ in range(n_phones)]
        for number, phone in enumerate(self.phones, 1):
            phone.goto(f"{lab}/join?code={self.room}")
            phone.get_by_text(f"You are in class {self.room}").wait_for()
            phone.on("load", lambda _, number=number: self.faults.append(f"phone {number} loaded"))
        self.teacher.locator(BAR).get_by_text("They follow me").click()
        self._lesson = lesson

    def open(self, number: int, link: str) -> float:
        """Open a step, the first by its link; return how long the slowest phone took, in seconds."""
        self._step = number
        address, _, settings = link.partition("?")
        if number == 1:
            here = f"lesson={self._lesson}&lesson_step=1&present=1&room={self.room}"
            go(self.teacher, f"{self.lab}/{address}?{settings}&{here}")
        else:
            self.teacher.locator(".st-key-lesson_next button").click()
        begun = time.monotonic()
        title = page_at(address).title
        self._until(lambda phone: phone.evaluate(SEEN)["title"] == title, f"no {address}")
        taken = time.monotonic() - begun
        settle(self.teacher)
        for number, phone in enumerate(self.phones, 1):
            if f"room={self.room}" not in phone.url:
                self.faults.append(f"phone {number} has no room: {urlsplit(phone.url).query}")
        return taken

    def ask(self) -> float | None:
        """Ask the step's question, answer it on all phones, reveal; return the seconds until all are counted."""
        button = self.teacher.locator(".st-key-lesson_ask button").first
        if not button.count():
            return None
        button.click()
        begun = time.monotonic()
        self._until(lambda phone: phone.locator(_QUESTION).count() > 0, "no question")
        for phone in self.phones:
            _answer(phone)
        everybody = f"{len(self.phones)} of {len(self.phones)} have answered"
        try:
            self.teacher.locator(BAR).get_by_text(everybody).wait_for(timeout=1e3 * WAITS_S)
        except Error:
            self.faults.append(f"counted: {self.teacher.locator(BAR).inner_text()[:60]!r}")
        taken = time.monotonic() - begun
        self.look("asked")
        self.teacher.locator(BAR).get_by_role("button", name="Reveal").click()
        self._until(lambda phone: phone.locator(_QUESTION).count() == 0, "not revealed")
        return taken

    def look(self, state: str) -> float:
        """Note what is broken on any screen; return the share of the projector that the picture has."""
        for name, page in [("presenter", self.teacher), *enumerate(self.phones, 1)]:
            if page.evaluate(SEEN)["isWhite"]:
                self.faults.append(f"{name} is white, {state}")
            self.faults += [f"{name}, {state}: {broken}" for broken in page.evaluate(_BROKEN)]
            if self._pictures and name in ("presenter", 1):
                page.screenshot(
                    path=self._pictures / f"{self._lesson}-{self._step}-{state}-{name}.png"
                )
        share = share_of_picture(self.teacher)
        if share < LEAST_SHARE:
            self.faults.append(f"the picture has {share:.0%}, {state}")
        return share

    def _until(self, holds: Callable[[Page], bool], otherwise: str) -> None:
        waiting, deadline = dict(enumerate(self.phones, 1)), time.monotonic() + WAITS_S
        while waiting and time.monotonic() < deadline:
            waiting = {number: phone for number, phone in waiting.items() if not holds(phone)}
            self.teacher.wait_for_timeout(100)
        self.faults += [
            f"phone {number}: {otherwise}, {phone.url}" for number, phone in waiting.items()
        ]


def _tab(browser: Browser, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(1e3 * WAITS_S)
    return page


def _answer(phone: Page) -> None:
    """Answer what is asked in the shortest way: the first option, some words, or where the slider stands."""
    question = phone.locator(_QUESTION)
    field = question.get_by_role("textbox")
    if field.count():
        field.first.fill("something")
        field.first.press("Enter")
    options = question.get_by_role("radio")
    if options.count():
        options.first.locator("xpath=ancestor::label").click()
        return
    send = question.get_by_role("button", name="Send")
    if send.count():
        send.first.click()


def hold(
    browser: Browser, lab: str, name: str, n_phones: int, pictures: Path | None = None
) -> None:
    """Hold one lesson, and print a row for each step."""
    lesson: Lesson = parse_lesson((ROOT / "assets" / "lessons" / f"{name}.md").read_bytes())
    group = Class(browser, lab, name, n_phones, pictures)
    for number, step in enumerate(lesson.steps, 1):
        print(_row(group, name, number, step), flush=True)
    for page in (group.teacher, *group.phones):
        page.context.close()


def _row(group: Class, name: str, number: int, step: Step) -> str:
    followed = group.open(number, step.link)
    share = group.look("opened")
    counted = group.ask()
    asked = "" if counted is None else f"{counted:.1f}"
    if counted is not None:
        group.look("revealed")
    faults, group.faults = group.faults, []
    return (
        f"| {name} {number} | {step.link} | {followed:.1f} | {share:.0%} | {asked} |"
        f" {'; '.join(dict.fromkeys(faults))} |"
    )


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = sorted(file.stem for file in (ROOT / "assets" / "lessons").glob("*.md"))
    parser.add_argument("lessons", nargs="*", default=known, help=f"of {', '.join(known)}")
    parser.add_argument("--phones", type=int, default=8)
    parser.add_argument(
        "--burners", type=int, default=0, help="processes that only count, beside it"
    )
    parser.add_argument(
        "--pictures", type=Path, help="folder of screens: the presenter's and a phone's"
    )
    asked = parser.parse_args(None if arguments is None else list(arguments))
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(asked.burners)]
    for burner in burners:
        burner.start()
    expect.set_options(timeout=1e3 * WAITS_S)
    print("| Step | Page | Followed, s | Picture | All counted, s | Faults |")
    print("|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = {"LM_LAB_HOME": folder, "LM_LAB_DEVICE": "cpu"}
        with serving(ROOT, Path(folder) / "server.log", **home) as lab:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for name in asked.lessons:
                try:
                    hold(browser, lab, name, asked.phones, asked.pictures)
                except Error as error:  # the next lesson is held all the same
                    print(
                        f"| {name} | stopped | | | | {str(error).splitlines()[0][:120]} |",
                        flush=True,
                    )
            browser.close()
    for burner in burners:
        burner.terminate()


if __name__ == "__main__":
    main()
