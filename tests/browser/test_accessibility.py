"""axe-core finds nothing on any page: light, dark, presented, on a phone, with what is asked for on screen.

The ordinary suite looks at each page's first screen (`test_pages`). Here the answers are shown and every
popover is opened: ``pytest -m slow tests/browser/test_accessibility.py`` takes three quarters of an hour.
"""

import os
import random
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from pages.shared.registry import PAGES
from tests.browser.accessibility import CONTRASTS, violations
from tests.browser.conftest import settle, show_answers
from tests.browser.layout import JUMP
from tests.browser.test_parts import parts_of

_LOOKS = {
    "phone": (390, 844, "light"),
    "dark": (1280, 720, "dark"),
    "light": (1280, 720, "light"),
}
_PRESENTED = {"presented": (1280, 720, "light")}
_HAS_SCHEME = "scheme => getComputedStyle(document.documentElement).colorScheme === scheme"
_POPOVER = "[data-testid=stPopoverBody]"
_CLOSED_FOLDS = "[data-testid=stMain] details:not([open]) > summary"
_DRAWN = "[data-testid=stVegaLiteChart], [data-testid^=stBidiComponent]"
_RING = "[data-testid=stRadioOption] > div > :first-child"
_SEEN = 3.0
"""Least contrast of what is no text (WCAG 2.2, 1.4.11), to which words of a disabled button are held, too."""
_POPOVERS = "[data-testid=stPopoverButton]"
_ADDRESSES = [spec.address for spec in PAGES]
_DRAWN_BY_LOT = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID")).sample(_ADDRESSES, 1)


def _walked(address):
    """A page's walk; the ordinary suite takes one page by lot."""
    marks = () if address in _DRAWN_BY_LOT else pytest.mark.slow
    return pytest.param(address, marks=marks, id=address or "home")


def test_what_has_no_name_would_be_found(visit, lab):
    page = visit(f"{lab}/about")
    assert violations(page) == []
    page.evaluate("document.querySelector('main, [data-testid=stMain]').append(new Image())")
    (found,) = violations(page)
    assert found.startswith("image-alt")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_not_chosen_and_what_cannot_be_pressed_yet_are_seen(visit, lab, scheme):
    page = visit(f"{lab}/estimation", scheme=scheme)
    rings = page.evaluate(CONTRASTS, [_RING, "borderTopColor"])
    words = page.evaluate(CONTRASTS, ["button:disabled p", "color"])
    assert len(rings) > 1
    assert words
    assert all(contrast >= _SEEN for contrast in (*rings, *words)), (rings, words)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_keep_their_colours_and_their_paper_where_colours_are_forced(visit, lab, scheme):
    page = visit(f"{lab}/surprisal", scheme=scheme)
    page.emulate_media(forced_colors="active")
    for drawn in page.locator(".st-key-picture").locator(_DRAWN).locator("visible=true").all():
        paper, adjusts = drawn.evaluate(
            "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).forcedColorAdjust]"
        )
        assert adjusts == "none"
        assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    assert violations(page) == []


@pytest.mark.parametrize("address", [*map(_walked, _ADDRESSES)])
def test_no_state_of_a_page_keeps_anybody_out(visit, lab, address):
    page, faults = visit(f"{lab}/{address}"), []
    for part in parts_of(page):
        for settings, looks in ((part, _LOOKS), (part | {"present": "1"}, _PRESENTED)):
            page.evaluate(JUMP, f"/{address}?{urlencode(settings)}")
            settle(page)
            faults += [f"{settings}, {fault}" for fault in faults_in_all_states(page, looks)]
    assert not faults, "\n".join(faults)


def faults_in_all_states(page, looks):
    """Return what is wrong with a page as it opens, with its folds open, its answers and its popovers shown."""
    open_folds(page)
    faults = faults_in(page, looks, "opened")
    for _ in show_answers(page):
        open_folds(page)
        faults += faults_in(page, looks, "revealed")
    for popover in page.locator(_POPOVERS).locator("visible=true").all():
        name = popover.locator("p").inner_text()
        popover.click()
        page.wait_for_selector(_POPOVER)
        settle(page)
        faults += faults_in(page, looks, f"popover {name}", _POPOVER)
        page.keyboard.press("Escape")
        expect(page.locator(_POPOVER)).to_have_count(0)
    return faults


def faults_in(page, looks, state, within=None):
    faults = []
    for look, (width, height, scheme) in looks.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(_HAS_SCHEME, arg=scheme)
        settle(page)
        faults += [f"{state}, {look}: {fault}" for fault in violations(page, within)]
    return faults


def open_folds(page):
    """Open each fold that is closed, from the last one up: none moves another that is yet to be opened."""
    for fold in reversed(page.locator(_CLOSED_FOLDS).locator("visible=true").all()):
        fold.click()
        settle(page)
