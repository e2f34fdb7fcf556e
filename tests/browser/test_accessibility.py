"""axe-core finds nothing on any page: light, dark, presented, on a phone, with what is asked for on screen.

The ordinary suite looks at each page's first screen (`test_pages`). Here the answers are shown and every
popover is opened: ``pytest -m slow tests/browser/test_accessibility.py`` takes three quarters of an hour.
"""

import pytest

from pages.shared.registry import PAGES
from tests.browser.accessibility import CONTRASTS, violations
from tests.browser.conftest import settle, show_answers
from tests.browser.layout import JUMP

VIEWS = {
    "light": ((1280, 720), "light", ""),
    "dark": ((1280, 720), "dark", ""),
    "presented": ((1280, 720), "light", "?present=1"),
    "phone": ((390, 844), "light", ""),
}
_DRAWN = "[data-testid=stVegaLiteChart], [data-testid^=stBidiComponent]"
_RING = "[data-testid=stRadioOption] > div > :first-child"
_SEEN = 3.0
"""Least contrast of what is no text (WCAG 2.2, 1.4.11), to which words of a disabled button are held, too."""
_POPOVERS = "[data-testid=stPopoverButton]"


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


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("address", [spec.address for spec in PAGES])
def test_no_state_of_a_page_keeps_anybody_out(visit, lab, address, view):
    (width, height), scheme, query = VIEWS[view]
    page = visit(lab, width=width, height=height, scheme=scheme)
    page.evaluate(JUMP, f"/{address}{query}")
    settle(page)
    faults = told("opened", violations(page))
    for _ in show_answers(page):
        faults += told("revealed", violations(page))
    for popover in page.locator(_POPOVERS).locator("visible=true").all():
        name = popover.locator("p").inner_text()
        popover.click()
        settle(page)
        faults += told(f"popover {name}", violations(page))
        page.keyboard.press("Escape")
    assert not faults, "\n".join(faults)


def told(state, found):
    return [f"{state}: {fault}" for fault in found]
