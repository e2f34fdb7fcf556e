"""The page on estimating P(bird | x), as a class uses it."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_class_counts_fits_and_guesses(visit, lab):
    page = visit(f"{lab}/estimation")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("P(bird | can fly, 8 cm): 12%")
    expect(page.locator("[data-testid=stVegaLiteChart] svg, canvas").first).to_be_visible()

    page.get_by_text("Network", exact=True).click()
    expect(main).to_contain_text("17 weights")
    expect(page).to_have_url(re.compile("method=Network"))
    thumb = page.locator(".st-key-control_length").get_by_role("slider")
    thumb.focus()
    thumb.press("ArrowRight")
    expect(main).to_contain_text("P(bird | can fly, 10 cm)")

    page.get_by_text("About three times").click()
    page.get_by_role("button", name="Reveal").click()
    expect(main).to_contain_text("From 50 to 500 animals the spread shrinks")
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate(FITS), "scrolls sideways"

    again = visit(page.url, width=390)
    expect(again.locator("[data-testid=stMain]")).to_contain_text("P(bird | can fly, 10 cm)")
    phone = again.locator("[data-testid=stMain]")
    assert phone.evaluate(FITS), "scrolls sideways"
