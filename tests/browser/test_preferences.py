"""The page on preferences: votes by the keyboard, and a guess that is drawn into the picture."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_pairs_are_judged_by_key_and_predicted(visit, lab):
    page = visit(f"{lab}/preferences?part=Pairs")
    main = page.locator("[data-testid=stMain]")
    picture = main.locator(".st-key-picture")
    expect(picture).to_contain_text("Pair 1 of 150")
    for place, key in enumerate(("ArrowLeft", "ArrowRight", "ArrowLeft"), start=2):
        settle(page)
        page.keyboard.press(key)
        expect(picture).to_contain_text(f"Pair {place} of 150")
    expect(main.locator(".st-key-beside")).to_contain_text(re.compile(r"predicted \d of 2 votes"))
    page.get_by_role("button", name="Undo").click()
    expect(picture).to_contain_text("Pair 3 of 150")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"
