"""The page on reservoir computing: a moved radius, its link, and a guess that stays in the picture."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_moved_radius_changes_the_forecast_and_the_link(visit, lab):
    page = visit(f"{lab}/reservoir-computing?reveal=series")
    main = page.locator("[data-testid=stMain]")
    finding = main.locator(".st-key-picture strong").first
    expect(finding).to_contain_text("84 steps ahead")
    settle(page)
    said = finding.inner_text()
    page.get_by_role("slider", name="Spectral radius").first.focus()
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"chaos_radius=0\.4"))
    expect(finding).not_to_have_text(said)
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"


def test_a_guess_on_memory_is_answered(visit, lab):
    page = visit(f"{lab}/reservoir-computing?part=Memory")
    page.get_by_text("About 35").click()
    reveal = page.get_by_role("button", name="Reveal")
    expect(reveal).to_be_enabled()
    settle(page)
    reveal.click()
    expect(page.locator(".st-key-beside")).to_contain_text("Right")
