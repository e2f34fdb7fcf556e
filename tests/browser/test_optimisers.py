"""The page on optimisers: a start dragged by mouse and keyboard, and played."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_start_is_dragged_and_moved_by_keys(visit, lab):
    page = visit(f"{lab}/optimisers?reveal=race")
    main = page.locator("[data-testid=stMain]")
    handle = page.locator(".panels .handle")
    expect(handle).to_be_visible()
    said = main.locator("strong").first.inner_text()
    box, plane = handle.bounding_box(), page.locator(".panels figure > svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(plane["x"] + 0.6 * plane["width"], plane["y"] + 0.3 * plane["height"], steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("start_1="))
    expect(main.locator("strong").first).not_to_have_text(said)
    settle(page)
    before = re.search(r"start_1=(-?[\d.]+)", page.url)[1]
    page.locator(".panels figure > svg").focus()
    page.keyboard.press("ArrowLeft")
    expect(page).not_to_have_url(re.compile(f"start_1={re.escape(before)}(&|$)"))
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"
