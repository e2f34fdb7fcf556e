"""The page on masked language models: a click covers a word, and the link carries it."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_click_covers_a_word_and_the_link_carries_it(visit, lab):
    page = visit(f"{lab}/masked-language-model?reveal=both_sides")
    words = page.locator(".strip .character")
    expect(words.nth(1)).to_have_text(" [MASK]")
    words.nth(3).click()
    expect(page).to_have_url(re.compile("gap_word=4"))
    expect(words.nth(3)).to_have_text(" [MASK]")
    settle(page)
    address = page.url
    words.nth(3).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(address)
    settle(page)
    assert page.locator("[data-testid=stMain]").evaluate(FITS), "scrolls sideways"
