"""Every part of every page on the projector of a class: in a room with a lesson, and while the class is asked."""

import pytest
from playwright.sync_api import expect

from pages.shared.registry import LESSONS
from tests.browser.conftest import settle
from tests.browser.layout import LEAST_SHARE, PICTURE_SHARE, share_of_picture
from tests.browser.test_classroom import ask_line, opened
from tests.browser.test_parts import OF_WORDS, parts_of, show

LAPTOP = (1280, 720)
LESSON = {"lesson": "words", "lesson_step": "1"}
SIZE_OF_TYPE = "getComputedStyle(document.documentElement).fontSize"
ASKED = "How sure are you, in per cent? 0..100"


@pytest.mark.slow
def test_the_picture_of_every_part_keeps_its_height_in_a_class(visit, lab):
    """With a room and a lesson, and with a question as well; alone, or with one of them, it has more room."""
    page = visit(f"{lab}/clustering")
    room, shares = {"room": opened(page)}, {}
    settle(page)
    for spec in LESSONS:
        show(page, spec.address, room, LAPTOP)  # presented, it names its parts in a menu
        for part in parts_of(page):
            name = (spec.address, next(iter(part.values()), spec.address))
            if name in OF_WORDS:
                continue
            show(page, spec.address, room | LESSON | part | {"present": "1"}, LAPTOP)
            expect(page.locator(".st-key-lesson_bar")).to_be_visible()
            # Some compute before they draw.
            page.wait_for_function(f"({PICTURE_SHARE.strip()})() > 0")
            assert page.evaluate(SIZE_OF_TYPE) == "24px", f"{name} is not presented"
            shares[*name, "lesson"] = share_of_picture(page)
            ask_line(page, ASKED)
            expect(page.locator(".st-key-class_card")).to_be_visible()
            shares[*name, "asked"] = share_of_picture(page)
            assert page.evaluate(SIZE_OF_TYPE) == "24px", f"{name} is no longer presented"
            page.locator(".st-key-class_take_back button").click()
            expect(page.locator(".st-key-class_card")).to_have_count(0)
    assert len(shares) > 2 * len(LESSONS)
    smallest = sorted((share, *state) for state, share in shares.items())[:9]
    assert smallest[0][0] >= LEAST_SHARE, smallest
