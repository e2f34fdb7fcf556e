"""On a touch screen a swipe over a picture scrolls and a tap inspects; what edits is asked for."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from pages.shared.registry import PAGES
from tests.browser.conftest import settle, wait_until

PADS = (
    "clustering",
    "convolution",
    "optimisers",
    "perceptron?part=By+hand",
    "perceptron?part=Trained",
    "attention-by-hand",
    "mixture-pitfalls",
)
OTHERS = tuple(
    spec.address for spec in PAGES if spec.minutes and not any(spec.address in pad for pad in PADS)
)
INSPECTED = {"point", "query", "head", "key", "word", "unit", "cell", "row", "step", "window"}
"""What a tap may choose to be looked at; nothing that a visitor made is lost by it."""


@pytest.fixture
def touch(visit):
    def opened(address):
        page = visit(address, width=390, height=844, has_touch=True, is_mobile=True)
        page.wait_for_timeout(300)
        return page, page.context.new_cdp_session(page)

    return opened


def picture_of(page):
    """The largest drawing of the picture, in the middle of the screen."""
    found = page.locator(".st-key-picture").locator("canvas, svg")
    wait_until(page, lambda: any(height_of(drawn) > 100 for drawn in found.all()))
    drawn = max(found.all(), key=height_of)
    drawn.evaluate("element => element.scrollIntoView({block: 'center'})")
    return drawn.bounding_box()


def height_of(drawn):
    box = drawn.bounding_box()
    return box["height"] if box else 0.0


def made(page):
    """What the link says that a visitor made, and whether a question still waits."""
    asked = page.locator("[class*=st-key-predict_]").count()
    settings = dict(parse_qsl(urlsplit(page.url).query))
    return {name: value for name, value in settings.items() if name not in INSPECTED}, asked


def scrolled(page):
    return page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop")


def touched(page, session, *places):
    """Put a finger down at the first of some places, lead it over the others and lift it."""
    for kind, place in [("touchStart", places[0]), *(("touchMove", place) for place in places[1:])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
        page.wait_for_timeout(20)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(400)


def swiped(page, session, x, y, distance):
    steps = [{"x": x, "y": y + distance * part / 10} for part in range(11)]
    touched(page, session, *steps)


@pytest.mark.parametrize(
    "address", [*PADS, *(pytest.param(other, marks=pytest.mark.slow) for other in OTHERS)]
)
def test_a_swipe_over_a_picture_scrolls_and_a_tap_loses_nothing(touch, lab, address):
    page, session = touch(f"{lab}/{address}")
    before = made(page)
    for share in (0.3, 0.5, 0.7):
        box, began = picture_of(page), scrolled(page)
        x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
        swiped(page, session, x, y, -150)
        if scrolled(page) == began:  # at the page's end already
            swiped(page, session, x, y, 150)
        assert scrolled(page) != began, f"a swipe at {share} of the width does not scroll"
    box = picture_of(page)
    touched(
        page, session, {"x": box["x"] + 0.4 * box["width"], "y": box["y"] + 0.3 * box["height"]}
    )
    settle(page)
    assert made(page) == before


def test_what_is_edited_on_purpose_by_finger_can_be_undone(touch, lab):
    page, session = touch(f"{lab}/clustering?data=two+blobs")
    page.get_by_role("button", name="Edit", exact=True).tap()
    box = picture_of(page)
    corner = {"x": box["x"] + 0.95 * box["width"], "y": box["y"] + 0.1 * box["height"]}
    touched(page, session, corner)
    expect(page).to_have_url(re.compile("edits="))
    settle(page)
    page.get_by_role("button", name="Undo").first.tap()
    wait_until(page, lambda: "edits=" not in page.url)
