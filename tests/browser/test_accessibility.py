"""axe-core finds nothing on any page: light, dark, presented, on a phone, with what is asked for on screen.

The ordinary suite looks at each page's first screen (`test_pages`), and at one page as here:
in all four views with its folds open, its answers shown and each popover opened; its other parts in one view.
All pages take an hour: ``pytest -m "slow or not slow" tests/browser/test_accessibility.py``; ``-k`` takes one.
"""

import pytest
from playwright.sync_api import TimeoutError, expect

from pages.shared.registry import PAGES
from tests.browser.accessibility import CONTRASTS, violations
from tests.browser.conftest import go, settle, show_answers
from tests.browser.test_classroom import BAR, COUNTS, opened
from tests.browser.test_parts import parts_of, show

_LOOKS = {
    "light": ("light", (1280, 720), {}),
    "dark": ("dark", (1280, 720), {}),
    "presented": ("light", (1280, 720), {"present": "1"}),
    "phone": ("light", (390, 844), {}),
}
_POPOVER = "[data-testid=stPopoverBody]"
_CLOSED_FOLDS = "[data-testid=stMain] details:not([open]) > summary"
_DRAWN = "[data-testid=stVegaLiteChart], [data-testid^=stBidiComponent]"
_RING = "[data-testid=stRadioOption] > div > :first-child"
_CHOSEN = (
    ".stButtonGroup button[aria-checked=true]",
    ".stCheckbox[data-selected] label > span + div",
    ".stSlider [data-rac]:has(> div > input)",
)
_SEEN = 3.0
"""Least contrast of what is no text (WCAG 2.2, 1.4.11), to which words of a disabled button are held, too."""
_READ = 4.5  # least contrast of text (1.4.3)
_POPOVERS = "[data-testid=stPopoverButton]"
_ADDRESSES = [spec.address for spec in PAGES]
_ALWAYS = "about"


def _walked(address):
    """A page's walk; the ordinary suite takes one page."""
    marks = () if address == _ALWAYS else pytest.mark.slow
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


def test_what_is_chosen_is_told_where_colours_are_forced(visit, lab):
    page = visit(f"{lab}/attention")
    page.emulate_media(forced_colors="active")
    page.get_by_role("button", name="More", exact=True).first.click()
    page.wait_for_selector(f"{_POPOVER} .stSlider")
    settle(page)
    for chosen in _CHOSEN:
        contrasts = page.evaluate(CONTRASTS, [chosen, "backgroundColor"])
        assert contrasts, chosen
        assert min(contrasts) >= _SEEN, (chosen, contrasts)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_sign_of_the_code_is_legible(visit, lab, scheme):
    page = visit(f"{lab}/clustering", scheme=scheme)
    open_folds(page)
    page.wait_for_selector(".stCode .token.comment", state="attached")
    for kind in ("comment", "keyword", "string", "number", "operator", "punctuation"):
        contrasts = page.evaluate(CONTRASTS, [f".stCode .token.{kind}", "color"])
        assert contrasts, kind
        assert min(contrasts) >= _READ, (kind, min(contrasts))


@pytest.mark.parametrize("address", [*map(_walked, _ADDRESSES)])
def test_no_state_of_a_page_keeps_anybody_out(visit, lab, address):
    page, faults = visit(f"{lab}/{address}"), []
    first, *others = parts_of(page)
    for part, look in [*((first, look) for look in _LOOKS), *((part, "light") for part in others)]:
        scheme, size, settings = _LOOKS[look]
        page.emulate_media(color_scheme=scheme)
        show(page, address, part | settings, size)
        faults += told(f"{' '.join(part.values())} {look}", faults_in_all_states(page))
    assert not faults, "\n".join(faults)


@pytest.mark.slow
def test_nothing_of_a_class_and_of_its_lesson_keeps_anybody_out(visit, lab):
    teacher = visit(f"{lab}/rnn-vs-lstm?lesson=recurrent-networks&lesson_step=1")
    room = opened(teacher)
    teacher.get_by_role(
        "button", name="Ask the class"
    ).last.click()  # the page's, below the lesson's
    phone = visit(f"{lab}/rnn-vs-lstm?room={room}", width=390, height=844)
    expect(phone.locator(".st-key-class_question")).to_be_visible()
    faults = told("asked, a student", looked_at(phone))
    for present in ("", "&present=1"):
        go(teacher, teacher.url + present)
        faults += told(f"asked, a teacher{present}", looked_at(teacher))
    phone.locator(".st-key-class_question").get_by_text("50", exact=True).click()
    bar = teacher.locator(BAR)
    expect(bar.get_by_text("1 of 1")).to_be_visible()
    bar.get_by_role("button", name="Reveal").click()
    expect(phone.locator(COUNTS)).to_be_visible()
    faults += told("revealed, a teacher", looked_at(teacher))
    faults += told("revealed, a student", looked_at(phone))
    assert not faults, "\n".join(faults)


def faults_in_all_states(page):
    """Return what is wrong with a page on which all folds are open, then its answers shown, then its popovers."""
    open_folds(page)
    faults = told("opened", looked_at(page))
    for _ in show_answers(page):
        open_folds(page)
        faults += told("revealed", looked_at(page))
    for popover in page.locator(_POPOVERS).locator("visible=true").all():
        popover.click()
        page.wait_for_selector(_POPOVER)
        settle(page)
        faults += told(f"popover {popover.inner_text()}", looked_at(page, _POPOVER))
        close_popover(page)
    return faults


def close_popover(page):
    """Close what is open; an answer that was under way may open it again, once in some fifty times."""
    opened = page.locator(_POPOVER)
    for _ in range(3):
        page.keyboard.press("Escape")
        try:
            opened.wait_for(state="detached", timeout=5_000)
        except TimeoutError:
            continue
        return
    expect(opened).to_have_count(0)


def looked_at(page, within=None):
    """Return what is still wrong a moment later: what a script draws comes before its names."""
    found = violations(page, within)
    if found:
        page.wait_for_timeout(1_000)
        found = violations(page, within)
    return found


def open_folds(page):
    """Open each fold that is closed, from the last one up: none moves another that is yet to be opened."""
    for fold in reversed(page.locator(_CLOSED_FOLDS).locator("visible=true").all()):
        fold.click()
        settle(page)


def told(state, found):
    return [f"{state}: {fault}" for fault in found]
