"""Every part of every page is touched: before its answer is drawn and after, pictures and playback.

A page that opens well may still fall over at the first tap, or at the first step before the answer is
shown. Here each part is opened by its link, everything in it that can be tapped is tapped once, each
process is led one step forward and played to its end, then the answers are shown, and all of it once
more. No exception may be drawn, and no traceback may be in the server's log.

All pages take half an hour: ``pytest -m slow tests/browser/test_every_part.py``. The ordinary suite
walks those in `_SHORT`, which have between them every kind of picture.
"""

import re
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import expect

from pages.shared.registry import PAGES
from tests.browser.conftest import go, settle, show_answers

_SHORT = ("surprisal", "cross-attention", "attention-by-hand", "perceptron", "byte-pair-encoding")
_PART = ".st-key-part, .st-key-shape, .st-key-view"  # what chooses a part of a page
_EXCEPTION = "[data-testid=stException]"
_TRACEBACK = "Traceback (most recent call last)"
_MAIN = "[data-testid=stMain]"
_COMPONENTS = f"{_MAIN} .stBidiComponent"
_TOUCHED = ".character, .token, .cell, [data-index], [role=button], button, circle, rect, path, canvas, svg"
"""Within a component, the first kind that there is, from words to whole pictures."""
_MARKS = ".role-mark path"
_SETS = f"{_MAIN} [class*=st-key-main_playback_], {_MAIN} [class*=st-key-playback_]"
"""The buttons and the slider of a process in steps."""
_A_THOUSAND = re.compile(r"^The last \d+ of [1-9],\d{3} characters")


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(
            spec,
            marks=() if spec.address in _SHORT else pytest.mark.slow,
            id=spec.address or "home",
        )
        for spec in PAGES
    ],
)
def test_no_touch_breaks_a_part(visit, lab, server_log, spec):
    address = f"{lab}/{spec.address}"
    page = visit(address)
    walk = _Walk(page, server_log)
    for link in [f"{address}?{urlencode(part)}" for part in _parts(page)]:
        walk.open(link)
        walk.touch_everything("before the answer")
        if walk.show_answers():
            walk.touch_everything("after the answer")
    assert not walk.faults, "\n".join(walk.faults)


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["view=1%2C000+draws", "present=1"], ids=["laptop", "presented"])
def test_the_last_of_a_thousand_characters_is_in_view(visit, lab, server_log, shown):
    page = visit(f"{lab}/war-and-peace?model=LSTM+2+x+512&{shown}")
    walk = _Walk(page, server_log)
    page.get_by_role("button", name="Continue").first.click()
    text = page.locator(".st-key-live_text .unseen").first
    begun = text.text_content()
    # Only the last of them are drawn: what is said below the text counts them all.
    page.get_by_text(_A_THOUSAND).wait_for(state="attached", timeout=300_000)
    page.get_by_role("button", name="Stop").first.click()
    settle(page)
    assert text.text_content() != begun
    last = page.locator(".st-key-live_text .character").last
    box = last.bounding_box()
    place = page.locator(".st-key-live_text .strip").first.bounding_box()
    assert place["y"] - 1 <= box["y"]
    assert box["y"] + box["height"] <= place["y"] + place["height"] + 1
    walk.look("written on")
    assert not walk.faults, "\n".join(walk.faults)


def _parts(page):
    """Return the settings that lead to each part of a page that is open; none for a page of one part."""
    settings = [{}]
    for chooser in page.locator(_PART).all():
        name = next(
            word.removeprefix("st-key-")
            for word in chooser.get_attribute("class").split()
            if f".{word}" in _PART.split(", ")
        )
        options = chooser.get_by_role("radio").or_(chooser.get_by_role("button")).all_inner_texts()
        settings += [{name: option} for option in options]
    return settings if len(settings) == 1 else settings[1:]


class _Walk:
    """One visitor, who touches what there is and notes what breaks."""

    def __init__(self, page, log):
        self.page, self.log, self.faults = page, log, []
        self.place = page.url
        self._read = len(log.read_text())

    def open(self, link):
        self.place = link.rsplit("/", 1)[1]
        go(self.page, link)
        self.look("opened")

    def look(self, after):
        """Note an exception on the page or in the log, and what it came after."""
        settle(self.page)
        for box in self.page.locator(_EXCEPTION).all():
            self.faults.append(f"{self.place}, {after}: {box.inner_text()[:200]}")
        log = self.log.read_text()
        if _TRACEBACK in log[self._read :]:
            self.faults.append(f"{self.place}, {after}: {log[self._read :].strip()[-300:]}")
        self._read = len(log)

    def touch_everything(self, when):
        for i in range(self.page.locator(_COMPONENTS).count()):
            with self._touching(f"{when}, tap on component {i}"):
                self._tap_within(self.page.locator(_COMPONENTS).nth(i))
        charts = self.page.locator(f"{_MAIN} [data-testid=stVegaLiteChart]")
        for i in range(charts.count()):
            with self._touching(f"{when}, tap on chart {i}"):
                self._tap(charts.nth(i).locator(_MARKS))
        for i in range(self.page.locator(_SETS).count()):
            self._play(self.page.locator(_SETS).nth(i), f"{when}, process {i}")

    def show_answers(self):
        """Show all answers without a guess, and return whether there were any to show."""
        were_masked = False
        for _ in show_answers(self.page):
            were_masked = True
            self.look("show without a guess")
        return were_masked

    def _tap_within(self, component):
        for kind in _TOUCHED.split(", "):
            if self._tap(component.locator(kind)):
                return

    def _tap(self, found):
        """Tap the middle one of what was found, and return whether there was any that is seen."""
        n = found.count()
        if not n or (box := self._box(found.nth(n // 2))) is None:
            return False
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return True

    def _box(self, element):
        element.evaluate("element => element.scrollIntoView({block: 'center'})")
        return element.bounding_box()

    def _play(self, bar, when):
        forward, play = bar.get_by_role("button", name="Forward"), bar.get_by_role("button").nth(2)
        thumb = bar.get_by_role("slider")
        if not thumb.count():
            return
        with self._touching(f"{when}, back"):
            thumb.press("Home")
        with self._touching(f"{when}, forward"):
            if forward.is_enabled():
                forward.click()
        with self._touching(f"{when}, play"):
            last = thumb.get_attribute("max")
            thumb.press("End")
            settle(self.page)
            bar.get_by_role("button", name="Back").click()
            settle(self.page)
            play.click()
            expect(thumb).to_have_value(last)
            expect(play).to_contain_text("Play")

    @contextmanager
    def _touching(self, what):
        try:
            yield
        except BrowserError:
            pass  # it is not there to be touched: folded away, or gone with what was touched before
        except AssertionError as error:
            self.faults.append(f"{self.place}, {what}: {str(error)[:200]}")
        self.look(what)
