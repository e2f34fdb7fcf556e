"""The page on estimating P(bird | x), as a class uses it."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_class_counts_fits_and_guesses(visit, lab):
    page = visit(f"{lab}/estimation")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("12 cm): 33 %")
    expect(page.locator("[data-testid=stVegaLiteChart] svg, canvas").first).to_be_visible()

    page.get_by_text("Network", exact=True).click()
    expect(main).to_contain_text("17 weights")
    expect(page).to_have_url(re.compile("method=Network"))
    thumb = page.locator(".st-key-length").get_by_role("slider")
    thumb.focus()
    thumb.press("ArrowRight")
    expect(main).to_contain_text("15 cm)")

    page.get_by_text("About three times").click()
    page.get_by_role("button", name="Reveal").click()
    expect(main.locator("strong", has_text=re.compile(r"\b50\b.*\b500\b"))).to_be_visible()
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate(FITS), "scrolls sideways"

    page.set_viewport_size({"width": 390, "height": 720})
    page.wait_for_function(f"({FITS})(document.querySelector('[data-testid=stMain]'))")
